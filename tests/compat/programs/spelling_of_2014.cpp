// A program in the API of 2014: Image<T>, realize(w, h), compile_jit, trace_stores, FuncRefVar, set_custom_trace.
// Halide itself no longer has these names.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

static int stores = 0;
static int my_trace(void *, const halide_trace_event_t *e) {
    stores += e->event == halide_trace_store;
    return 0;
}

int main() {
    Var x("x"), y("y"), c("c");
    Image<uint8_t> input(16, 12, 3);
    for (int k = 0; k < input.channels(); k++) {
        for (int j = 0; j < input.height(); j++) {
            for (int i = 0; i < input.width(); i++) {
                input(i, j, k) = i + j * 2 + k * 50;
            }
        }
    }
    ImageParam im(UInt(8), 3);
    Func grey("grey"), blurred("blurred");
    grey(x, y) = cast<float>(im(x, y, 0) * 0.3f + im(x, y, 1) * 0.59f + im(x, y, 2) * 0.11f);
    blurred(x, y) = (grey(x, y) + grey(x + 1, y)) / 2;
    grey.compute_at(blurred, y).store_at(blurred, y);
    blurred.parallel(y).vectorize(x, 4);
    im.set(input);
    blurred.compile_jit();
    Image<float> out = blurred.realize(12, 12);
    Image<float> given(10, 3);
    blurred.realize(given);
    Func counted("counted");
    counted(x, y) = x + y;
    counted.trace_stores();
    counted.set_custom_trace(&my_trace);
    Image<int> ints = counted.realize(4, 5);
    counted.set_custom_trace(nullptr);
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 10; i++) {
            if (out(i, j) != given(i, j)) {
                return 1;
            }
        }
    }
    if (!im.get().defined() || im.width().type() != Int(32) || input.stride(1) != 16 || input.min(0) != 0 ||
        input.extent(2) != 3) {
        return 2;
    }
    printf("%d stores\n", stores);
    return stores == 20 && ints(3, 4) == 7 ? 0 : 3;
}
