// Modules that are written and read have the same loop IR, and their code computes the same.
#include "fluorite/fluorite.h"
#include "fluorite/module_file.h"
#include "language/serialize/byte_stream.h"
#include "support/test_errors.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

namespace fluorite::serialized_modules_test {
namespace {

using Bytes = std::vector<uint8_t>;

const Target target("x86-64-linux-sse41-no_runtime");

Module program(const std::string &name, const Target &its = target) {
    Buffer<uint16_t> table(8);
    table.fill(3);
    ImageParam in(UInt(16), 2, "in");
    Param<int> gain("gain", 2, 0, 10);
    gain.set_estimate(4);
    in.dim(0).set_estimate(0, 100);
    Func f("f"), g("g");
    Var x("x"), y("y");
    RDom r(0, 3, "r");
    f(x, y) = cast<int>(in(x, y)) * gain + table(x % 8);
    g(x, y) = Tuple(0, cast<float>(0));
    g(x, y) = Tuple(g(x, y)[0] + f(x + r, y), g(x, y)[1] + 0.5f);
    f.compute_at(g, y).store_in(MemoryType::Heap).vectorize(x, 4);
    g.update().parallel(y).vectorize(x, 4);
    g.set_estimate(x, 0, 64).set_estimate(y, 0, 48);
    return g.compile_to_module({in, gain}, name, its);
}

std::string contents(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Bytes bytes_of(const Module &module) {
    Bytes bytes;
    serialize_module(module, bytes);
    return bytes;
}

TEST(SerializedModules, HaveTheSameTexts) {
    const Module module = program("plus"), read = deserialize_module(bytes_of(module));
    EXPECT_EQ(read.name(), "plus");
    EXPECT_EQ(read.target(), target);
    const std::pair<OutputFileType, const char *> kinds[] = {{OutputFileType::c_header, ".h"},
                                                             {OutputFileType::stmt, ".stmt"},
                                                             {OutputFileType::conceptual_stmt, ".nest"},
                                                             {OutputFileType::schedule, ".schedule.h"}};
    for (const auto &[kind, extension] : kinds) {
        const std::string path = std::string("module") + extension;
        module.compile({{kind, path}});
        const std::string expected = contents(path);
        read.compile({{kind, path}});
        EXPECT_FALSE(expected.empty()) << extension;
        EXPECT_EQ(contents(path) == expected, true) << extension;
    }
    EXPECT_EQ(bytes_of(read), bytes_of(module));
}

/// What the code of a Module computes, linked into a shared object that runs in this process.
std::vector<int> values_of(const Module &module, const std::string &name) {
    module.compile({{OutputFileType::object, name + ".o"}});
    if (std::system(("cc -shared -o " + name + ".so " + name + ".o").c_str()) != 0) {
        return {};
    }
    void *library = dlopen(("./" + name + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
    using Entry = int (*)(fluorite_buffer_t *, int32_t, fluorite_buffer_t *, fluorite_buffer_t *);
    const auto entry = library ? reinterpret_cast<Entry>(dlsym(library, module.name().c_str())) : nullptr;
    if (!entry) {
        return {};
    }
    Buffer<uint16_t> in(20, 9);
    uint16_t next = 0;
    in.for_each_value([&](uint16_t &value) { value = next++; });
    Buffer<int> sums(16, 9);
    Buffer<float> halves(16, 9);
    std::vector<int> values{entry(in.raw_buffer(), 3, sums.raw_buffer(), halves.raw_buffer())};
    sums.for_each_value([&](int value) { values.push_back(value); });
    halves.for_each_value([&](float value) { values.push_back(static_cast<int>(value * 2)); });
    dlclose(library);
    return values;
}

TEST(SerializedModules, ComputeTheSame) {
    const Module module = program("plus", get_host_target().with_feature(Target::NoRuntime));
    const std::vector<int> expected = values_of(module, "as_lowered");
    ASSERT_EQ(expected.size(), 1U + 2 * 16 * 9);
    EXPECT_EQ(expected[0], 0);
    EXPECT_EQ(expected[1], 3 * (0 + 1 + 2) + 3 * 3); // gain * in, and the table
    EXPECT_EQ(values_of(deserialize_module(bytes_of(module)), "as_read"), expected);
}

TEST(SerializedModules, HaveSeveralFunctions) {
    const Module both = link_modules("both", {program("one"), program("two")});
    serialize_module(both, "both.module");
    const Module read = deserialize_module("both.module");
    EXPECT_EQ(read.function_names(), (std::vector<std::string>{"one", "two"}));
    const Module none = deserialize_module(bytes_of(Module("none", target)));
    EXPECT_TRUE(none.function_names().empty());
}

TEST(SerializedModules, AreRefusedIfTheyAreDamaged) {
    const Bytes whole = bytes_of(program("plus"));
    const std::string anew = "; a serialized module is read as it was written; write it anew";
    expect_error([&] { deserialize_module(Bytes(whole.begin(), whole.begin() + 12)); }, "serialized-damaged",
                 "in a serialized module: it ends after 12 bytes" + anew, {"serialized_modules_test"});
    const language::FileKind kind = {"FLUORMOD", 1, "module"};
    const Bytes content(whole.begin() + 32, whole.end());
    const size_t step = std::max<size_t>(content.size() / 60, 1);
    for (size_t at = 0; at < content.size(); at += step) {
        Bytes changed = content;
        changed[at] ^= static_cast<uint8_t>(1U << (at % 8));
        try {
            deserialize_module(language::framed(kind, changed));
        } catch (const CompileError &error) {
            EXPECT_TRUE(error.slug() == "serialized-damaged" || error.slug() == "bad-target") << error.what();
        }
        changed.resize(at);
        EXPECT_THROW(deserialize_module(language::framed(kind, changed)), CompileError) << at;
    }
}

} // namespace
} // namespace fluorite::serialized_modules_test
