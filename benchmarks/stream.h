/* xoshiro256** and Lemire's bounded numbers, as in ludarium.kernel.random. */

#include <stdint.h>

typedef struct {
    uint64_t words[4];
} Stream;

static inline uint64_t draw(Stream *rng) {
    uint64_t *w = rng->words;
    uint64_t scaled = w[1] * 5;
    uint64_t result = ((scaled << 7) | (scaled >> 57)) * 9;
    uint64_t shifted = w[1] << 17;
    w[2] ^= w[0];
    w[3] ^= w[1];
    w[1] ^= w[2];
    w[0] ^= w[3];
    w[2] ^= shifted;
    w[3] = (w[3] << 45) | (w[3] >> 19);
    return result;
}

static inline int64_t below(Stream *rng, int64_t count) {
    uint64_t n = (uint64_t)count;
    unsigned __int128 product = (unsigned __int128)draw(rng) * n;
    if ((uint64_t)product < n) {
        uint64_t least = (0 - n) % n;
        while ((uint64_t)product < least) {
            product = (unsigned __int128)draw(rng) * n;
        }
    }
    return (int64_t)(product >> 64);
}
