// Lesson 9: looking inside.
//
// A schedule is a few words; what it makes is a program of loops. This lesson shows the ways to see that program: the
// loop nest, the lowered statement, the trace of a run, values printed from inside, and questions to a Func. They are
// for finding out why something is slow, or is not what was meant.

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

static std::string read_file(const std::string &path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// print_loop_nest() writes the loops to the terminal; loop_nest() gives the same text.
static void loop_nests() {
    std::printf("loop nests\n");
    Func producer("producer"), consumer("consumer");
    producer(x, y) = x * y;
    consumer(x, y) = producer(x, y) + producer(x + 1, y + 1);
    consumer.tile(x, y, xi, yi, 16, 8).vectorize(xi, 4).parallel(y);
    producer.compute_at(consumer, x).vectorize(x, 4);

    const std::string text = consumer.loop_nest();
    std::cout << text;
    const size_t outer = text.find("parallel"), made = text.find("produce producer"), inner = text.rfind("vectorized");
    check(outer < made && made < inner && inner != std::string::npos, "the producer lies inside the parallel loop");
}

// compile_to_lowered_stmt() writes the loop program that all passes of the compiler arrive at, before it becomes
// machine code: bounds, allocations, addresses, vectors. As text or as a page for the browser.
static void the_lowered_program(const std::string &folder) {
    std::printf("the lowered program\n");
    ImageParam image(UInt(8), 2, "image");
    Func padded = BoundaryConditions::repeat_edge(image), blur("blur");
    blur(x, y) = cast<uint8_t>((cast<uint16_t>(padded(x - 1, y)) + padded(x, y) + padded(x + 1, y)) / 3);
    blur.vectorize(x, 16).parallel(y);

    blur.compile_to_lowered_stmt(folder + "/09_blur.stmt", blur.infer_arguments(), Text);
    blur.compile_to_lowered_stmt(folder + "/09_blur.html", blur.infer_arguments(), HTML);
    const std::string text = read_file(folder + "/09_blur.stmt"), page = read_file(folder + "/09_blur.html");
    std::printf("  %zu characters of loop program, for example:\n%.400s\n", text.size(), text.c_str());
    check(contains(text, "blur") && contains(text, "image"), "the program names its functions and inputs");
    check(contains(page, "<html"), "and as a page");

    // What the compiled function takes: inputs in the order in which a caller gives them.
    const std::vector<Argument> arguments = blur.infer_arguments();
    check(arguments.size() == 1 && arguments[0].name == "image" && arguments[0].is_buffer(),
          "its argument is the image");
}

// Traces: a Func that is marked reports each store, load or realization. Here a handler of our own counts them; without
// one the runtime prints a line for each.
static int stores = 0, realizations = 0;
static int32_t count_events(void *, const fluorite_trace_event_t *event) {
    static int32_t id = 0;
    stores += event->event == fluorite_trace_store ? event->type.lanes : 0;
    realizations += event->event == fluorite_trace_begin_realization ? 1 : 0;
    if (id < 4) {
        char line[200];
        fluorite_format_trace_event(event, line, sizeof line);
        std::printf("  %s\n", line);
    }
    return ++id;
}

static void traces() {
    std::printf("traces\n");
    Func producer("producer"), consumer("consumer");
    producer(x) = x * x;
    consumer(x) = producer(x) + producer(x + 1);
    producer.compute_root().trace_stores().trace_realizations();

    const fluorite_trace_t previous = fluorite_set_custom_trace(count_events);
    consumer.realize({10});
    fluorite_set_custom_trace(previous);
    check(stores == 11 && realizations == 1, "11 values of the producer, in one piece");
}

// print() shows values from inside a formula; print_when() only where a condition holds. The text goes to a handler.
static std::string printed;
static void collect(void *, const char *text) { printed += text; }

static void printing() {
    std::printf("printing\n");
    Func f("f");
    const Expr value = x * x;
    f(x) = print_when(value == 49, value, "is the value at", x);
    const fluorite_print_t previous = fluorite_set_custom_print(collect);
    Buffer<int32_t> output = f.realize({10});
    fluorite_set_custom_print(previous);
    std::printf("  %s", printed.c_str());
    check(printed == "49 is the value at 7\n", "one line, for the one value that was asked about");
    check(output(9) == 81, "the values are not changed by printing them");
}

// A Func answers questions about itself, and formulas print as text.
static void questions() {
    std::printf("questions\n");
    Func f("f"), g("g");
    f(x, y) = cast<uint8_t>(x + y);
    RDom r(0, 4, "r");
    g(x) = 0;
    g(x) += cast<int32_t>(f(x, r));

    check(f.name() == "f" && f.dimensions() == 2 && f.type() == UInt(8), "name, rank, type");
    check(g.num_update_definitions() == 1 && g.rvars(0).size() == 1, "updates and their reduction variables");
    check(g.update().loops().size() == 2, "the loops of an update, as the schedule stands");
    std::cout << "  f = " << f.value() << "\n";
}

// The schedule's effect can be looked at without running anything: the same algorithm under two schedules.
static void comparing_schedules() {
    std::printf("comparing schedules\n");
    std::string nests[2];
    for (const bool fused : {false, true}) {
        Func producer("producer"), consumer("consumer");
        producer(x, y) = x + y;
        consumer(x, y) = producer(x, y) * 2;
        fused ? producer.compute_at(consumer, y) : producer.compute_root();
        nests[fused] = consumer.loop_nest();
    }
    check(nests[0] != nests[1], "the loop nests tell the schedules apart");
}

int main(int argc, char **argv) {
    loop_nests();
    the_lowered_program(lesson::folder(argc, argv));
    traces();
    printing();
    questions();
    comparing_schedules();
    return lesson::result();
}
