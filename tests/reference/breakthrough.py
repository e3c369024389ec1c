"""Breakthrough as one would write it first: a dictionary from cells to sides. Slow and plain."""


class Breakthrough:
    def __init__(self, width=8, height=8):
        self.width, self.height = width, height
        rows = {0: 0, 1: 0, height - 2: 1, height - 1: 1}
        self.board = {(x, y): side for y, side in rows.items() for x in range(width)}
        self.turn = 0
        self.winner = None

    @property
    def over(self):
        return self.winner is not None

    def legal(self):
        if self.over:
            return []
        moves = []
        for (x, y), side in self.board.items():
            if side == self.turn:
                moves += [_name(x, y) + _name(*to) for to in self._targets(x, y)]
        return sorted(moves)

    def apply(self, move):
        start, end = _cell(move[:2]), _cell(move[2:])
        self.board[end] = self.board.pop(start)
        if end[1] == (self.height - 1 if self.turn == 0 else 0) or len(set(self.board.values())) == 1:
            self.winner = self.turn
        self.turn = 1 - self.turn

    def copy(self):
        other = Breakthrough(self.width, self.height)
        other.board, other.turn, other.winner = dict(self.board), self.turn, self.winner
        return other

    def picture(self):
        rows = []
        for y in reversed(range(self.height)):
            cells = [{0: "X", 1: "O", None: "."}[self.board.get((x, y))] for x in range(self.width)]
            rows.append(f"{y + 1} {' '.join(cells)}")
        return "\n".join([*rows, "  " + " ".join("abcdefgh"[: self.width])])

    def _targets(self, x, y):
        ahead = y + (1 if self.turn == 0 else -1)
        for to in (x - 1, x, x + 1):
            if not (0 <= to < self.width and 0 <= ahead < self.height):
                continue
            taken = self.board.get((to, ahead))
            if taken is None or (taken != self.turn and to != x):
                yield to, ahead


def _name(x, y):
    return f"{'abcdefgh'[x]}{y + 1}"


def _cell(name):
    return "abcdefgh".index(name[0]), int(name[1]) - 1
