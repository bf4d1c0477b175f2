// Lesson 14: schedules that nobody writes.
//
// auto_schedule() finds what a person would write: which functions are inlined, which are computed together and in
// tiles of which size, what slides, what stays in registers, and what runs as vectors and tasks. It compares costs
// under a model of the processor, so it has to know how large the results will be; the code is right for all other
// sizes, too. What it finds is a schedule like any other: directives that can be read, saved, changed and applied
// again.

#include "lesson.h"

#include <iostream>

using namespace fluorite;
using lesson::check;

static Var x("x"), y("y"), c("c");

// Three stages: a blur across, one down, and what it took away put back. The picture's edge is repeated, so values
// beyond the end of the output may be computed: a whole vector is faster than one that ends with conditions.
struct Sharpen {
    Func across{"across"}, down{"down"}, sharp{"sharp"};

    explicit Sharpen(const Buffer<float> &picture) {
        const Func source = BoundaryConditions::repeat_edge(picture);
        across(x, y) = (source(x - 1, y) + source(x, y) + source(x + 1, y)) / 3;
        down(x, y) = (across(x, y - 1) + across(x, y) + across(x, y + 1)) / 3;
        sharp(x, y) = 2 * source(x, y) - sqrt(down(x, y) * down(x, y) + down(x, y - 2) * down(x, y + 2)) * 0.5f;
    }
};

static Buffer<float> picture_of(int width, int height) {
    const Buffer<uint8_t, 3> sample = lesson::sample_picture(width, height);
    Buffer<float> picture(width, height);
    picture.fill([&](int i, int j) { return static_cast<float>(sample(i, j, 1)) / 255; });
    return picture;
}

// What the schedule is for: large pictures, one thread, and a processor with vectors of eight floats. Without a target
// it is the processor that realize() compiles for, and without `parallelism` all its threads.
static AutoScheduleOptions for_large_pictures() {
    AutoScheduleOptions options;
    options.sizes = {4096, 3072}; // of the output, innermost dimension first
    options.parallelism = 1;
    options.target = Target("x86-64-linux-avx2-fma");
    return options;
}

static bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

static bool is_same(const Buffer<float> &a, const Buffer<float> &b) {
    bool is_same = true;
    a.for_each_element([&](int i, int j) { is_same = is_same && a(i, j) == b(i, j); });
    return is_same;
}

// Groups and tiles. The stores of a small picture are recorded: dark blue first, over green to yellow last. With one
// thread, the first stages are cheap enough to be computed anew at each point, so that nothing is stored between them.
// For two threads and less to do, the picture is cut into strips of rows, one task each, so that the threads end
// together; in a strip, each stage keeps the few rows that the next one still reads, and what both sides of a cut need
// is computed twice. (The tasks run one after the other here, so that the colours have an order.)
static void groups_and_tiles(const std::string &folder, int threads) {
    const std::string name = threads == 1 ? "rows" : "strips";
    std::printf("groups and tiles: %s\n", name.c_str());
    const int width = 48, height = 90;
    const Buffer<float> picture = picture_of(width, height);
    const Buffer<float> plain = Sharpen(picture).sharp.realize({width, height});

    Sharpen program(picture);
    AutoScheduleOptions options = for_large_pictures();
    options.parallelism = threads;
    if (threads > 1) {
        options.sizes = {320, 240};
    }
    const AutoSchedule found = Pipeline(program.sharp).auto_schedule(options);
    std::cout << found.explanation << found.schedule.text();
    // With one thread, computing the first stages anew at each point may cost less than keeping their rows.
    const bool is_inlined = contains(found.explanation, "inlined: f0 repeat_edge across down");
    check(threads == 1 ? is_inlined || contains(found.explanation, "group of sharp: across down")
                       : contains(found.explanation, "group of sharp: across down"),
          "all three stages are one group");
    check(is_inlined || contains(found.explanation, "sliding along y"),
          "the rows of a stage are kept while the next one reads them, or nothing is stored");
    check(contains(found.schedule.text(), "sharp.parallel(") == (threads > 1), "strips are tasks of the threads");
    check(contains(found.explanation, is_inlined ? "tried: " : "next best: "),
          "the explanation says what would cost more");

    program.across.trace_stores();
    program.down.trace_stores();
    program.sharp.trace_stores();
    const int before = fluorite_set_num_threads(1);
    lesson::StoreRecorder recorder;
    const Buffer<float> sharp = program.sharp.realize({width, height});
    fluorite_set_num_threads(before);
    check(is_same(sharp, plain), "the values are those without a schedule");
    std::printf("  %d values of across for %d results\n", recorder.count("across"), width * height);
    check(recorder.count("across") < width * height * 3 / 2, "little of the first stage is computed twice");
    for (const char *stage : {"across", "down", "sharp"}) {
        lesson::save(recorder.draw(stage, width, height, 4), folder, "14_" + name + "_" + stage + ".png");
    }
}

// The result is a value. Applied to another pipeline with the same names, it computes the same.
static void a_schedule_is_found_once(const std::string &folder) {
    std::printf("a schedule is found once\n");
    const Buffer<float> picture = picture_of(50, 40);
    Sharpen first(picture), second(picture);
    const std::string path = folder + "/14_sharp.schedule";
    Pipeline(first.sharp).auto_schedule(for_large_pictures()).schedule.save(path);
    Pipeline(second.sharp).apply(Schedule::load(path));
    check(Pipeline(second.sharp).schedule() == Pipeline(first.sharp).schedule(), "the schedule of a file is the same");
    check(is_same(first.sharp.realize({50, 40}), second.sharp.realize({50, 40})), "and so are the values");
}

// What the program promises is used, and nothing else is assumed: three channels are unrolled only if there are always
// three.
static void promises() {
    std::printf("promises\n");
    AutoScheduleOptions options = for_large_pictures();
    options.sizes = {640, 480, 3};
    const Buffer<float> picture = picture_of(40, 30);
    for (const bool is_promised : {false, true}) {
        Func planes("planes");
        const Func source = BoundaryConditions::repeat_edge(picture);
        planes(x, y, c) = mux(c, {source(x, y), source(x + 1, y) * source(x, y), sqrt(source(x, y + 1))});
        if (is_promised) {
            planes.bound(c, 0, 3);
        }
        const std::string text = Pipeline(planes).auto_schedule(options).schedule.text();
        check(contains(text, "planes.unroll(c)") == is_promised,
              is_promised ? "promised channels are unrolled" : "channels that are not promised are a loop");
    }
}

// A Func with directives keeps them, and the others are scheduled around it.
static void parts_by_hand() {
    std::printf("parts by hand\n");
    const Buffer<float> picture = picture_of(64, 48);
    Sharpen program(picture);
    program.across.compute_root().vectorize(x, 8);
    const AutoSchedule found = Pipeline(program.sharp).auto_schedule(for_large_pictures());
    std::cout << found.explanation;
    check(contains(found.schedule.text(), "across.compute_root()\nacross.split(x, x, xv, 8)\nacross.vectorize(xv)\n"),
          "what was written stays as it is");
    check(contains(found.explanation, "group of sharp: ") && !contains(found.schedule.text(), "down.compute_root()"),
          "the others are one group");
    check(is_same(program.sharp.realize({64, 48}), Sharpen(picture).sharp.realize({64, 48})),
          "the values are the same");
}

// A schedule is made for sizes, and a place by hand must be in loops that exist.
static void mistakes() {
    std::printf("mistakes\n");
    const Buffer<float> picture = picture_of(32, 24);
    Sharpen program(picture);
    lesson::check_refused("auto-schedule-size", [&] { Pipeline(program.sharp).auto_schedule(); });
    program.sharp.set_estimates({{0, 4096}, {0, 3072}}); // instead of sizes
    program.down.compute_at(program.sharp, y);           // but which loops sharp has is to be found
    lesson::check_refused("auto-schedule-by-hand", [&] { Pipeline(program.sharp).auto_schedule(); });
    Pipeline(program.sharp).apply(Schedule()); // removes all directives
    program.sharp.set_estimates({{0, 4096}, {0, 3072}});
    check(!Pipeline(program.sharp).auto_schedule().explanation.empty(), "estimates are enough");
}

int main(int argc, char **argv) {
    const std::string folder = lesson::folder(argc, argv);
    groups_and_tiles(folder, 1);
    groups_and_tiles(folder, 2);
    a_schedule_is_found_once(folder);
    promises();
    parts_by_hand();
    mistakes();
    return lesson::result();
}
