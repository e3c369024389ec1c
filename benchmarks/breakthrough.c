/* Breakthrough 8x8 and its random playout, translated by hand from ludarium.games.breakthrough: the same layout,
   the same steps, the same draws, so the same number of plies. */

#include <string.h>

#include "stream.h"

enum { WIDTH = 8, HEIGHT = 8 };

#define FULL UINT64_MAX
#define FILE_A UINT64_C(0x0101010101010101)
#define NOT_FIRST (FULL & ~FILE_A)
#define NOT_LAST (FULL & ~(FILE_A << (WIDTH - 1)))
#define GOAL UINT64_C(0xFF000000000000FF)

typedef struct {
    uint64_t pieces[2];
    uint8_t turn;
    uint8_t winner;
} State;

static uint64_t ahead(uint64_t pieces, int64_t role, int64_t step) {
    if (role == 0) {
        return (pieces << (WIDTH + step)) & FULL;
    }
    return pieces >> (WIDTH - step);
}

static uint64_t nth(uint64_t bits, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        bits &= bits - 1;
    }
    return bits & (0 - bits);
}

static int64_t playout(State *state, Stream *rng, int64_t limit) {
    int64_t role = state->turn;
    uint64_t mine = state->pieces[role];
    uint64_t theirs = state->pieces[1 - role];
    int64_t plies = 0;
    while (plies < limit && state->winner == 0) {
        uint64_t left = ahead(mine & NOT_FIRST, role, -1) & ~mine;
        uint64_t straight = ahead(mine, role, 0) & ~(mine | theirs);
        uint64_t right = ahead(mine & NOT_LAST, role, 1) & ~mine;
        int64_t lefts = __builtin_popcountll(left);
        int64_t straights = __builtin_popcountll(straight) + lefts;
        int64_t n = below(rng, straights + __builtin_popcountll(right));
        uint64_t to = right;
        int64_t side = 1;
        if (n < lefts) {
            to = left;
            side = -1;
        } else if (n < straights) {
            to = straight;
            side = 0;
            n -= lefts;
        } else {
            n -= straights;
        }
        to = nth(to, n);
        uint64_t back = ahead(to, 1 - role, -side);
        mine ^= to | back;
        theirs &= ~to;
        if ((to & GOAL) != 0 || theirs == 0) {
            state->winner = (uint8_t)(role + 1);
        }
        uint64_t other = mine;
        mine = theirs;
        theirs = other;
        role = 1 - role;
        plies += 1;
    }
    state->turn = (uint8_t)role;
    state->pieces[role] = mine;
    state->pieces[1 - role] = theirs;
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
