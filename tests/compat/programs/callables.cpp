// compile_to_callable: a pipeline as a function of its arguments.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

int main() {
    Var x("x"), y("y");
    ImageParam in(Int(32), 2, "in");
    Param<int32_t> p("p");
    Param<float> q("q");
    Func f("f");
    f(x, y) = cast<int>((in(x, y) + p) * q);
    Callable c = f.compile_to_callable({in, p, q});
    Buffer<int32_t> a(10, 10), out(10, 10);
    a.fill(4);
    if (c(a, 3, 2.0f, out) != 0 || out(9, 9) != 14 || c(a, -4, 2.0f, out) != 0 || out(0, 0) != 0) {
        return 1;
    }
    JITUserContext context;
    if (c(&context, a, 6, 0.5f, out) != 0 || out(5, 5) != 5) {
        return 2;
    }
    Halide::Runtime::Buffer<int32_t, 2> plain(10, 10), result(10, 10);
    plain.fill(1);
    if (c(plain, 1, 10.0f, result) != 0 || result(3, 3) != 20) {
        return 3;
    }
    auto typed = c.make_std_function<JITUserContext *, Buffer<int32_t, 2>, int, float, Runtime::Buffer<int32_t, 2>>();
    auto short_one = c.make_std_function<Buffer<int32_t, 2>, int, float, Buffer<int32_t, 2>>();
    if (typed(&context, a, 2, 3.0f, result) != 0 || result(1, 2) != 18 || short_one(a, 0, 1.0f, out) != 0 ||
        out(9, 0) != 4) {
        return 5;
    }
    Internal::JITSharedRuntime::release_all();
    Callable empty;
    return empty.defined() || !c.defined() ? 4 : 0;
}
