#pragma once
/* The elements of the inputs that generate.cpp and caller.c use. C99 and C++. */

#include <stdint.h>
#include <string.h>

/* Sets element `index` of dense memory: whole numbers over all bits, floats of [base, base + spread). */
static inline void set_element(void *memory, int64_t index, int is_float, int bits, double base, double spread) {
    const uint32_t mixed = (uint32_t)index * 2654435761u + 12345u;
    const uint32_t value = mixed ^ (mixed >> 15);
    const double wide = base + spread * (double)(value % 1000u) / 1000.0;
    const float single = (float)wide;
    const uint64_t whole = ((uint64_t)value << 32) | (value * 3u);
    char *at = (char *)memory + index * ((bits + 7) / 8);
    if (is_float) {
        memcpy(at, bits == 32 ? (const void *)&single : (const void *)&wide, (size_t)bits / 8);
    } else {
        const uint8_t bit = (uint8_t)(whole & 1u);
        memcpy(at, bits == 1 ? (const void *)&bit : (const void *)&whole, ((size_t)bits + 7) / 8);
    }
}
