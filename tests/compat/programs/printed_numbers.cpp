// What print writes: floats as %f of C, doubles as %e, bools as words, each part behind a space; and where it goes.
#include <Halide.h>

#include <stdio.h>
#include <string>
#include <unistd.h>
#include <vector>

using namespace Halide;

#define CHECK(c)                                                                                                       \
    if (!(c)) {                                                                                                        \
        printf("line %d: %s\n", __LINE__, #c);                                                                         \
        return 1;                                                                                                      \
    }

namespace {

std::vector<std::string> lines;
void record(JITUserContext *, const char *text) { lines.push_back(text); }

/// The lines that a Func of one dimension prints while `count` values are computed.
std::vector<std::string> printed_by(Func f, int count) {
    lines.clear();
    f.jit_handlers().custom_print = record;
    f.realize({count});
    return lines;
}

std::string as_c(const char *format, double value) {
    char text[512];
    snprintf(text, sizeof text, format, value);
    return text;
}

int check_floats() {
    const int count = 2000;
    Buffer<uint32_t> bits(count);
    bits.for_each_value([seed = 1u](uint32_t &v) mutable { v = seed = seed * 1664525u + 1013904223u; });
    const uint32_t special[] = {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f7fffff, 1};
    for (int i = 0; i < 8; i++) {
        bits(i) = special[i];
    }
    Var x;
    Func f, g;
    f(x) = print(reinterpret<float>(bits(x)));
    g(x) = print(cast<double>(reinterpret<float>(bits(x))));
    const auto floats = printed_by(f, count), doubles = printed_by(g, count);
    CHECK(floats.size() == count && doubles.size() == count);
    for (int i = 0; i < count; i++) {
        float value;
        memcpy(&value, &bits(i), 4);
        CHECK(floats[i] == as_c("%f\n", value));
        CHECK(doubles[i] == as_c("%e\n", value));
    }
    return 0;
}

int check_others() {
    Var x;
    Func f;
    f(x) = print(x, x > 0, cast<uint8_t>(x) - cast<uint8_t>(1), cast<int64_t>(x) << 40, "word", cast<float16_t>(x) / 4);
    const auto text = printed_by(f, 2);
    CHECK(text.size() == 2);
    CHECK(text[0] == "0 false 255 0 word 0.000000\n");
    CHECK(text[1] == "1 true 0 1099511627776 word 0.250000\n");
    Func g;
    g(x) = print_when(x == 1, x, 2.5f);
    CHECK(printed_by(g, 3) == std::vector<std::string>{"1 2.500000\n"});
    Param<float> low;
    Func h;
    h(x) = require(low > 0.0f, x, "low is", low);
    low.set(-0.5f);
    try {
        h.realize({1});
    } catch (const RuntimeError &error) {
        CHECK(std::string(error.what()).find("low is -0.500000") != std::string::npos);
        return 0;
    }
    return 1;
}

/// Without a handler, the text goes to standard output.
int check_destination() {
    Var x;
    Func f;
    f(x) = print(x, "here");
    fflush(stdout);
    int ends[2];
    const int saved = dup(1);
    CHECK(pipe(ends) == 0);
    dup2(ends[1], 1);
    f.realize({1});
    fflush(stdout);
    dup2(saved, 1);
    close(saved);
    close(ends[1]);
    char text[64] = "";
    const ssize_t size = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    CHECK(size == 7 && std::string(text) == "0 here\n");
    return 0;
}

} // namespace

int main() {
    if (check_floats() != 0 || check_others() != 0 || check_destination() != 0) {
        return 1;
    }
    printf("Success!\n");
    return 0;
}
