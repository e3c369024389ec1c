"""From LLVM assembly to machine code in memory: optimisation, the cache, and better code when it is ready."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import itertools
import platform
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludarium.kernel.addresses import address_of
from ludarium.kernel.machine import cache, perf
from ludarium.kernel.machine.optimiser import OPTIMISER
from ludarium.kernel.types import Span

if TYPE_CHECKING:
    import llvmlite.binding as llvm

QUICK_ABOVE = 230_000  # characters of assembly: about what -O3 takes a second for
QUICK_LEVEL, FULL_LEVEL = 0, 3  # measured: -O3 plays 5-10 % faster than -O2, -O0 compiles 20 times as fast
_LOCK = threading.RLock()
_NUMBER = itertools.count()


class Code:
    """The machine code of some entry points, in the order of their names; `addresses` may improve while the program runs.

    It runs before it is optimised if that would take long, or if there is a `hurry`; it is never optimised if it is `brief`.
    """

    def __init__(
        self,
        names: Sequence[str],
        key: str,
        assembly: Callable[[], str],
        tables: Mapping[int, Span],
        cells: Mapping[int, ctypes.c_int64],
        *,
        hurry: bool = False,
        brief: bool = False,
    ) -> None:
        self.names = names
        self._tables = {place: (table, ctypes.c_int64(len(table))) for place, table in tables.items()}
        self._cells = cells  # where the addresses of shared kernels are
        self._libraries: list[Any] = []
        self._listeners: list[Callable[[], None]] = []
        self._write, self._text = assembly, ""
        self.key = hashlib.blake2b(f"{key}|{brief}|{_platform()}".encode(), digest_size=20).hexdigest()
        self.best = self._found(self.key) or not (
            self._found(f"{self.key}-quick") or self._is_quick(hurry=hurry, brief=brief)
        )
        if not self.best:
            OPTIMISER.add(self)

    def assembly(self) -> str:
        """What the code is made from; it is kept until it has been optimised, as writing it takes long."""
        return self._text or self._write()

    def watch(self, listener: Callable[[], None]) -> None:
        """Call back now, and each time the addresses change."""
        with _LOCK:
            self._listeners.append(listener)
            listener()

    def finish(self) -> None:
        """Wait for the best code, for those who measure how fast it is."""
        if not self.best:
            OPTIMISER.add(self, wanted=True).wait()

    def _found(self, key: str) -> bool:
        stored = cache.load(key)
        return stored is not None and self._try(stored)

    def _is_quick(self, *, hurry: bool, brief: bool) -> bool:
        """Compile; whether that was not done as well as it should be."""
        text = self._write()
        quick = not brief and (hurry or len(text) > QUICK_ABOVE)
        data = compile_object(text, level=QUICK_LEVEL if quick or brief else FULL_LEVEL)
        self._text = text if quick else ""
        self._load(data)
        cache.store(f"{self.key}-quick" if quick else self.key, data)
        return quick

    def improve(self, data: bytes) -> bool:
        """Use better code from now on; whether that could be done."""
        self.best = self._try(data)
        if self.best:
            self._text = ""
            with _LOCK:
                for listener in self._listeners:
                    listener()
        return self.best

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
            for place in range(len(self.names)):
                builder.export_symbol(f"entry{place}").export_symbol(f"facts{place}")
            for place, (table, length) in self._tables.items():
                builder.import_symbol(f"data{place}", address_of(table.memory))
                builder.import_symbol(f"length{place}", ctypes.addressof(length))
            for place, cell in self._cells.items():
                builder.import_symbol(f"shared{place}", ctypes.addressof(cell))
            library = builder.link(_jit(), f"unit{next(_NUMBER)}")
            self._libraries.append(library)  # older code may still be running
            self.addresses = [int(library[f"entry{place}"]) for place in range(len(self.names))]
            self.facts = [ctypes.string_at(library[f"facts{place}"]).decode() for place in range(len(self.names))]
            if perf.WANTED:
                lie = zip(self.names, self.addresses, strict=True)
                perf.note(data, {f"entry{place}": each for place, each in enumerate(lie)})


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

    features = llvm.get_host_cpu_features().flatten()
    parts = (
        cache.code_in(str(Path(__file__).parents[1])),
        llvmlite.__version__,
        platform.machine(),
        llvm.get_host_cpu_name(),
        features,
        sys.version,
    )
    return "|".join(parts)
