"""Kernels from text, as if it came from a file."""

import __future__

import itertools
import linecache

_NUMBER = itertools.count()


def module(text, file=None, **names):
    """Run a module that is written in a string, with everything of the kernel language imported."""
    file = file or f"<test {next(_NUMBER)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope = {"__name__": "tested", **names}
    exec("from ludarium.kernel import *", scope)
    exec(compile(text, file, "exec", __future__.annotations.compiler_flag, dont_inherit=True), scope)
    return scope
