// Lesson 6: where a producer is computed and stored.
//
// When one function reads another, three things compete: doing work only once, keeping values near their use, and doing
// things at the same time. The schedule places the producer in the consumer's loops: inline (recomputed at each use),
// at root (all of it first), at a loop of the consumer (piece by piece), and its memory there or further out (so that
// pieces share what overlaps). This lesson counts the work and the memory of each for a two-stage blur.

#include "lesson.h"

#include <algorithm>
#include <functional>
#include <iostream>

using namespace fluorite;
using lesson::check;

static const int width = 24, height = 16;
static Var x("x"), y("y"), xi("xi"), yi("yi");

struct Cost {
    int work = 0;       // values of the producer that were computed
    int memory = 0;     // most values of the producer that were kept at a time
    int first_read = 0; // stores of the producer before the consumer's first
};

// The largest realization of the producer, seen through the trace's begin-realization events.
static int largest_realization = 0;
static int32_t watch_realizations(void *, const fluorite_trace_event_t *event) {
    static int32_t id = 0;
    if (event->event == fluorite_trace_begin_realization) {
        int size = 1;
        for (int d = 0; d < event->dimensions; d += 2) { // min, extent of each dimension
            size *= event->coordinates[d + 1];
        }
        largest_realization = std::max(largest_realization, size);
    }
    return ++id;
}

static int measure_memory(const std::function<void(Func &, Func &)> &schedule, Func &producer, Func &consumer) {
    producer.trace_realizations();
    schedule(producer, consumer);
    largest_realization = 0;
    const fluorite_trace_t previous = fluorite_set_custom_trace(watch_realizations);
    consumer.realize({width, height});
    fluorite_set_custom_trace(previous);
    return largest_realization;
}

// producer(x, y) = sine waves; consumer = the mean of three producer values above each other.
static void define(Func &producer, Func &consumer) {
    producer(x, y) = cast<int32_t>(100 * sin(cast<float>(x * y) * 0.05f));
    consumer(x, y) = (producer(x, y - 1) + producer(x, y) + producer(x, y + 1)) / 3;
}

static int expected(int i, int j) {
    int sum = 0;
    for (int row = j - 1; row <= j + 1; row++) {
        sum += static_cast<int>(100 * std::sin(static_cast<float>(i * row) * 0.05f));
    }
    return sum >= 0 ? sum / 3 : -((2 - sum) / 3); // rounds down
}

static Cost run(const std::string &name, const std::string &folder,
                const std::function<void(Func &, Func &)> &schedule) {
    std::printf("%s\n", name.c_str());
    Cost cost;
    {
        Func producer("producer"), consumer("consumer");
        define(producer, consumer);
        cost.memory = measure_memory(schedule, producer, consumer);
    }
    Func producer("producer"), consumer("consumer");
    define(producer, consumer);
    schedule(producer, consumer);
    producer.trace_stores();
    consumer.trace_stores();
    std::cout << consumer.loop_nest();

    lesson::StoreRecorder recorder;
    Buffer<int32_t> output = consumer.realize({width, height});
    bool right = true;
    output.for_each_element([&](int i, int j) { right = right && output(i, j) == expected(i, j); });
    check(right, "the values are the same");

    cost.work = recorder.count("producer");
    for (const auto &store : recorder.stores()) {
        if (store.func == "consumer") {
            break;
        }
        cost.first_read++;
    }
    std::printf("  %d values computed, at most %d kept, %d before the first result\n", cost.work, cost.memory,
                cost.first_read);
    if (cost.work > 0) {
        lesson::save(recorder.draw("producer", width, height, 10), folder, "06_" + name + "_producer.png");
    }
    lesson::save(recorder.draw("consumer", width, height, 10), folder, "06_" + name + "_consumer.png");
    return cost;
}

// Inline, the default: the producer has no memory of its own; its formula stands where it is called, here three times.
static void inlined(const std::string &folder) {
    const Cost cost = run("inline", folder, [](Func &, Func &) {});
    check(cost.work == 0 && cost.memory == 0, "nothing is stored: everything is computed three times");
}

// At root: all of the producer, then all of the consumer. No work twice, all values in memory, far from their use.
static void at_root(const std::string &folder) {
    const Cost cost = run("root", folder, [](Func &producer, Func &) { producer.compute_root(); });
    check(cost.work == width * (height + 2), "each value is computed once; there are two rows more than results");
    check(cost.memory == width * (height + 2) && cost.first_read == cost.work, "all are kept before the first result");
}

// At the consumer's rows: three rows of the producer for each row of results; near, but two of them again and again.
static void at_rows(const std::string &folder) {
    const Cost cost = run("at_y", folder, [](Func &producer, Func &consumer) { producer.compute_at(consumer, y); });
    check(cost.work == 3 * width * height, "three rows for each row");
    check(cost.memory <= 4 * width, "three rows are kept");
}

// Computed at the rows, but stored at root: a row finds the rows of its predecessor still there, and only one new row
// is needed (a sliding window). The least work and, once storage is folded, little memory; but rows must run in order.
static void sliding(const std::string &folder) {
    const Cost cost = run("store_root", folder,
                          [](Func &producer, Func &consumer) { producer.store_root().compute_at(consumer, y); });
    check(cost.work <= 3 * width * height, "never more work than without");
    check(cost.first_read <= 3 * width, "the first result needs three rows only");
}

// At tiles: independent pieces that fit the cache. Only the tiles' borders are computed twice.
static void at_tiles(const std::string &folder) {
    const Cost cost = run("tiles", folder, [](Func &producer, Func &consumer) {
        consumer.tile(x, y, xi, yi, 8, 8);
        producer.compute_at(consumer, x);
    });
    check(cost.work == 6 * 8 * 10, "six tiles of 8 x 8 need 8 x 10 values each");
    check(cost.memory <= 8 * 16, "a tile's worth is kept");
}

// A place must lie inside a Func that uses the producer, and must enclose all uses.
static void mistakes() {
    std::printf("mistakes\n");
    Func producer("producer"), consumer("consumer"), stranger("stranger"), output("output");
    define(producer, consumer);
    stranger(x, y) = x;
    producer.compute_at(stranger, y);
    lesson::check_refused("unknown-consumer", [&] { consumer.realize({width, height}); });

    output(x, y) = consumer(x, y) + producer(x, y); // a second use, outside the loops over the consumer
    consumer.compute_root();
    producer.compute_at(consumer, y);
    lesson::check_refused("compute-at-outside-consumer", [&] { output.realize({width, height}); });
}

int main(int argc, char **argv) {
    const std::string folder = lesson::folder(argc, argv);
    inlined(folder);
    at_root(folder);
    at_rows(folder);
    sliding(folder);
    at_tiles(folder);
    mistakes();
    return lesson::result();
}
