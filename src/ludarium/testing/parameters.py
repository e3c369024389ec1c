"""What agents, evaluators and determinizers are, all alike: frozen dataclasses of parameters, which can be copied and sent."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from typing import Any

from ludarium import registry
from ludarium.core import BadParameter


def check_name(kind: str, thing: Any, read: Callable[[str], Any]) -> None:
    """Whether what names a thing is read as the same thing, here and where matches are played, and its name is its own."""
    if thing.name in registry.listed(kind):
        assert type(read(thing.name)) is type(thing), f"its name '{thing.name}' is that of another {kind}"
    try:
        text = registry.spec(kind, thing)
    except BadParameter:  # a class inside a function: nobody else can have it
        return
    assert read(text) == thing, f"{text!r} is read as another one"


def check_parameters(thing: Any) -> None:
    """Whether something is a frozen dataclass that equals its copies."""
    assert is_dataclass(thing), "it is not a dataclass"
    kind: Any = type(thing)
    assert kind.__dataclass_params__.frozen, "its parameters can be changed: it is not frozen"
    for each in fields(thing):
        with contextlib.suppress(FrozenInstanceError):
            setattr(thing, each.name, getattr(thing, each.name))
            raise AssertionError(f"its parameter {each.name} can be changed")
    copy: Any = replace(thing)  # type: ignore[type-var]
    assert copy == thing, "a copy with the same parameters is not equal"
    assert hash(copy) == hash(thing), "equal ones have different hashes"
    assert pickle.loads(pickle.dumps(thing)) == thing, "it does not survive pickling"  # noqa: S301
