"""From LLVM assembly to machine code in memory: optimisation, the cache, and swapping better code in when it is ready."""

from __future__ import annotations

import atexit
import ctypes
import functools
import hashlib
import itertools
import platform
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludarium.kernel import cache

if TYPE_CHECKING:
    import llvmlite.binding as llvm

QUICK_ABOVE = 600_000  # characters of assembly: about what -O2 takes a second for
_LOCK = threading.RLock()
_NUMBER = itertools.count()


class Code:
    """The machine code of some entry points; `addresses` may improve while the program runs."""

    def __init__(
        self, names: tuple[str, ...], key: str, assembly: Callable[[], str], tables: Mapping[str, tuple[memoryview, int]]
    ) -> None:
        self.names = names
        self._tables = {  # where each table lies, and a cell with its length
            name: (ctypes.addressof(ctypes.c_char.from_buffer(memory)), ctypes.c_int64(length), memory)
            for name, (memory, length) in tables.items()
        }
        self._libraries: list[Any] = []
        self._listeners: list[Callable[[], None]] = []
        full = _key(key, "full")
        stored = cache.load(full)
        if stored is None or not self._try(stored):
            self._compile(full, assembly())

    def when_improved(self, listener: Callable[[], None]) -> None:
        """Call back each time the addresses change."""
        with _LOCK:
            self._listeners.append(listener)

    def _compile(self, key: str, text: str) -> None:
        big = len(text) > QUICK_ABOVE
        data = compile_object(text, level=0 if big else 2)
        self._load(data)
        if big:
            threading.Thread(target=self._improve, args=(key, text), daemon=True).start()
        else:
            cache.store(key, data)

    def _improve(self, key: str, text: str) -> None:
        """Optimise in a process of its own: LLVM holds one lock for all threads of this one."""
        command = [sys.executable, "-c", "from ludarium.kernel.engine import serve; serve()"]
        worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        atexit.register(worker.kill)
        data, _ = worker.communicate(text.encode())
        atexit.unregister(worker.kill)
        if worker.returncode == 0 and self._try(data):
            cache.store(key, data)
            with _LOCK:
                for listener in self._listeners:
                    listener()

    def _try(self, data: bytes) -> bool:
        try:
            self._load(data)
        except (RuntimeError, KeyError):
            return False
        return True

    def _load(self, data: bytes) -> None:
        import llvmlite.binding as llvm

        with _LOCK:
            builder = llvm.JITLibraryBuilder().add_object_img(data).add_current_process()
            for name in self.names:
                builder.export_symbol(name)
            for name, (address, length, _) in self._tables.items():
                builder.import_symbol(f"d.{name}", address).import_symbol(f"n.{name}", ctypes.addressof(length))
            library = builder.link(_jit(), f"unit{next(_NUMBER)}")
            self._libraries.append(library)  # older code may still be running
            self.addresses = {name: int(library[name]) for name in self.names}


def compile_object(text: str, level: int) -> bytes:
    """Optimise and translate assembly into an object file."""
    import llvmlite.binding as llvm

    with _LOCK:
        machine = _machine(level)
        module = llvm.parse_assembly(text, llvm.create_context())
        module.triple = machine.triple
        module.data_layout = str(machine.target_data)
        if level:
            builder = llvm.create_pass_builder(machine, llvm.PipelineTuningOptions(speed_level=level))
            builder.getModulePassManager().run(module, builder)
        data: bytes = machine.emit_object(module)
        return data


def serve() -> None:
    """Be the process that optimises: assembly on standard input, the object file on standard output."""
    sys.stdout.buffer.write(compile_object(sys.stdin.read(), level=2))


@functools.cache
def _machine(level: int) -> llvm.TargetMachine:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    features = llvm.get_host_cpu_features().flatten()
    cpu = llvm.get_host_cpu_name()
    return target.create_target_machine(cpu=cpu, features=features, opt=level, reloc="pic", codemodel="jitdefault", jit=True)


@functools.cache
def _jit() -> Any:
    import llvmlite.binding as llvm

    return llvm.create_lljit_compiler(_machine(2))


@functools.cache
def _platform() -> str:
    """Everything besides the kernels that the code depends on: this compiler, LLVM and the processor."""
    import llvmlite
    import llvmlite.binding as llvm

    digest = hashlib.blake2b(digest_size=16)
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    features = llvm.get_host_cpu_features().flatten()
    parts = (digest.hexdigest(), llvmlite.__version__, platform.machine(), llvm.get_host_cpu_name(), features, sys.version)
    return "|".join(parts)


def _key(key: str, level: str) -> str:
    return hashlib.blake2b(f"{key}|{level}|{_platform()}".encode(), digest_size=20).hexdigest()
