"""From LLVM assembly to machine code in memory: optimisation, the cache, and better code when it is ready."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import hashlib
import itertools
import platform
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludarium.kernel import cache
from ludarium.kernel.types import Span, address_of

if TYPE_CHECKING:
    import llvmlite.binding as llvm

QUICK_ABOVE = 300_000  # characters of assembly: about what -O3 takes a second for
QUICK_LEVEL, FULL_LEVEL = 0, 3  # measured: -O3 plays 5-10 % faster than -O2, -O0 compiles 20 times as fast
WAIT = 0.5  # seconds that code is in use before it is worth optimising: many programs are over by then
_LOCK = threading.RLock()
_AT_WORK: dict[str, threading.Lock] = {}  # per key: the same kernels are optimised once, however often they are loaded
_NUMBER = itertools.count()


class Code:
    """The machine code of some entry points, numbered; `addresses` may improve while the program runs.

    It runs before it is optimised if that would take long, or if there is a `hurry`.
    """

    def __init__(
        self,
        count: int,
        key: str,
        assembly: Callable[[], str],
        tables: Mapping[int, Span],
        *,
        hurry: bool = False,
    ) -> None:
        self.count = count
        self._tables = {place: (table, ctypes.c_int64(len(table))) for place, table in tables.items()}
        self._libraries: list[Any] = []
        self._listeners: list[Callable[[], None]] = []
        self.threads: list[threading.Thread] = []  # that work on better code
        self._assembly, self._wanted = assembly, threading.Event()
        full = hashlib.blake2b(f"{key}|{_platform()}".encode(), digest_size=20).hexdigest()
        if not self._found(full) and (self._found(f"{full}-quick") or self._is_quick(full, hurry)):
            thread = threading.Thread(target=_improve, args=(weakref.ref(self), full, self._wanted), daemon=True)
            self.threads.append(thread)
            thread.start()

    def watch(self, listener: Callable[[], None]) -> None:
        """Call back now, and each time the addresses change."""
        with _LOCK:
            self._listeners.append(listener)
            listener()

    def finish(self) -> None:
        """Wait for the best code, for those who measure how fast it is."""
        self._wanted.set()
        for thread in self.threads:
            thread.join()

    def _found(self, key: str) -> bool:
        stored = cache.load(key)
        return stored is not None and self._try(stored)

    def _is_quick(self, key: str, hurry: bool) -> bool:
        """Compile; whether that was not done as well as it can be."""
        text = self._assembly()
        quick = hurry or len(text) > QUICK_ABOVE
        data = compile_object(text, level=QUICK_LEVEL if quick else FULL_LEVEL)
        self._load(data)
        cache.store(f"{key}-quick" if quick else key, data)
        return quick

    def improve(self, key: str) -> None:
        """Take the best code, of which there may be some by now."""
        with _LOCK:
            lock = _AT_WORK.setdefault(key, threading.Lock())
        with lock:
            if not self._found(key):
                data = _optimised(self._assembly())
                if data is None or not self._try(data):
                    return
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
            for place in range(self.count):
                builder.export_symbol(f"entry{place}").export_symbol(f"written{place}")
            for place, (table, length) in self._tables.items():
                builder.import_symbol(f"data{place}", address_of(table.memory))
                builder.import_symbol(f"length{place}", ctypes.addressof(length))
            library = builder.link(_jit(), f"unit{next(_NUMBER)}")
            self._libraries.append(library)  # older code may still be running
            self.addresses = [int(library[f"entry{place}"]) for place in range(self.count)]
            flags = [ctypes.string_at(library[f"written{place}"]) for place in range(self.count)]
            self.written = [frozenset(n for n, flag in enumerate(each) if flag == ord("1")) for each in flags]


def _improve(code: weakref.ref[Code], key: str, wanted: threading.Event) -> None:
    """Make code better that is still there after a while."""
    wanted.wait(WAIT)
    if (used := code()) is not None:
        used.improve(key)


def _optimised(text: str) -> bytes | None:
    """Optimise in a process of its own: LLVM holds one lock for all threads of this one."""
    program = f"import sys; sys.path[:] = {sys.path!r}; from ludarium.kernel.engine import serve; serve()"
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    command = [sys.executable, "-c", program]
    with contextlib.suppress(OSError, RuntimeError), subprocess.Popen(command, **pipes) as worker:  # noqa: S603
        atexit.register(worker.kill)
        data, _ = worker.communicate(text.encode())
        atexit.unregister(worker.kill)
        return data if worker.returncode == 0 else None
    return None


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
    sys.stdout.buffer.write(compile_object(sys.stdin.read(), level=FULL_LEVEL))


@functools.cache
def _machine(level: int) -> llvm.TargetMachine:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    features = llvm.get_host_cpu_features().flatten()
    cpu = llvm.get_host_cpu_name()
    return target.create_target_machine(
        cpu=cpu, features=features, opt=level, reloc="pic", codemodel="jitdefault", jit=True
    )


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
    parts = (
        digest.hexdigest(),
        llvmlite.__version__,
        platform.machine(),
        llvm.get_host_cpu_name(),
        features,
        sys.version,
    )
    return "|".join(parts)
