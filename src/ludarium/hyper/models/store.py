"""Models in files: arrays and names in a format without code, with a version and a checksum.

A file is an archive of `about.json`, which tells what the model is, `learned.skops`, and `checksum`. Nothing in it is ever
unpickled.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
import zlib
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ludarium.core import LudariumError
from ludarium.core.files import write_file
from ludarium.hyper.features.taxonomy import concepts
from ludarium.hyper.models.grove import Grove
from ludarium.hyper.models.likeness import Likeness
from ludarium.hyper.models.methods import METHODS, NoLearning
from ludarium.hyper.models.model import Model

VERSION = 2
"""Of the file; it grows when what is written changes."""

FEATURES = 1
"""Of the features; it grows when a name comes to mean something else."""

MOST_BYTES = 1_000_000_000
_ABOUT, _LEARNED, _CHECKSUM = "about.json", "learned.skops", "checksum"
_TRUSTED = ["sklearn.neural_network._stochastic_optimizers.AdamOptimizer", "sklearn.tree._tree.Tree"]
"""Types of scikit-learn that skops asks about, and that hold numbers only."""

_INTERVAL = 1.2816
"""Standard deviations to either side that hold 80 %."""

_WHEN = (1980, 1, 1, 0, 0, 0)
_AGAIN = "train it again: ludarium hyper train"


class BadModel(LudariumError):
    """A file that is no model, or none that can be used here."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} cannot be used as a model: {why}")


def save(model: Model, path: Path) -> None:
    """Write a model; the same model gives the same file, byte by byte."""
    skops = _skops()
    data: dict[str, Any] = {
        "likeness": {name: getattr(model.likeness, name) for name in ("means", "scales", "directions")},
        "margins": model.margins,
        "errors": model.errors,
        "learned": model.learned,
    }
    if isinstance(model.learner, Grove):
        data["grove"] = {each.name: getattr(model.learner, each.name) for each in fields(Grove)}
    else:
        data["estimators"] = model.learner
    learned = _settled(skops.dumps(data))
    about = {
        "version": VERSION,
        "features": FEATURES,
        "scikit-learn": _release(),
        "method": model.way.name,
        "candidates": model.candidates,
        "columns": model.columns,
        "games": model.likeness.games,
        "table": model.digest,
        "seed": model.seed,
    }
    told = json.dumps(about, indent=1).encode()
    parts = {_ABOUT: told, _LEARNED: learned, _CHECKSUM: _sum(told, learned).encode()}
    try:
        write_file(path, _archive(parts))
    except OSError as problem:
        raise LudariumError(f"cannot write the model {path}: {problem.strerror}") from None


def load(path: Path) -> Model:
    """Read a model; a `BadModel` says what is wrong with the file."""
    about, learned = _opened(path)
    _check_about(path, about)
    skops = _skops()
    try:
        untrusted = set(skops.get_untrusted_types(data=learned)) - set(_TRUSTED)
        if untrusted:
            raise BadModel(path, f"it holds things that no model needs: {', '.join(sorted(untrusted))}")
        data = skops.loads(learned, trusted=_TRUSTED)
        model = _made(about, data)
        why = _unfit(model)
    except BadModel:
        raise
    except Exception as problem:  # noqa: BLE001  (whatever skops makes of what somebody wrote)
        raise BadModel(path, f"it is damaged ({type(problem).__name__}: {problem})") from None
    if why:
        raise BadModel(path, why)
    return model


def kept(path: Path) -> Model:
    """A model that is read once, and again when its file has changed."""
    return _kept(path, path.stat().st_mtime_ns if path.is_file() else 0)


@lru_cache(maxsize=8)
def _kept(path: Path, _stamp: int) -> Model:
    return load(path)


def _opened(path: Path) -> tuple[dict[str, Any], bytes]:
    try:
        if not zipfile.is_zipfile(path):
            if not path.is_file():
                raise BadModel(path, "it is a folder" if path.is_dir() else "there is no such file")
            raise BadModel(path, "it is not an archive; a pickle is never opened")
        with zipfile.ZipFile(path) as archive:
            if sum(each.file_size for each in archive.infolist()) > MOST_BYTES:
                raise BadModel(path, "it is too large")
            told, learned, checksum = (archive.read(name) for name in (_ABOUT, _LEARNED, _CHECKSUM))
    except (OSError, KeyError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as problem:
        raise BadModel(path, f"it is damaged, or something else ({problem})") from None
    if checksum.decode("ascii", "replace") != _sum(told, learned):
        raise BadModel(path, "its checksum is wrong, so it is damaged")
    try:
        about = json.loads(told)
    except ValueError:
        about = None
    if not isinstance(about, dict):
        raise BadModel(path, "it does not tell what it is")
    return about, learned


def _check_about(path: Path, about: dict[str, Any]) -> None:
    version, features = about.get("version"), about.get("features")
    if not isinstance(version, int) or not isinstance(features, int):
        raise BadModel(path, "it does not tell its version")
    if version > VERSION:
        raise BadModel(
            path, f"its version {version} is newer than {VERSION}, which is what this program reads; update ludarium"
        )
    if features != FEATURES:
        raise BadModel(
            path, f"it was trained on features of version {features}, these are version {FEATURES}; {_AGAIN}"
        )
    if about.get("method") not in METHODS:
        raise BadModel(path, f"its way to learn, {about.get('method')!r}, is not known")
    columns = about.get("columns")
    if not isinstance(columns, list) or not columns:
        raise BadModel(path, "it does not tell its features")
    strange = [name for name in columns if name not in concepts() and "_" not in str(name)]
    if strange:
        raise BadModel(
            path, f"it was trained on features that games do not have here, such as {strange[0]!r}; {_AGAIN}"
        )
    forest = about["method"] in ("forest", "joint-forest")
    if not forest and about.get("scikit-learn") != _release():
        raise BadModel(
            path, f"it was trained with scikit-learn {about.get('scikit-learn')}, this is {_release()}; {_AGAIN}"
        )


def _made(about: dict[str, Any], data: dict[str, Any]) -> Model:
    learner = Grove(**data["grove"]) if "grove" in data else data["estimators"]
    return Model(
        way=METHODS[about["method"]],
        candidates=tuple(about["candidates"]),
        columns=tuple(about["columns"]),
        learner=learner,
        likeness=Likeness(tuple(about["games"]), **data["likeness"]),
        margins=data["margins"],
        # The first version tells only how far off each candidate was, at most, in four of five games.
        errors=data["errors"] if "errors" in data else np.diag(np.maximum(data["margins"] / _INTERVAL, 1.0) ** 2),
        learned=data["learned"],
        digest=about["table"],
        seed=about["seed"],
    )


def _unfit(model: Model) -> str:
    """What does not go together."""
    if model.likeness.directions.shape != (len(model.likeness.games), len(model.columns)):
        return "its games and features do not go together"
    if isinstance(model.learner, Grove) and not (
        _measured(model.learner) and _sound(model.learner, len(model.columns))
    ):
        return "its trees do not hang together"
    if model.margins.shape != (len(model.candidates),) or not np.isfinite(model.margins).all():
        return "its candidates and margins do not go together"
    if model.errors.shape != (len(model.candidates),) * 2 or not _covariance(model.errors):
        return "its candidates and errors do not go together"
    try:
        row = np.zeros(len(model.columns))
        fits = model.scores(row, row == 0).shape == (len(model.candidates),)
    except (IndexError, ValueError, AttributeError, TypeError):
        fits = False
    return "" if fits else "what was learned does not go with its features"


def _covariance(errors: Any) -> bool:
    """Whether numbers may be errors that vary together."""
    real = errors.dtype.kind == "f"
    return bool(
        real and np.isfinite(errors).all() and (errors == errors.T).all() and np.linalg.eigvalsh(errors).min() > 0
    )


def _measured(grove: Grove) -> bool:
    """Whether arrays are as long as each other says: machine code goes through them, and does not look where they end."""
    whole, real = (grove.feature, grove.left, grove.right), (grove.threshold, grove.weight)
    nodes, trees = len(grove.feature), len(grove.roots)
    return (
        all(each.shape == (nodes,) and each.dtype.kind in "iu" for each in whole)
        and all(each.shape == (nodes,) and each.dtype.kind == "f" for each in real)
        and grove.value.ndim == 2
        and len(grove.value) == nodes
        and grove.value.dtype.kind == "f"
        and all(each.shape == (trees,) and each.dtype.kind in "iu" for each in (grove.roots, grove.of))
        and trees > 0
        and bool(grove.roots[0] == 0)
        and bool((np.diff([*grove.roots, nodes]) > 0).all())
        and bool(((grove.of >= 0) & (grove.of < trees)).all())
    )


def _sound(grove: Grove, columns: int) -> bool:
    """Whether trees only go down: each child stands behind its parent, and asks for a feature that there is."""
    inner = grove.feature >= 0
    nodes = np.arange(len(grove.feature))
    sides = (grove.left[inner], grove.right[inner])
    return (
        all(((side > nodes[inner]) & (side < len(nodes))).all() for side in sides)
        and bool((grove.feature < columns).all())
        and bool(np.isfinite(grove.value).all())
        and bool((grove.weight > 0).all())
    )


def _settled(data: bytes) -> bytes:
    """What skops wrote, without addresses of memory and times in it."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    schema = parts.pop("schema.json").decode()
    numbers: dict[str, str] = {}
    for found in re.finditer(r'"__id__": (\d+)|"file": "(\d+)\.', schema):
        numbers.setdefault(found[1] or found[2], str(len(numbers) + 1))
    schema = re.sub(r'("__id__": |"file": ")(\d+)', lambda found: found[1] + numbers[found[2]], schema)
    renamed = {
        re.sub(r"^\d+", lambda found: numbers.get(found[0], found[0]), name): part for name, part in parts.items()
    }
    return _archive({**dict(sorted(renamed.items())), "schema.json": schema.encode()})


def _archive(parts: dict[str, bytes]) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        for name, part in parts.items():
            archive.writestr(zipfile.ZipInfo(name, _WHEN), part, zipfile.ZIP_DEFLATED, 6)
    return memory.getvalue()


def _sum(told: bytes, learned: bytes) -> str:
    return hashlib.sha256(hashlib.sha256(told).digest() + hashlib.sha256(learned).digest()).hexdigest()


def _skops() -> Any:
    try:
        import skops.io  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        raise NoLearning("scikit-learn" if missing.name == "sklearn" else "skops") from None
    return skops.io


def _release() -> str:
    """The first two numbers of scikit-learn's version: what is between them may change how models are kept."""
    try:
        import sklearn  # noqa: PLC0415
    except ModuleNotFoundError:
        raise NoLearning("scikit-learn") from None
    return ".".join(sklearn.__version__.split(".")[:2])
