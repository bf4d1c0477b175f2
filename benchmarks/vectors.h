#pragma once
// Vectors of floats for C by hand, as wide as the registers of the processor that the program is compiled for. Clang
// and GCC share the type and its operators; an expression of scalars is one of vectors, too.

#if defined(__AVX512F__)
enum { vector_lanes = 16 };
#elif defined(__AVX__)
enum { vector_lanes = 8 };
#else
enum { vector_lanes = 4 };
#endif
typedef float Vector __attribute__((vector_size(vector_lanes * sizeof(float))));

/// Elements from any address on.
inline Vector load_vector(const float *from) {
    typedef float Unaligned __attribute__((vector_size(sizeof(Vector)), aligned(sizeof(float)), may_alias));
    return *reinterpret_cast<const Unaligned *>(from);
}

/// A store past the caches, to an address that is a multiple of the vector's size.
inline void stream_vector(float *to, Vector value) {
#ifdef __clang__
    __builtin_nontemporal_store(value, reinterpret_cast<Vector *>(to));
#elif defined(__AVX512F__)
    __builtin_ia32_movntps512(to, value);
#elif defined(__AVX__)
    __builtin_ia32_movntps256(to, value);
#elif defined(__SSE__)
    __builtin_ia32_movntps(to, value);
#else
    *reinterpret_cast<Vector *>(to) = value;
#endif
}

/// Stores value(x) past the caches for vectors from x = begin on, whose address must be aligned; returns the first x
/// that is left.
template <typename Value> int stream_vectors(float *out, int begin, int end, const Value &value) {
    for (; begin + vector_lanes <= end; begin += vector_lanes) {
        stream_vector(out + begin, value(begin));
    }
    return begin;
}
