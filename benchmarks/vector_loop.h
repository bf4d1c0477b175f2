#pragma once
// What loops by hand say to either compiler: their iterations are independent, so they are made vectors.

#ifdef __clang__
#define VECTOR_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define VECTOR_LOOP _Pragma("GCC ivdep")
#endif
