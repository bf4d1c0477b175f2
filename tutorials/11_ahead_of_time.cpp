// Lesson 11: compiling ahead of time, and calling the result from C.
//
// So far every pipeline was compiled when it ran. A pipeline can also be compiled once, into a file: an object or a
// static library with one C function, and a header that declares it. The program that calls the function needs neither
// the compiler nor C++: 11_ahead_of_time_caller.c is C99, and links `brighten.a` and the small runtime library only.
//
// This program is the first half: it writes the files, and looks at them. The build runs it, compiles the caller
// against what it wrote, and the tests run both.

#include "lesson.h"

#include <fstream>
#include <sstream>

using namespace fluorite;
using lesson::check;

static Var x("x"), y("y"), c("c");

// brighten(x, y, c) = input(x, y, c) * gain / 256, clamped to 8 bits. Sizes and gain are given at each call.
static Func brighten(const ImageParam &input, const Param<int32_t> &gain) {
    Func result("brighten");
    result(x, y, c) = cast<uint8_t>(clamp(cast<int32_t>(input(x, y, c)) * gain / 256, 0, 255));
    result.vectorize(x, 16).parallel(y);
    return result;
}

static std::string contents(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// The arguments of the C function are those listed, in this order, then the outputs. An input that is read and not
// listed is an error. The target says what machine the code is for: `host` is this one, with all that its processor
// has; code for others names what it may use.
static void write_library(const std::string &folder) {
    std::printf("a static library\n");
    ImageParam input(UInt(8), 3, "input");
    Param<int32_t> gain("gain");
    gain.set_range(0, 4096); // checked at each call
    Func result = brighten(input, gain);

    const Target target("host");
    result.compile_to_static_library(folder + "/brighten", {input, gain}, "brighten", target);
    const std::string header = contents(folder + "/brighten.h");
    check(header.find("int brighten(struct halide_buffer_t *_input_buffer, int32_t _gain, "
                      "struct halide_buffer_t *_brighten_buffer);") != std::string::npos,
          "the header declares a C function");
    check(contents(folder + "/brighten.a").substr(0, 7) == "!<arch>", "the library is an archive of one object");
    std::printf("%s", header.c_str());
}

// Other kinds of files: compile_to_object, compile_to_file (object and header), compile_to_assembly,
// compile_to_bitcode, compile_to_llvm_assembly, and compile_to_lowered_stmt for the loops that the compiler made.
static void write_assembly(const std::string &folder) {
    std::printf("assembly for an older machine\n");
    ImageParam input(UInt(8), 3, "input");
    Param<int32_t> gain("gain");
    brighten(input, gain)
        .compile_to_assembly(folder + "/brighten_sse41.s", {input, gain}, "brighten", Target("x86-64-linux-sse41"));
    const std::string text = contents(folder + "/brighten_sse41.s");
    check(text.find("brighten:") != std::string::npos, "the function is there");
    check(text.find("%ymm") == std::string::npos, "only registers that every machine with SSE 4.1 has");
}

// A Callable is the same without files: compiled now, called with its arguments in order, outputs last.
static void call_here() {
    std::printf("the same function, called here\n");
    ImageParam input(UInt(8), 3, "input");
    Param<int32_t> gain("gain");
    const Callable function = brighten(input, gain).compile_to_callable({input, gain});
    const Buffer<uint8_t, 3> picture = lesson::sample_picture(48, 32);
    Buffer<uint8_t, 3> output(48, 32, 3);
    check(function(picture, 384, output) == 0, "0 means that it worked");
    check(output(7, 5, 1) == std::min(255, picture(7, 5, 1) * 384 / 256), "half as bright again");
}

static void mistakes(const std::string &folder) {
    std::printf("mistakes\n");
    ImageParam input(UInt(8), 3, "input");
    Param<int32_t> gain("gain");
    Func result = brighten(input, gain);
    lesson::check_refused("missing-argument", [&] { result.compile_to_file(folder + "/brighten", {input}); });
    lesson::check_refused("cannot-write",
                          [&] { result.compile_to_file(folder + "/no/such/folder/brighten", {input, gain}); });
    lesson::check_refused("bad-target", [&] { Target("x86-64-linux-avx3"); });
}

int main(int argc, char **argv) {
    const std::string folder = lesson::folder(argc, argv);
    write_library(folder);
    write_assembly(folder);
    call_here();
    mistakes(folder);
    return lesson::result();
}
