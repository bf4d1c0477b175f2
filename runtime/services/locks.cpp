// Mutexes and conditions that begin as zeros, under Halide's names.
//
// Method: the first 32 bits of a mutex are 0 if it is free, 1 if it is locked, and 2 if someone sleeps on it; those of
// a condition count its signals, so that a waiter sees a signal that comes between its unlocking and its sleep.
//
// Relies on: std::atomic_ref::wait. Does not do: fairness, timeouts. Cost: some 10 ns for a free mutex.

#include "fluorite/compat/HalideRuntime.h"

#include <atomic>
#include <cstddef>
#include <new>

struct halide_mutex_array {
    halide_mutex *mutexes;
};

namespace {
std::atomic_ref<uint32_t> word_of(uintptr_t *word) {
    return std::atomic_ref<uint32_t>(*reinterpret_cast<uint32_t *>(word));
}
} // namespace

extern "C" {

void halide_mutex_lock(halide_mutex *mutex) {
    const std::atomic_ref<uint32_t> word = word_of(mutex->_private);
    uint32_t seen = 0;
    if (word.compare_exchange_strong(seen, 1)) {
        return;
    }
    while (word.exchange(2) != 0) {
        word.wait(2);
    }
}
void halide_mutex_unlock(halide_mutex *mutex) {
    const std::atomic_ref<uint32_t> word = word_of(mutex->_private);
    if (word.exchange(0) == 2) {
        word.notify_one();
    }
}

void halide_cond_wait(halide_cond *condition, halide_mutex *mutex) {
    const std::atomic_ref<uint32_t> word = word_of(condition->_private);
    const uint32_t seen = word.load();
    halide_mutex_unlock(mutex);
    word.wait(seen);
    halide_mutex_lock(mutex);
}
void halide_cond_signal(halide_cond *condition) {
    const std::atomic_ref<uint32_t> word = word_of(condition->_private);
    word.fetch_add(1);
    word.notify_one();
}
void halide_cond_broadcast(halide_cond *condition) {
    const std::atomic_ref<uint32_t> word = word_of(condition->_private);
    word.fetch_add(1);
    word.notify_all();
}

halide_mutex_array *halide_mutex_array_create(uint64_t size) {
    auto *array = new (std::nothrow) halide_mutex_array;
    halide_mutex *mutexes = array != nullptr ? new (std::nothrow) halide_mutex[size]() : nullptr;
    if (mutexes == nullptr) {
        delete array;
        return nullptr;
    }
    array->mutexes = mutexes;
    return array;
}
void halide_mutex_array_destroy(void *, void *array) {
    auto *its = static_cast<halide_mutex_array *>(array);
    if (its != nullptr) {
        delete[] its->mutexes;
        delete its;
    }
}
int halide_mutex_array_lock(halide_mutex_array *array, int entry) {
    halide_mutex_lock(&array->mutexes[entry]);
    return 0;
}
int halide_mutex_array_unlock(halide_mutex_array *array, int entry) {
    halide_mutex_unlock(&array->mutexes[entry]);
    return 0;
}
}
