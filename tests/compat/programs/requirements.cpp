// require(), Pipeline::add_requirement, errors as exceptions of the right classes.
#include <Halide.h>

#include <stdio.h>
#include <string>

using namespace Halide;

template <typename Error, typename Body> static bool throws(Body body) {
    try {
        body();
    } catch (const Error &e) {
        return std::string(e.what()).size() > 10;
    }
    return false;
}

int main() {
    Var x("x"), y("y");
    Param<int> p("p", 3), q("q", 4);
    Func f("f"), g("g");
    f(x) = require(p < q, x * p, "p is", p, "but q is", q);
    Buffer<int> ok = f.realize({5});
    if (ok(2) != 6) {
        return 1;
    }
    p.set(9);
    if (!throws<RuntimeError>([&] { f.realize({5}); })) {
        return 2;
    }
    g(x) = x + p;
    Pipeline pipeline(g);
    pipeline.add_requirement(p > 0 && p % 3 == 0, "p must be a positive multiple of 3, but is", p);
    Buffer<int> b = pipeline.realize({4});
    p.set(4);
    if (b(1) != 10 || !throws<RuntimeError>([&] { pipeline.realize({4}); })) {
        return 3;
    }
    Func undefined("undefined"), twice("twice");
    twice(x) = x;
    const bool compile_errors = throws<CompileError>([&] {
                                    Func h;
                                    h(x) = undefined(x);
                                }) &&
                                throws<CompileError>([&] {
                                    Func h;
                                    h(x) = twice(x, y);
                                }) &&
                                throws<CompileError>([&] {
                                    Func h;
                                    h(x, x) = 1;
                                }) &&
                                throws<CompileError>([&] {
                                    Func h;
                                    h(x) = y;
                                }) &&
                                throws<CompileError>([&] { twice.split(y, x, y, 3); }) && throws<CompileError>([&] {
                                    Func h;
                                    h(x) = h(x - 1);
                                }) &&
                                throws<Error>([&] {
                                    Func h;
                                    h(x) = x / 0;
                                }) &&
                                throws<Error>([&] {
                                    Func h;
                                    h(x) = cast<uint8_t>(x) + 256;
                                });
    Buffer<int> small(3);
    Func reads("reads");
    reads(x) = small(x) + small(x + 1);
    const bool runtime_errors = throws<RuntimeError>([&] { reads.realize({3}); }) && throws<RuntimeError>([&] {
                                    Buffer<float> wrong(3);
                                    twice.realize(wrong);
                                }) &&
                                throws<RuntimeError>([&] {
                                    Buffer<int> wrong(3, 3);
                                    twice.realize(wrong);
                                });
    return compile_errors && runtime_errors && exceptions_enabled() ? 0 : 4;
}
