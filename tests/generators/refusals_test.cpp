// What is wrong with a command line, with parameters, and with Generators themselves: exact texts.

#include "tests/generators/run_command_line.h"

#include <gtest/gtest.h>

namespace {
namespace refusals_test {

using namespace Halide;
using generator_tests::run_command_line;

void expect_refused(const std::vector<std::string> &words, const std::string &message) {
    const auto outcome = run_command_line(words);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.messages, "Error: " + message + "\n");
}

/// Compiles a box with one more word.
void expect_box_refused(const std::string &word, const std::string &message) {
    expect_refused({"-g", "box", "-e", "stmt", "-o", ".", "target=host", word}, message);
}

template <typename Run> void expect_thrown(Run &&run, const std::string &message) {
    try {
        run();
        ADD_FAILURE() << "nothing is thrown; expected: " << message;
    } catch (const CompileError &error) {
        EXPECT_EQ(error.message() + " [" + error.slug() + "]", message);
    }
}

TEST(GeneratorRefusals, WordsOfTheCommandLine) {
    expect_refused(
        {"-g", "blox", "-o", ".", "target=host"},
        "in generator blox: no generator is registered under this name; there are arrays, assigned, box, "
        "configured, old_form, open_types, ramp_float, ramp_short, renamed, staged, twice, wide_box; give one of "
        "these names [generator-unknown]");
    expect_refused({"-g", "box", "-o", ".", "-e", "static_library,exe", "target=host"},
                   "in the command line of a generator: -e names 'exe', which is no kind of file; there are assembly, "
                   "bitcode, c_header, c_source, compiler_log, conceptual_stmt, conceptual_stmt_html, cpp_stub, "
                   "function_info_header, hlpipe, llvm_assembly, object, registration, schedule, static_library, stmt, "
                   "stmt_html; name some of these [generator-file-kind]");
    expect_refused({"-g", "box", "-o", ".", "-e", "pytorch_wrapper", "target=host"},
                   "in the command line of a generator: -e names pytorch_wrapper, which is not made: there is no front "
                   "end for PyTorch; leave it out [not-built]");
    expect_refused(
        {"-g", "box", "-o", ".", "-q", "1"},
        "in the command line of a generator: '-q' is no option; there are -g, -o, -f, -n, -e, -r, -p, -s, -d, "
        "-t and -v; run it without options for their meaning [generator-option]");
    expect_refused({"-g", "box", "-o"}, "in the command line of a generator: -o has no value; each option is followed "
                                        "by one; give it [generator-option]");
    expect_refused({"-g", "box", "target=host"},
                   "in the command line of a generator: -o is not given; it is the folder "
                   "of the files; give one, or -o . [generator-option]");
    expect_refused({"-g", "box", "-o", "."}, "in the command line of a generator: target= is not given; code is for a "
                                             "processor and a system; give target=host, or another [generator-option]");
    expect_refused(
        {"-o", ".", "target=host"},
        "in the command line of a generator: -g is not given; there are the generators arrays, assigned, box, "
        "configured, old_form, open_types, ramp_float, ramp_short, renamed, staged, twice, wide_box; name one of them "
        "[generator-option]");
    expect_box_refused("radius", "in the command line of a generator: 'radius' is neither an option nor a parameter; "
                                 "parameters are name=value; write it so [generator-option]");
    expect_box_refused("target=host",
                       "in the command line of a generator: the parameter target is given twice; each has "
                       "one value; give it once [generator-option]");
    const auto outcome = run_command_line({"-p", "/no/such/library.so", "-g", "box", "-o", ".", "target=host"});
    EXPECT_NE(
        outcome.messages.find("Error: in the command line of a generator: -p names /no/such/library.so, which cannot "
                              "be loaded ("),
        std::string::npos);
    EXPECT_NE(outcome.messages.find("); it is a shared library; give its path [generator-plugin]"), std::string::npos);
}

TEST(GeneratorRefusals, TargetsThatDoNotGoTogether) {
    const auto refused = [](const std::string &targets, const std::string &message) {
        expect_refused({"-g", "box", "-o", ".", "target=" + targets}, "in generator box: target= names " + message);
    };
    refused(
        "x86-64-linux,x86-64-linux-sse41",
        "x86-64-linux before x86-64-linux-sse41; the last target is that of every processor that runs the function; "
        "change the list [generator-targets]");
    refused(
        "x86-64-linux-sse41-avx,x86-64-linux-no_asserts-sse41",
        "x86-64-linux-sse41-avx and x86-64-linux-no_asserts-sse41; the targets of one function differ in features of "
        "the processor only; change the list [generator-targets]");
    refused("x86-64-linux,x86-64-linux", "x86-64-linux twice; each target is there once; change the list "
                                         "[generator-targets]");
}

TEST(GeneratorRefusals, TargetsAndFiles) {
    const auto outcome = run_command_line({"-g", "box", "-o", ".", "-e", "stmt", "target=x86-64-linux-avx3"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.messages.rfind("Error: target 'x86-64-linux-avx3': 'avx3' is not known; parts are ", 0), 0U)
        << "no place in a source, as a command line has none: " << outcome.messages;
    EXPECT_NE(outcome.messages.find("[bad-target]"), std::string::npos);
    const auto unwritable =
        run_command_line({"-g", "ramp_float", "-o", "/no/such/folder", "-e", "object", "target=host"});
    EXPECT_EQ(unwritable.status, 1);
    EXPECT_EQ(
        unwritable.messages,
        "Error: in ramp_float: cannot write the file '/no/such/folder/ramp_float.o'; its folder must exist and be "
        "writable; give another path [cannot-write]\n");
}

TEST(GeneratorRefusals, Parameters) {
    expect_box_refused("radios=2",
                       "in generator box: the parameter 'radios' is set, which it does not have; it has "
                       "target, auto_schedule, radius, border, parallel, level, and type, dim and size of "
                       "inputs and outputs that leave them open; give one of these names [generator-param]");
    expect_box_refused("radius=2.5", "in generator box: the parameter radius is set to '2.5'; it is an integer from "
                                     "-2147483648 to 2147483647; give such a value [generator-param-value]");
    expect_box_refused("radius=9",
                       "in generator box: the parameter radius is set to '9'; it lies between 0 and 8; give "
                       "such a value [generator-param-value]");
    expect_box_refused("border=wrap", "in generator box: the parameter border is set to 'wrap'; it is one of repeat, "
                                      "zero; give such a value [generator-param-value]");
    expect_box_refused("parallel=yes", "in generator box: the parameter parallel is set to 'yes'; it is true or false; "
                                       "give such a value [generator-param-value]");
    expect_box_refused(
        "level=output.y",
        "in generator box: the parameter level is set to 'output.y'; it is root or inlined; other levels "
        "are set in C++, by a stub or set(); give such a value [generator-param-value]");
    expect_box_refused("input.type=int8",
                       "in generator box: the type of input is set, and its declaration says it; only "
                       "what a declaration leaves open is set; remove it there or here "
                       "[generator-fixed]");
    expect_refused({"-g", "open_types", "-e", "stmt", "-o", ".", "target=host", "input.type=int7"},
                   "in generator open_types: the parameter input.type is set to 'int7'; it is a type as uint8, int16, "
                   "float32, bfloat16 or bool; give such a value [generator-param-value]");
    expect_refused(
        {"-g", "open_types", "-e", "stmt", "-o", ".", "target=host", "input.type=int8"},
        "in generator open_types: the number of dimensions of input is open; values have one before they are "
        "used; give it as input.dim=2, in the declaration, or by set_dimensions() in configure() "
        "[generator-open]");
    expect_refused(
        {"-g", "open_types", "-e", "stmt", "-o", ".", "target=host", "input.type=int8", "input.dim=1"},
        "in generator open_types: terms is an array of open size; an array has one before it is used; give it "
        "as terms.size=N, in the type, or by set_array_size() in configure() [generator-open]");
    expect_refused(
        {"-g", "open_types", "-e", "stmt", "-o", ".", "target=host", "input.dim=1"},
        "in generator open_types: the type of input is open; values have one before they are used; give it as "
        "input.type=uint8, in the declaration, or by set_type() in configure() [generator-open]");
}

/// Has an output that generate() forgets.
class Forgets : public Generator<Forgets> {
  public:
    Output<Buffer<uint8_t, 1>> output{"output"};
    void generate() {}
};

class WrongType : public Generator<WrongType> {
  public:
    Output<Func> output{"output", UInt(8), 1};
    void generate() {
        Func f("f");
        Var x;
        f(x) = x;
        output = f;
    }
};

class SameNames : public Generator<SameNames> {
  public:
    GeneratorParam<int> size{"size", 1};
    Output<Buffer<int, 1>> output{"size"};
    void generate() {}
};

class BadName : public Generator<BadName> {
  public:
    Input<int> size{"the size"};
    Output<Buffer<int, 1>> output{"output"};
    void generate() {}
};

class Late : public Generator<Late> {
  public:
    GeneratorParam<int> size{"size", 1};
    Output<Buffer<int, 1>> output{"output"};
    bool adds = true;
    void generate() {
        if (adds) {
            add_input<int>("late");
        } else {
            size.set(3);
        }
    }
};

class Takes : public Generator<Takes> {
  public:
    Input<Buffer<uint8_t, 2>> image{"image"};
    Input<int> number{"number"};
    Input<Func[2]> funcs{"funcs", Int(32), 1};
    Output<Buffer<int, 1>> output{"output"};
    void generate() {
        Var x;
        output(x) = cast<int>(image(x, 0)) + number + funcs[0](x) + funcs[1](x);
    }
};

class AsksForWidth : public Generator<AsksForWidth> {
  public:
    Input<Buffer<uint8_t, 1>> image{"image"};
    Output<Buffer<uint8_t, 1>> output{"output"};
    void generate() {
        Var x;
        output(x) = image(min(x, image.width() - 1));
    }
};

template <typename T> std::unique_ptr<T> made() {
    return T::create(GeneratorContext(get_host_target()), "mine", "mine");
}

TEST(GeneratorRefusals, GeneratorsThemselves) {
    expect_thrown(
        [] { made<Forgets>()->build_pipeline(); },
        "in generator mine: the output output is not defined after generate(); callers get the values of each "
        "output; define it [generator-output]");
    expect_thrown([] { made<WrongType>()->build_pipeline(); },
                  "in generator mine: the output output is declared as uint8 with 1 dimensions and is int32 with 1 "
                  "dimensions; callers rely on the declaration; change it or the definition [generator-output]");
    expect_thrown(
        [] { made<SameNames>(); },
        "in a generator: two of its parameters, inputs and outputs are called size; callers find them by name, "
        "and each has its own; give one of them another name [generator-member-name]");
    expect_thrown(
        [] { made<BadName>(); },
        "in a generator: a parameter, input or output is called 'the size'; its name is that of an argument in "
        "C: letters, digits and underscores, a letter first; give it another name [generator-member-name]");
    expect_thrown(
        [] { made<Late>()->build_pipeline(); },
        "in generator mine: the input or output late is added outside of configure(); callers know all inputs "
        "and outputs before generate() runs; add it in configure() [generator-phase]");
    expect_thrown(
        [] {
            const auto late = made<Late>();
            late->adds = false;
            late->build_pipeline();
        },
        "in generator mine: the parameter size is set while or after generate() runs, which has read it; parameters "
        "are set "
        "before; set it earlier [generator-phase]");
    expect_thrown(
        [] { made<Forgets>()->get_pipeline(); },
        "in generator mine: its pipeline is asked for before generate() has run, which makes it; call apply() or "
        "build_pipeline() first [generator-phase]");
}

TEST(GeneratorRefusals, WhatIsPassedForInputs) {
    const auto refused = [](const std::string &name, const Internal::AbstractGenerator::Given &given,
                            const std::string &message) {
        expect_thrown([&] { made<Takes>()->bind_input(name, given); }, "in generator mine: " + message);
    };
    refused("image", Expr(3),
            "the input image is given a number; it is a Func or a buffer; pass what it is declared as "
            "[generator-inputs]");
    refused("image", Buffer<float>(3, 3),
            "the input image is given float32 with 2 dimensions; it is declared as uint8 "
            "with 2 dimensions; pass what it is declared as [generator-inputs]");
    refused("image", Func("undefined"),
            "the input image is given the Func undefined, which is not defined; a Func that is "
            "passed has values; pass what it is declared as [generator-inputs]");
    refused("number", Expr(1.5f),
            "the input number is given a value of type float32; it is declared as int32; pass what "
            "it is declared as [generator-inputs]");
    refused("funcs", Buffer<int>(3),
            "the input funcs is given 1 elements; it is an array of 2; pass what it is declared "
            "as [generator-inputs]");
    refused("other", Expr(3),
            "the input 'other' is given, which it does not have; it has image, number, funcs; give one of "
            "these names [generator-inputs]");
    Func ramp("ramp");
    Var x;
    ramp(x) = cast<uint8_t>(x);
    expect_thrown(
        [&] { made<AsksForWidth>()->apply(ramp); },
        "in a generator: dimension 0 of the buffer of an input is asked for, and the Func ramp is passed for it; "
        "a Func has no buffer; pass sizes as inputs, or a buffer [generator-inputs]");
    expect_thrown([] { made<Takes>()->apply(3); },
                  "in generator mine: it is given 1 inputs and has 3; each input is given once, in the order of the "
                  "declarations; pass them all [generator-inputs]");
}

TEST(GeneratorRefusals, TwoOfOneName) {
    const Internal::RegisterGenerator again("box",
                                            [](const GeneratorContext &context) { return Forgets::create(context); });
    expect_box_refused("radius=1",
                       "in generator box: two generators are registered under this name; a command line finds "
                       "a generator by its name; register one of them under another "
                       "[generator-registered-twice]");
    Internal::GeneratorRegistry::forget_repeated();
    EXPECT_EQ(run_command_line({"-g", "box", "-e", "c_header", "-o", ".", "target=host"}).status, 0);
}

} // namespace refusals_test
} // namespace
