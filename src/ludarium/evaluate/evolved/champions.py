"""Champions in a file: the networks that an evolution ended with, which game they are for, and how they see it.

JSON, so that anybody can read it; versioned; and with a digest of all that is in it, so that what was cut or changed is noticed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludarium.core import BadParameter, Game, LudariumError, UnsupportedGame
from ludarium.core.files import write_file
from ludarium.evaluate.evolved.inputs import Mapping, Seen, seen
from ludarium.evaluate.evolved.network import Network

FORMAT, VERSION = "ludarium champions", 1


@dataclass(frozen=True)
class Champions:
    """For each role a champion, and the teachers that it came from, lowest rank first."""

    game: str
    fingerprint: str
    roles: tuple[str, ...]
    mapping: Mapping
    digest: str
    """What the inputs are made of."""

    networks: tuple[Network, ...]
    teachers: tuple[tuple[Network, ...], ...]
    made: Table[str, Any] = field(default_factory=dict)
    """How they were made: settings, and what there is to tell."""

    def seen(self, game: Game) -> Seen:
        """Give how they see a game; refused if it is another than theirs."""
        if game.fingerprint != self.fingerprint:
            raise UnsupportedGame(
                f"evolved cannot judge {game.name}: its networks were evolved for {self.game}, which has other rules"
            )
        found = seen(game, self.mapping)
        if found.digest != self.digest:
            raise UnsupportedGame(
                f"evolved cannot judge {game.name}: this version sees its states otherwise than the one that made the file"
            )
        return found

    def save(self, path: Path) -> None:
        """Write them to a file, all or nothing."""
        write_json(path, FORMAT, VERSION, self.written())

    def written(self) -> dict[str, Any]:
        """Write them as JSON has it."""
        return {
            "game": self.game,
            "fingerprint": self.fingerprint,
            "inputs": self.mapping.written() | {"digest": self.digest},
            "made": dict(self.made),
            "roles": [
                {"role": role, "champion": champion.written(), "teachers": [each.written() for each in teachers]}
                for role, champion, teachers in zip(self.roles, self.networks, self.teachers, strict=True)
            ],
        }

    @classmethod
    def load(cls, path: Path) -> Champions:
        """Read what `save` wrote."""
        given = read_json(path, FORMAT, VERSION)
        try:
            inputs = dict(given["inputs"])
            digest = str(inputs.pop("digest"))
            roles = given["roles"]
            made = cls(
                str(given["game"]),
                str(given["fingerprint"]),
                tuple(str(each["role"]) for each in roles),
                Mapping(**inputs),
                digest,
                tuple(Network.read(each["champion"]) for each in roles),
                tuple(tuple(map(Network.read, each["teachers"])) for each in roles),
                dict(given["made"]),
            )
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            raise BadParameter(f"{path} holds no champions: {problem}") from None
        return made


def write_json(path: Path, kind: str, version: int, content: Any) -> None:
    """Write a file that says what it is, all or nothing: a full disk leaves what was there before."""
    text = json.dumps(content, separators=(",", ":"))
    head = json.dumps({"format": kind, "version": version, "digest": _digest(text)})
    try:
        write_file(path, f'{head[:-1]},\n"content": {text}}}\n')
    except OSError as problem:
        raise LudariumError(f"cannot write {path}: {problem.strerror}") from None


def read_json(path: Path, kind: str, version: int) -> Any:
    """Read what `write_json` wrote; a `BadParameter` that says what is wrong with the file."""
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadParameter(f"cannot read {path}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise BadParameter(f"{path} is no text; expected a file of {kind}") from None
    except json.JSONDecodeError as problem:
        at = f"{path}:{problem.lineno}:{problem.colno}"
        raise BadParameter(f"{at}: {problem.msg}; the file is cut or damaged, expected {kind}") from None
    except (ValueError, RecursionError):  # a number with thousands of digits; brackets in brackets without end
        raise BadParameter(f"{path} is no file of {kind}") from None
    if not isinstance(given, dict) or given.get("format") != kind:
        raise BadParameter(f"{path} is no file of {kind}")
    if given.get("version") != version:
        raise BadParameter(f"{path} has version {given.get('version')} of {kind}; this program reads version {version}")
    content = given.get("content")
    if given.get("digest") != _digest(json.dumps(content, separators=(",", ":"))):
        raise BadParameter(f"{path} was changed or damaged: its content does not fit its digest")
    return content


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
