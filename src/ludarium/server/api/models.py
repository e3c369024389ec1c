"""What requests look like."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

NAME, MOVES = 500, 100_000


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SeatRequest(_Request):
    """A seat: `human`, or an agent with its parameters, and what it may spend on a move."""

    agent: str = Field("human", max_length=NAME, examples=["human", "uct(c=1.0)"])
    iterations: int | None = Field(None, gt=0)
    seconds: float | None = Field(None, gt=0)


class MatchRequest(_Request):
    """A match to begin."""

    game: str = Field(max_length=NAME, examples=["connect-four"])
    seats: list[SeatRequest] = Field(min_length=1, max_length=63)
    seed: int | None = Field(None, ge=0, lt=1 << 63)
    moves: str = Field("", max_length=MOVES, description="Moves to be made before anybody is asked.")
    paused: bool = False
    pause_seconds: float = Field(0.0, ge=0, le=60, description="How long agents wait before a move.")


class LoadRequest(_Request):
    """A match that was saved."""

    record: str = Field(max_length=2_000_000)
    game: str = Field("", max_length=NAME, description="The game, where the record does not name it.")


class MoveRequest(_Request):
    """A person's move."""

    key: str = Field(max_length=100)
    move: str = Field(max_length=1000, examples=["d"])
    ply: int | None = Field(None, ge=0, description="How many plies you have seen: a move that is late is refused.")


class KeyRequest(_Request):
    """Who asks: the key of a seat, where people play."""

    key: str = Field("", max_length=100)


class PaceRequest(KeyRequest):
    """How a match that is watched goes on; what is not said stays as it is."""

    paused: bool | None = None
    pause_seconds: float | None = Field(None, ge=0, le=60)


class HintRequest(KeyRequest):
    """Whom to ask for a hint."""

    agent: str = Field("uct", max_length=NAME)
    iterations: int | None = Field(None, gt=0)
    seconds: float | None = Field(None, gt=0)


class ThinkRequest(_Request):
    """A position, and whom to ask about it."""

    game: str = Field(max_length=NAME)
    moves: str = Field("", max_length=MOVES)
    role: str = Field("", max_length=100)
    agent: str = Field("uct", max_length=NAME)
    iterations: int | None = Field(None, gt=0)
    seconds: float | None = Field(None, gt=0)
    seed: int = Field(0, ge=0, lt=1 << 63)


class RulesRequest(_Request):
    """A file of rules."""

    name: str = Field(max_length=100, examples=["my-game.kif"])
    text: str = Field(max_length=600_000)


class PositionRequest(_Request):
    """A position: a game and the moves so far."""

    game: str = Field(max_length=NAME)
    moves: str = Field("", max_length=MOVES)
    seed: int = Field(0, ge=0, lt=1 << 63)


class TournamentRequest(_Request):
    """A tournament of all agents against each other."""

    games: list[str] = Field(min_length=1, max_length=50)
    agents: list[str] = Field(min_length=2, max_length=30)
    games_per_pair: int = Field(10, ge=1, le=1000)
    iterations: int = Field(200, ge=1, le=1_000_000)
