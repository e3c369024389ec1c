"""Connect Four as one would write it first: a list per column, a look along every line. Slow and plain."""

COLUMNS, ROWS = 7, 6
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class ConnectFour:
    def __init__(self):
        self.columns = [[] for _ in range(COLUMNS)]
        self.turn = 0
        self.winner = None

    @property
    def over(self):
        return self.winner is not None or not self.moves()

    def moves(self):
        return ["abcdefg"[x] for x in range(COLUMNS) if len(self.columns[x]) < ROWS]

    def legal(self):
        return [] if self.over else self.moves()

    def apply(self, move):
        x = "abcdefg".index(move)
        y = len(self.columns[x])
        self.columns[x].append(self.turn)
        if any(self._run(x, y, dx, dy) + self._run(x, y, -dx, -dy) - 1 >= 4 for dx, dy in DIRECTIONS):
            self.winner = self.turn
        self.turn = 1 - self.turn

    def copy(self):
        other = ConnectFour()
        other.columns = [list(column) for column in self.columns]
        other.turn, other.winner = self.turn, self.winner
        return other

    def picture(self):
        cells = [["XO"[c[y]] if y < len(c) else "." for c in self.columns] for y in reversed(range(ROWS))]
        rows = [" ".join(row) for row in cells]
        return "\n".join([*rows, "a b c d e f g"])

    def _run(self, x, y, dx, dy):
        length = 0
        while 0 <= x < COLUMNS and 0 <= y < len(self.columns[x]) and self.columns[x][y] == self.turn:
            length, x, y = length + 1, x + dx, y + dy
        return length
