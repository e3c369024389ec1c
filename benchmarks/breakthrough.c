/* Breakthrough 8x8 and its random playout, translated by hand from ludarium.games.breakthrough: the same layout,
   the same steps, the same draws, so the same number of plies. */

#include <string.h>

#include "stream.h"

enum { WIDTH = 8, HEIGHT = 8 };

#define ROW UINT64_C(0xFF)
#define FAR (ROW << (WIDTH * (HEIGHT - 1)))
#define BOARD UINT64_MAX
#define LEFT_COLUMN UINT64_C(0x0101010101010101)
#define NOT_LEFT (BOARD ^ LEFT_COLUMN)
#define NOT_RIGHT (BOARD ^ (LEFT_COLUMN << (WIDTH - 1)))

typedef struct {
    uint64_t pieces[2];
    uint8_t turn;
    uint8_t winner;
} State;

static uint64_t ahead(uint64_t pieces, int64_t role, int64_t aside) {
    return role == 0 ? (pieces << (WIDTH + aside)) & BOARD : pieces >> (WIDTH - aside);
}

static int64_t playout(State *state, Stream *rng, int64_t limit) {
    int64_t role = state->turn;
    uint64_t mine = state->pieces[role];
    uint64_t theirs = state->pieces[1 - role];
    int64_t plies = 0;
    while (plies < limit && state->winner == 0) {
        uint64_t left = ahead(mine & NOT_LEFT, role, -1) & ~mine;
        uint64_t straight = ahead(mine, role, 0) & ~(mine | theirs);
        uint64_t right = ahead(mine & NOT_RIGHT, role, 1) & ~mine;
        int64_t first = __builtin_popcountll(left);
        int64_t second = first + __builtin_popcountll(straight);
        int64_t n = below(rng, second + __builtin_popcountll(right));
        uint64_t targets = n >= second ? right : n >= first ? straight : left;
        int64_t aside = (n >= second ? 1 : 0) - (n < first ? 1 : 0);
        n -= n >= second ? second : n >= first ? first : 0;
        for (int64_t i = 0; i < n; i++) {
            targets &= targets - 1;
        }
        uint64_t to = targets & (0 - targets);
        mine ^= to | ahead(to, 1 - role, -aside);
        theirs &= ~to;
        if ((to & (ROW | FAR)) != 0 || theirs == 0) {
            state->winner = (uint8_t)(role + 1);
        }
        uint64_t swap = mine;
        mine = theirs;
        theirs = swap;
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
