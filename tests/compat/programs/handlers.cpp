// Custom print, error, trace, allocator and task handlers, through jit_handlers() and JITUserContext; print,
// print_when.
#include <Halide.h>

#include <stdio.h>
#include <string>

using namespace Halide;

static std::string printed, failed;
static int stores = 0, loads = 0, realizations = 0, allocated = 0, freed = 0, tasks = 0;

static void my_print(JITUserContext *, const char *text) { printed += text; }
static void my_error(JITUserContext *, const char *text) { failed = text; }
static int32_t my_trace(JITUserContext *, const halide_trace_event_t *event) {
    stores += event->event == halide_trace_store;
    loads += event->event == halide_trace_load;
    realizations += event->event == halide_trace_begin_realization;
    return 1;
}
static void *my_malloc(JITUserContext *, size_t bytes) {
    allocated++;
    void *block = nullptr;
    return posix_memalign(&block, 128, bytes + 256) ? nullptr : block;
}
static void my_free(JITUserContext *, void *pointer) {
    freed++;
    free(pointer);
}
static int my_do_par_for(JITUserContext *context, int (*task)(JITUserContext *, int, uint8_t *), int min, int size,
                         uint8_t *state) {
    for (int i = min; i < min + size; i++) {
        tasks++;
        if (int result = task(context, i, state)) {
            return result;
        }
    }
    return 0;
}

struct MyContext : JITUserContext {
    int lines = 0;
};
static void counting_print(JITUserContext *context, const char *) { static_cast<MyContext *>(context)->lines++; }

int main() {
    Var x("x"), y("y");
    {
        Func f("f");
        f(x) = print_when(x % 4 == 3, x * x, "at", x);
        f.jit_handlers().custom_print = my_print;
        f.realize({10});
        if (printed.find("9 at 3") == std::string::npos || printed.find("49 at 7") == std::string::npos ||
            printed.find("16") != std::string::npos) {
            printf("printed: %s\n", printed.c_str());
            return 1;
        }
        MyContext context;
        context.handlers.custom_print = counting_print;
        printed.clear();
        f.realize(&context, {20});
        if (context.lines != 5 || !printed.empty()) {
            printf("%d lines, %s\n", context.lines, printed.c_str());
            return 2;
        }
    }
    {
        Func f("f"), g("g");
        Buffer<int> small(4);
        f(x) = small(x);
        f.jit_handlers().custom_error = my_error;
        Buffer<int> out(10);
        f.realize(out); // reads beyond the input
        if (failed.empty()) {
            return 3;
        }
    }
    {
        Func f("f"), g("g");
        f(x, y) = x + y;
        g(x, y) = f(x, y) + f(x + 1, y);
        f.compute_root().trace_stores().trace_loads().trace_realizations();
        g.jit_handlers().custom_trace = my_trace;
        g.realize({5, 4});
        if (stores != 24 || loads != 40 || realizations != 1) {
            printf("%d stores, %d loads, %d realizations\n", stores, loads, realizations);
            return 4;
        }
    }
    {
        Func f("f"), g("g");
        Param<int> n("n", 5000);
        f(x, y) = x * y;
        g(x, y) = f(x, y) + f(x + n, y + 1);
        f.compute_root();
        g.parallel(y);
        g.jit_handlers().custom_malloc = my_malloc;
        g.jit_handlers().custom_free = my_free;
        g.jit_handlers().custom_do_par_for = my_do_par_for;
        Buffer<int> out = g.realize({100, 30});
        if (allocated == 0 || allocated != freed || tasks != 30 || out(3, 4) != 12 + 5003 * 5) {
            printf("%d allocated, %d freed, %d tasks\n", allocated, freed, tasks);
            return 5;
        }
    }
    return 0;
}
