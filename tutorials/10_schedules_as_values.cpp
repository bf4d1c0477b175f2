// Lesson 10: schedules as values.
//
// A schedule is more than calls in a program: it is a value. It can be printed, kept in a file, compared with another,
// given to a pipeline that was built afresh, and taken apart into a tree that can be drawn, changed step by step, and
// searched.

#include "lesson.h"

#include <fstream>
#include <iostream>
#include <iterator>

using namespace fluorite;
using lesson::check;

static Var x("x"), y("y"), xi("xi"), yi("yi");

static bool contains(const std::string &text, const std::string &piece) {
    return text.find(piece) != std::string::npos;
}

// An algorithm without a schedule, made anew by each call: edges of a softened picture.
struct Edges {
    ImageParam picture{UInt(8), 2, "picture"};
    Func bright{"bright"}, soft{"soft"}, edges{"edges"};
    Pipeline pipeline;

    Edges() {
        Func padded = BoundaryConditions::repeat_edge(picture);
        bright(x, y) = cast<int>(padded(x, y));
        soft(x, y) = (bright(x - 1, y) + 2 * bright(x, y) + bright(x + 1, y)) / 4;
        edges(x, y) = cast<uint8_t>(min(abs(soft(x, y + 1) - soft(x, y - 1)), 255));
        pipeline = Pipeline(edges);
    }
    Buffer<uint8_t> run(const Buffer<uint8_t> &image) {
        picture.set(image);
        return pipeline.realize({image.width(), image.height()});
    }
};

static Buffer<uint8_t> sample() {
    const Buffer<uint8_t, 3> colours = lesson::sample_picture(120, 90);
    Buffer<uint8_t> grey(120, 90);
    grey.for_each_element([&](int px, int py) { grey(px, py) = colours(px, py, 1); });
    return grey;
}

static bool same(const Buffer<uint8_t> &a, const Buffer<uint8_t> &b) {
    int wrong = 0;
    a.for_each_element([&](int px, int py) { wrong += a(px, py) != b(px, py) ? 1 : 0; });
    return wrong == 0;
}

// schedule() reads what the directives have made, one line each, in an order of its own: two programs that schedule
// alike print alike, however their calls were ordered.
static Schedule printing() {
    std::printf("printing\n");
    Edges e;
    e.edges.tile(x, y, xi, yi, 32, 16).vectorize(xi, 8).parallel(y);
    e.soft.compute_at(e.edges, x).vectorize(x, 8);
    const Schedule schedule = e.pipeline.schedule();
    std::cout << schedule;
    check(contains(schedule.text(), "soft.compute_at(edges, x)"), "a line for each directive");
    check(Schedule::parse(schedule.text()) == schedule, "the text is read back as the same schedule");
    return schedule;
}

// A file of it goes to another program, or to the same one tomorrow. apply() takes the place of all directives.
static void storing(const Schedule &schedule, const std::string &folder) {
    std::printf("storing and applying\n");
    schedule.save(folder + "/10_edges.schedule");
    const Schedule loaded = Schedule::load(folder + "/10_edges.schedule");
    Edges plain, tiled;
    tiled.pipeline.apply(loaded);
    check(tiled.pipeline.schedule() == schedule, "a fresh pipeline has the schedule of the file");
    check(same(plain.run(sample()), tiled.run(sample())), "and computes the same picture, in tiles");

    // A schedule belongs to its algorithm. What does not fit is named, and nothing is applied.
    Edges other;
    lesson::check_refused("schedule-mismatch", [&] {
        other.pipeline.apply(Schedule::parse("fluorite schedule 1\n"
                                             "soft.compute_root()\n"
                                             "sharp.compute_root()\n"
                                             "end\n"));
    });
    check(other.pipeline.schedule().empty(), "not even the first line");
    // So is a file that was cut off: the last line must be `end`.
    lesson::check_refused("schedule-truncated", [&] {
        const std::string text = schedule.text();
        Schedule::parse(text.substr(0, text.size() / 2));
    });
}

// diff() shows what changed, Func by Func.
static void comparing(const Schedule &schedule) {
    std::printf("comparing\n");
    Edges e;
    e.pipeline.apply(schedule);
    e.soft.compute_root();
    e.edges.unroll(yi, 2);
    std::cout << schedule.diff(e.pipeline.schedule());
    check(contains(schedule.diff(e.pipeline.schedule()), "  - compute_at(edges, x)\n  + compute_root()"),
          "one line each");
    check(schedule.diff(schedule).empty(), "and nothing where nothing changed");
}

// The tree shows at a glance what lives where: a store node around all that its values serve, loops below one another,
// inlined Funcs below those that use them.
static void trees(const Schedule &schedule, const std::string &folder) {
    std::printf("trees\n");
    Edges e;
    e.pipeline.apply(schedule);
    const ScheduleTree tree = e.pipeline.schedule_tree();
    std::cout << tree.text();
    tree.save_svg(folder + "/10_tree.svg");
    std::ifstream picture(folder + "/10_tree.svg");
    const std::string svg{std::istreambuf_iterator<char>(picture), {}};
    check(contains(svg, "<svg") && contains(svg, "soft"), "drawn as a picture of its own");

    // Operators lead from one legal tree to the next, and back: here the storage of `soft` moves out of its tile, and
    // out of the loop over rows of tiles, while values are still computed tile by tile.
    const ScheduleTree row = tree.hoist_storage("soft");
    check(contains(row.schedule().text(), "soft.store_at(edges, y)"), "one level further out");
    check(row.lower_storage("soft") == tree, "and back");
    const ScheduleTree wider = row.loop_type("edges", "y", ForType::Serial).hoist_storage("soft");
    check(contains(wider.schedule().text(), "soft.store_at(edges, __outermost)"), "out of all loops");
    // What would break the program is refused: tasks that share the storage of `soft` would write over each other.
    lesson::check_refused("illegal-tree-step", [&] { wider.loop_type("edges", "y", ForType::Parallel); });
}

// Every legal schedule can be reached by operators from the default one. A random walk takes some of them; whatever it
// finds computes the same picture.
static void walking() {
    std::printf("walking\n");
    Edges plain;
    const Buffer<uint8_t> expected = plain.run(sample());
    for (uint64_t seed = 1; seed <= 4; seed++) {
        Edges e;
        const ScheduleTree tree = e.pipeline.schedule_tree().random_walk(seed, 20);
        e.pipeline.apply(tree.schedule());
        std::printf("  %zu directives\n", tree.schedule().size());
        check(same(e.run(sample()), expected), "the same picture");
    }
}

// explain_schedule() says what a schedule costs for outputs of a size, before anything runs.
static void explaining(const Schedule &schedule) {
    std::printf("explaining\n");
    Edges e;
    e.pipeline.apply(schedule);
    const std::string text = e.pipeline.explain_schedule({1920, 1080});
    std::cout << text;
    check(contains(text, "times each") && contains(text, "tasks over y"), "work, storage, tasks and lanes");
}

int main(int argc, char **argv) {
    const std::string folder = lesson::folder(argc, argv);
    const Schedule schedule = printing();
    storing(schedule, folder);
    comparing(schedule);
    trees(schedule, folder);
    walking();
    explaining(schedule);
    return lesson::result();
}
