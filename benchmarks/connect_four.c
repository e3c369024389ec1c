/* Connect Four and the general random playout, translated by hand from ludarium.games.connect_four and
   ludarium.kernel.table: the same layout, the same steps, the same draws, so the same number of plies. Left out
   is what C does not do: the tests that a mover has a move and that a list of moves has room. */

#include <stdbool.h>
#include <string.h>

#include "stream.h"

enum { COLUMNS = 7, ROWS = 6, STRIDE = ROWS + 1, ROLES = 2 };

typedef struct {
    uint64_t discs[2];
    uint8_t height[COLUMNS];
    uint8_t plies;
    uint8_t winner;
} State;

static int64_t movers(const State *state) {
    if (state->winner != 0 || state->plies == COLUMNS * ROWS) {
        return 0;
    }
    return (int64_t)1 << (state->plies & 1);
}

static int64_t legal(const State *state, int64_t role, uint64_t *out) {
    (void)role;
    int64_t count = 0;
    for (int64_t column = 0; column < COLUMNS; column++) {
        if (state->height[column] < ROWS) {
            out[count] = (uint64_t)column;
            count += 1;
        }
    }
    return count;
}

static bool has_line(uint64_t discs) {
    uint64_t a = discs & (discs >> 1);
    uint64_t b = discs & (discs >> STRIDE);
    uint64_t c = discs & (discs >> (STRIDE - 1));
    uint64_t d = discs & (discs >> (STRIDE + 1));
    uint64_t lines = (a & (a >> 2)) | (b & (b >> (2 * STRIDE))) | (c & (c >> (2 * STRIDE - 2)))
        | (d & (d >> (2 * STRIDE + 2)));
    return lines != 0;
}

static void apply(State *state, const uint64_t *joint) {
    int64_t side = state->plies & 1;
    int64_t column = (int64_t)joint[side];
    uint64_t mine = state->discs[side] | ((uint64_t)1 << (column * STRIDE + state->height[column]));
    state->discs[side] = mine;
    state->height[column] += 1;
    state->plies += 1;
    if (has_line(mine)) {
        state->winner = (uint8_t)(side + 1);
    }
}

static int64_t playout(State *state, Stream *rng, int64_t limit) {
    uint64_t moves[COLUMNS];
    uint64_t joint[ROLES] = {0, 0};
    int64_t plies = 0;
    while (plies < limit) {
        int64_t acting = movers(state);
        if (acting == 0) {
            break;
        }
        int64_t first = __builtin_ctzll((uint64_t)acting);
        if (acting == (int64_t)1 << first) {
            joint[first] = moves[below(rng, legal(state, first, moves))];
            apply(state, joint);
            joint[first] = 0;
        } else {
            for (int64_t role = 0; role < ROLES; role++) {
                joint[role] = 0;
                if (((acting >> role) & 1) == 1) {
                    joint[role] = moves[below(rng, legal(state, role, moves))];
                }
            }
            apply(state, joint);
            for (int64_t role = 0; role < ROLES; role++) {
                joint[role] = 0;
            }
        }
        plies += 1;
    }
    return plies;
}

int64_t playouts(const State *start, State *state, Stream *rng, int64_t count) {
    int64_t (*volatile through)(State *, Stream *, int64_t) = playout; /* as through a game table */
    int64_t plies = 0;
    for (int64_t i = 0; i < count; i++) {
        memcpy(state, start, sizeof(State));
        plies += through(state, rng, 1000);
    }
    return plies;
}
