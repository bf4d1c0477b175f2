// compile_to_*: every kind of output file is written and has the expected content.
#include <Halide.h>

#include <fstream>
#include <sstream>
#include <stdio.h>
#include <string>

using namespace Halide;

static std::string contents(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

int main() {
    Func brighter("brighter");
    Var x("x"), y("y");
    Param<uint8_t> offset("offset");
    ImageParam input(type_of<uint8_t>(), 2, "input");
    brighter(x, y) = input(x, y) + offset;
    brighter.vectorize(x, 16).parallel(y);
    std::vector<Argument> args = {input, offset};
    Target target = get_host_target();

    brighter.compile_to_static_library("compat_lib", {input, offset}, "brighter");
    brighter.compile_to_file("compat_file", args, "brighter", target);
    brighter.compile_to_header("compat_header.h", args, "brighter");
    brighter.compile_to_object("compat_object.o", args, "brighter");
    brighter.compile_to_bitcode("compat.bc", args, "brighter");
    brighter.compile_to_llvm_assembly("compat.ll", args, "brighter");
    brighter.compile_to_assembly("compat.s", args, "brighter");
    brighter.compile_to_lowered_stmt("compat.stmt", args, Text);
    brighter.compile_to_lowered_stmt("compat.html", args, HTML);
    Pipeline(brighter).compile_to_object("compat_pipeline.o", args, "brighter2", target);

    struct {
        const char *path, *text;
    } expected[] = {
        {"compat_lib.a", "!<arch>"}, {"compat_lib.h", "brighter("},
        {"compat_file.o", "ELF"},    {"compat_file.h", "brighter("},
        {"compat_header.h", "int "}, {"compat_object.o", "brighter"},
        {"compat.bc", "BC"},         {"compat.ll", "define"},
        {"compat.s", "brighter"},    {"compat.stmt", "brighter"},
        {"compat.html", "<"},        {"compat_pipeline.o", "brighter2"},
    };
    int bad = 0;
    for (auto &e : expected) {
        if (contents(e.path).find(e.text) == std::string::npos) {
            printf("%s lacks %s\n", e.path, e.text);
            bad++;
        }
        remove(e.path);
    }
    std::vector<Argument> inferred = brighter.infer_arguments();
    if (inferred.size() != 2 || inferred[0].name != "input" || !inferred[0].is_buffer() ||
        inferred[1].type != UInt(8)) {
        bad++;
    }
    return bad;
}
