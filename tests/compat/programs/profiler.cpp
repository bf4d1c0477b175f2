// The sampling profiler: its report through custom_print, read with sscanf; files of values; tags of traces.
#include <Halide.h>

#include <stdio.h>
#include <string>

using namespace Halide;

static int reports = 0, num_mallocs = -1, fn_lines = 0, fn_stack = 0, fn_num = 0;
static long long peak_usage = -1, fn_peak = 0, fn_avg = 0;
static float fn_ms = -1, fn_percentage = -1, total_ms = -1;

static void my_print(JITUserContext *, const char *text) {
    int samples, runs, idx;
    float per_run;
    char name[64];
    if (sscanf(text, "%63s\n total time: %f ms  samples: %d  runs: %d  time per run: %f ms", name, &total_ms, &samples,
               &runs, &per_run) == 5) {
        reports++;
        const char *heap = strstr(text, " heap allocations: ");
        if (heap != nullptr) {
            sscanf(heap, " heap allocations: %d  peak heap usage: %lld bytes", &num_mallocs, &peak_usage);
        }
    }
    if (sscanf(text, " fn%d: %fms (%f%%)", &idx, &fn_ms, &fn_percentage) == 3) {
        fn_lines++;
        if (const char *peak = strstr(text, " peak: ")) {
            sscanf(peak, " peak: %lld num: %d avg: %lld", &fn_peak, &fn_num, &fn_avg);
        }
        if (const char *stack = strstr(text, " stack: ")) {
            sscanf(stack, " stack: %d", &fn_stack);
        }
    }
}

int main() {
    const Target target = get_jit_target_from_environment().with_feature(Target::Profile);
    Var x("x"), y("y");
    {
        Func f("fn7"), g("consumer");
        f(x, y) = sin(cast<float>(x)) * y;
        g(x, y) = f(x, y) + f(x + 1, y + 1);
        f.compute_root().store_in(MemoryType::Heap);
        g.jit_handlers().custom_print = my_print;
        Buffer<float> values = g.realize({100, 50}, target);
        if (reports != 1 || num_mallocs != 1 || peak_usage != 101 * 51 * 4) {
            printf("%d reports of %d allocations and %lld bytes\n", reports, num_mallocs, peak_usage);
            return 1;
        }
        if (fn_lines != 1 || fn_num != 1 || fn_peak != peak_usage || fn_avg != peak_usage || fn_percentage > 100 ||
            fn_ms > total_ms) {
            printf("fn7: %d lines, %d allocations, %lld bytes\n", fn_lines, fn_num, fn_peak);
            return 1;
        }
        g.realize(values, target);
        if (reports != 2) {
            printf("%d reports of two runs\n", reports);
            return 1;
        }
    }
    {
        Func f("fn9"), g("on_stack");
        f(x, y) = x + y;
        g(x, y) = f(x, y) + f(x + 1, y);
        f.compute_at(g, y).bound_extent(x, 20).store_in(MemoryType::Stack);
        g.jit_handlers().custom_print = my_print;
        g.realize({19, 10}, target);
        if (fn_stack != 20 * 4 || num_mallocs != 0) {
            printf("%d bytes of the stack, %d allocations\n", fn_stack, num_mallocs);
            return 1;
        }
    }
    {
        Func f("fn1");
        f(x) = x;
        f.no_profiling();
        f.add_trace_tag("a tag");
        f.debug_to_file("compat_profiler.tmp");
        f.realize({12});
        FILE *file = fopen("compat_profiler.tmp", "rb");
        int header[5] = {};
        const size_t count = file != nullptr ? fread(header, 4, 5, file) : 0;
        if (file != nullptr) {
            fclose(file);
        }
        if (count != 5 || header[0] != 12 || header[1] != 1 || header[4] != 7) {
            printf("the file begins with %d, %d, type %d\n", header[0], header[1], header[4]);
            return 1;
        }
    }
    printf("Success!\n");
    return 0;
}
