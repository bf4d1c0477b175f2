// The services of the runtime under Halide's names: setters, tasks with semaphores, locks, traces in files, features.

#include "fluorite/compat/HalideRuntime.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace services_test {

std::string printed, reported;
size_t asked_bytes = 0;
int frees = 0;
std::atomic<int> loops{0}, tasks{0};

TEST(Services, AProgramsAllocatorIsAskedForThePaddingOfVectors) {
    alignas(128) static unsigned char block[1024];
    halide_set_custom_malloc([](void *, size_t bytes) -> void * { return asked_bytes = bytes, block; });
    halide_set_custom_free([](void *, void *) { frees++; });
    void *given = fluorite_malloc(nullptr, 100);
    fluorite_free(nullptr, given);
    halide_set_custom_malloc(nullptr);
    halide_set_custom_free(nullptr);
    EXPECT_EQ(given, block);
    EXPECT_EQ(asked_bytes, 228U);
    EXPECT_EQ(frees, 1);
}

TEST(Services, HandlersAreToldOfFailuresAndTexts) {
    halide_set_error_handler([](void *, const char *text) { reported = text; });
    halide_set_custom_print([](void *, const char *text) { printed += text; });
    const int code = halide_error_param_too_small_i64(nullptr, "gain", -3, 0);
    halide_set_error_handler(nullptr);
    const int was_on = fluorite_print_errors(1);
    halide_error(nullptr, "of the program");
    fluorite_print_errors(was_on);
    halide_set_custom_print(nullptr);
    EXPECT_EQ(code, halide_error_code_param_too_small);
    EXPECT_EQ(reported, "in gain: the parameter is -3; its range starts at 0; pass a value of 0 or more "
                        "[param-too-small]");
    EXPECT_EQ(printed, "Error: of the program\n");
    EXPECT_EQ(fluorite_last_error_code(), halide_error_code_generic_error);
    fluorite_clear_error();
}

int count_task(void *, int, uint8_t *closure) {
    reinterpret_cast<std::atomic<int> *>(closure)->fetch_add(1);
    return 0;
}

TEST(Services, AProgramRunsLoopsAndTheirIterations) {
    std::atomic<int> runs{0};
    auto *closure = reinterpret_cast<uint8_t *>(&runs);
    halide_set_custom_do_task([](void *context, halide_task_t task, int index, uint8_t *its) {
        tasks++;
        return task(context, index, its);
    });
    EXPECT_EQ(fluorite_do_par_for(nullptr, count_task, 0, 50, closure, "y"), 0);
    EXPECT_EQ(tasks, 50);
    halide_set_custom_do_par_for([](void *context, halide_task_t task, int min, int size, uint8_t *its) {
        loops++;
        return halide_default_do_par_for(context, task, min, size, its);
    });
    EXPECT_EQ(fluorite_do_par_for(nullptr, count_task, 0, 7, closure, "y"), 0);
    halide_set_custom_parallel_runtime(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    EXPECT_EQ(halide_do_par_for(nullptr, count_task, 0, 3, closure), 0);
    EXPECT_EQ(loops, 1);
    EXPECT_EQ(tasks, 57);
    EXPECT_EQ(runs, 60);
}

struct Stages {
    halide_semaphore_t ready;
    std::vector<int> values;
    int sum = 0, fail_at = -1;
};

int produce(void *, int min, int, uint8_t *closure, void *) {
    auto &stages = *reinterpret_cast<Stages *>(closure);
    if (min == stages.fail_at) {
        return halide_error_code_generic_error;
    }
    stages.values[static_cast<size_t>(min)] = min + 1;
    halide_semaphore_release(&stages.ready, 1);
    return 0;
}
int consume(void *, int min, int, uint8_t *closure, void *) {
    auto &stages = *reinterpret_cast<Stages *>(closure);
    stages.sum += stages.values[static_cast<size_t>(min)];
    return 0;
}

int run_stages(Stages &stages, int size) {
    stages.values.resize(static_cast<size_t>(size));
    halide_semaphore_init(&stages.ready, 0);
    halide_semaphore_acquire_t one = {&stages.ready, 1};
    auto *closure = reinterpret_cast<uint8_t *>(&stages);
    halide_parallel_task_t both[] = {{consume, closure, "consume", &one, 1, 0, size, 1, true},
                                     {produce, closure, "produce", nullptr, 0, 0, size, 1, true}};
    return halide_do_parallel_tasks(nullptr, 2, both, nullptr);
}

TEST(Services, TasksWaitForEachOther) {
    for (int size : {1, 2, 17, 300}) {
        Stages stages{};
        EXPECT_EQ(run_stages(stages, size), 0);
        EXPECT_EQ(stages.sum, size * (size + 1) / 2);
    }
}

TEST(Services, ATaskThatFailsAtAnyIterationEndsTheOthers) {
    for (int at = 0; at < 9; at++) {
        Stages stages{};
        stages.fail_at = at;
        EXPECT_EQ(run_stages(stages, 9), halide_error_code_generic_error);
        EXPECT_LE(stages.sum, at * (at + 1) / 2);
    }
}

struct Counter {
    halide_mutex mutex = {{0}};
    halide_cond changed = {{0}};
    int count = 0;
};

TEST(Services, MutexesAndConditionsOrderThreads) {
    Counter counter;
    const auto add = [](void *closure) {
        auto &its = *static_cast<Counter *>(closure);
        for (int i = 0; i < 1000; i++) {
            halide_mutex_lock(&its.mutex);
            its.count++;
            halide_cond_broadcast(&its.changed);
            halide_mutex_unlock(&its.mutex);
        }
    };
    halide_thread *a = halide_spawn_thread(add, &counter), *b = halide_spawn_thread(add, &counter);
    halide_mutex_lock(&counter.mutex);
    while (counter.count < 2000) {
        halide_cond_wait(&counter.changed, &counter.mutex);
    }
    halide_mutex_unlock(&counter.mutex);
    halide_join_thread(a);
    halide_join_thread(b);
    halide_mutex_array *array = halide_mutex_array_create(3);
    EXPECT_EQ(halide_mutex_array_lock(array, 2) + halide_mutex_array_unlock(array, 2), 0);
    halide_mutex_array_destroy(nullptr, array);
    EXPECT_EQ(counter.count, 2000);
}

halide_trace_event_t store_event(int32_t *coordinates, uint16_t *values) {
    halide_trace_event_t event = {};
    event.func = "blur";
    event.value = values;
    event.coordinates = coordinates;
    event.trace_tag = "a";
    event.type = halide_type_t(halide_type_uint, 16, 2);
    event.event = halide_trace_store;
    event.parent_id = 5;
    event.dimensions = 4;
    return event;
}

TEST(Services, EventsAreWrittenAsPackets) {
    int32_t coordinates[] = {1, 2, 7, 7};
    uint16_t values[] = {300, 301};
    const halide_trace_event_t event = store_event(coordinates, values);
    const int file = open("trace.bin", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    halide_set_trace_file(file);
    const int32_t first = halide_trace(nullptr, &event), second = fluorite_trace(nullptr, &event);
    halide_set_trace_file(0);
    close(file);
    std::ifstream stream("trace.bin", std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(stream)), {});
    ASSERT_EQ(bytes.size(), 2 * 56U);
    std::vector<int32_t> words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    const auto *packet = reinterpret_cast<const halide_trace_packet_t *>(words.data());
    EXPECT_EQ(packet->size, 56U);
    EXPECT_EQ(packet->id, first);
    EXPECT_EQ(packet->type, event.type);
    EXPECT_EQ(packet->event, halide_trace_store);
    EXPECT_EQ(packet->parent_id, 5);
    EXPECT_EQ(std::vector<int>(packet->coordinates(), packet->coordinates() + 4), std::vector<int>({1, 2, 7, 7}));
    EXPECT_EQ(std::memcmp(packet->value(), values, sizeof(values)), 0);
    EXPECT_STREQ(packet->func(), "blur");
    EXPECT_STREQ(packet->trace_tag(), "a");
    EXPECT_EQ(words[14 + 1], second);
}

TEST(Services, AFileThatCannotBeWrittenIsReported) {
    int32_t coordinates[] = {1, 2, 7, 7};
    uint16_t values[] = {300, 301};
    const halide_trace_event_t event = store_event(coordinates, values);
    halide_set_error_handler([](void *, const char *text) { reported = text; });
    halide_set_trace_file(1000000);
    halide_trace(nullptr, &event);
    halide_set_trace_file(0);
    halide_set_error_handler(nullptr);
    EXPECT_EQ(reported,
              "in a trace: an event cannot be written to the file; it must be open for writing, on a disk with "
              "space; give another one [trace-failed]");
}

TEST(Services, FeaturesAreAskedForByNumber) {
    const uint64_t none[2] = {}, avx2[2] = {uint64_t{1} << halide_target_feature_avx2, 0};
    const uint64_t of_code[2] = {uint64_t{1} << halide_target_feature_no_asserts, 0};
    EXPECT_EQ(halide_can_use_target_features(2, none), 1);
    EXPECT_EQ(halide_can_use_target_features(2, of_code), 1);
    halide_set_custom_can_use_target_features(
        [](int count, const uint64_t *bits) { return count > 0 && bits[0] >> halide_target_feature_avx2 & 1 ? 7 : 0; });
    EXPECT_EQ(halide_can_use_target_features(2, avx2), 7);
    halide_set_custom_can_use_target_features(nullptr);
}

TEST(Services, LibrariesAreTheProgramsToGive) {
    EXPECT_NE(halide_get_symbol("malloc"), nullptr);
    halide_set_custom_load_library([](const char *name) -> void * { return const_cast<char *>(name); });
    static const char name[] = "driver";
    EXPECT_EQ(halide_load_library(name), name);
    halide_set_custom_load_library(nullptr);
    EXPECT_EQ(halide_load_library("/no/such/library"), nullptr);
    EXPECT_EQ(halide_profiler_get_pipeline_state("f"), nullptr);
    EXPECT_EQ(halide_float16_bits_to_float(0x3e00), 1.5F);
}

} // namespace services_test
