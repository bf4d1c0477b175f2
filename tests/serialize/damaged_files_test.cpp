// Files that are no pipelines are refused, whatever is wrong with them.
#include "fluorite/distributed.h"
#include "fluorite/fluorite.h"
#include "fluorite/serialization.h"
#include "language/serialize/pipeline_file.h"
#include "support/test_errors.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace fluorite::damaged_files_test {
namespace {

using Bytes = std::vector<uint8_t>;

struct Program {
    ImageParam in{UInt(8), 2, "in"};
    Param<int> gain{"gain", 3};
    Func f{"f"}, g{"g"};
    Var x{"x"}, y{"y"};
    RDom r{0, 3, "r"};

    Program() {
        r.where(r.x < gain);
        f(x, y) = cast<int>(in(x, y)) * gain;
        f(x, y) += cast<int>(in(x + r, y));
        g(x, y) = f(x, y) + f(x + 1, y);
        in.in(f).compute_root();
        f.compute_at(g, y).vectorize(x, 4);
    }
    Bytes bytes() const {
        Bytes written;
        serialize_pipeline(g, written);
        return written;
    }
};

const std::string anew = "; a serialized pipeline is read as it was written; write it anew";

void expect_refused(const Bytes &bytes, const std::string &slug, const std::string &message) {
    expect_error([&] { deserialize_pipeline(bytes); }, slug, "in a serialized pipeline" + message,
                 {"damaged_files_test"});
    expect_error([&] { deserialize_parameters(bytes); }, slug, "in a serialized pipeline" + message,
                 {"damaged_files_test"});
}

TEST(DamagedPipelines, AreToldApart) {
    const Bytes whole = Program().bytes();
    expect_refused({}, "serialized-damaged", ": it does not begin with the word FLUORPIP" + anew);
    expect_refused({whole.begin(), whole.begin() + 20}, "serialized-damaged", ": it ends after 20 bytes" + anew);
    Bytes changed = whole;
    changed[0] = 'f';
    expect_refused(changed, "serialized-damaged", ": it does not begin with the word FLUORPIP" + anew);
    changed = whole;
    changed.back() ^= 0x10;
    expect_refused(changed, "serialized-damaged", ": the hash of its content is not that of the header" + anew);
    changed = whole;
    changed.push_back(0);
    expect_refused(changed, "serialized-damaged",
                   ": its content has " + std::to_string(whole.size() - 31) + " bytes, and the header says " +
                       std::to_string(whole.size() - 32) + anew);
    changed = whole;
    changed[8] = 200;
    expect_refused(changed, "serialized-version",
                   ": it has version 200 of the format, and this library reads 1; a file is read by libraries of its "
                   "version; write it anew");
}

Bytes with_frame(const Bytes &content) { return language::framed(language::pipeline_file, content); }

/// Whether the content is that of a pipeline. Whatever is not is refused with the same slug.
bool is_accepted(const Bytes &content) {
    try {
        deserialize_pipeline(with_frame(content));
        return true;
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "serialized-damaged") << error.what();
        return false;
    }
}

TEST(DamagedPipelines, AreRefusedWhereverTheContentEnds) {
    const Bytes whole = Program().bytes(), content(whole.begin() + 32, whole.end());
    for (size_t end = 0; end < content.size(); end++) {
        EXPECT_FALSE(is_accepted({content.begin(), content.begin() + static_cast<long>(end)})) << end;
    }
    EXPECT_TRUE(is_accepted(content));
}

TEST(DamagedPipelines, AreReadOrRefusedWithAnyBitChanged) {
    const Bytes whole = Program().bytes(), content(whole.begin() + 32, whole.end());
    size_t accepted = 0;
    for (size_t at = 0; at < content.size(); at++) {
        for (int bit = 0; bit < 8; bit += 3) {
            Bytes changed = content;
            changed[at] ^= static_cast<uint8_t>(1 << bit);
            accepted += is_accepted(changed) ? 1 : 0;
        }
    }
    EXPECT_GT(accepted, 0U); // names and numbers
    EXPECT_LT(accepted, content.size() * 3 / 2);
}

TEST(DamagedPipelines, SayWhatNoProgramHas) {
    const auto content = [](const std::function<void(language::ByteWriter &)> &write) {
        language::ByteWriter writer;
        write(writer);
        return with_frame(writer.take());
    };
    const std::string unchanged = "; what is read is what this library has written, unchanged; write it anew";
    using language::Entry;
    const auto entry = [](Entry which) { return static_cast<uint64_t>(which); };
    expect_refused(content([&](auto &out) { out.number(entry(Entry::End)); }), "serialized-damaged",
                   ", at byte 1: the pipeline has no outputs" + unchanged);
    expect_refused(content([&](auto &out) { out.number(99); }), "serialized-damaged",
                   ", at byte 1: an entry has number 99 of 26" + unchanged);
    expect_refused(content([&](auto &out) {
                       out.number(entry(Entry::Word));
                       out.number(uint64_t{1} << 60);
                   }),
                   "serialized-damaged",
                   ", at byte 10: it ends where 1152921504606846976 more bytes are expected" + unchanged);
    expect_refused(content([&](auto &out) {
                       out.number(entry(Entry::Function));
                       out.number(0);
                   }),
                   "serialized-damaged", ", at byte 2: a name has number 0 of 0" + unchanged);
}

TEST(SerializedFiles, AreReadFromPathsAndStreams) {
    const Program program;
    serialize_pipeline(program.g, "program.hlpipe");
    EXPECT_EQ(deserialize_pipeline("program.hlpipe").schedule(), Pipeline(program.g).schedule());
    std::ifstream file("program.hlpipe", std::ios::binary);
    EXPECT_EQ(deserialize_pipeline(file).schedule(), Pipeline(program.g).schedule());
    const Bytes bytes = program.bytes();
    std::istringstream stream(std::string(bytes.begin(), bytes.end()));
    EXPECT_EQ(deserialize_parameters(stream).size(), 2U);
    EXPECT_EQ(deserialize_parameters("program.hlpipe").size(), 2U);
    expect_error([&] { deserialize_pipeline("absent.hlpipe"); }, "serialized-file",
                 "cannot read the file 'absent.hlpipe'; it must exist and be readable; give another path",
                 {"damaged_files_test"});
    expect_error([&] { serialize_pipeline(program.g, "absent/p.hlpipe"); }, "serialized-file",
                 "cannot write the file 'absent/p.hlpipe'; its folder must exist and be writable; give another path",
                 {"damaged_files_test"});
}

TEST(SerializedPipelines, RefuseOtherParameters) {
    const Bytes bytes = Program().bytes();
    const ImageParam other(UInt(8), 3, "other");
    expect_error([&] { deserialize_pipeline(bytes, {{"in", other.parameter()}}); }, "serialized-parameter",
                 "in a serialized pipeline: the parameter 'in' that is given is an image of uint8 with 3 dimensions, "
                 "and the pipeline reads an image of uint8 with 2 dimensions; a parameter is replaced by one like it; "
                 "give such a one, or none",
                 {"damaged_files_test"});
    expect_error([&] { deserialize_pipeline(bytes, {{"gain", {}}}); }, "serialized-parameter",
                 "in a serialized pipeline: the parameter 'gain' that is given is undefined, and the pipeline reads a "
                 "scalar of type int32; a parameter is replaced by one like it; give such a one, or none",
                 {"damaged_files_test"});
}

TEST(SerializedPipelines, RefuseWhatNoFileHolds) {
    Bytes bytes;
    expect_error([&] { serialize_pipeline(Pipeline(), bytes); }, "no-outputs",
                 "in a Pipeline: it is serialized and has no outputs; a Pipeline has one or more; give Funcs",
                 {"damaged_files_test"});
    Func f("f"), g("g");
    Var x("x"), u("u"), y("y");
    RDom r(0, 8, 0, 4, "r");
    f(x) = 0;
    f(x) += x * r.x + r.y;
    Func partial = f.update().rfactor(r.y, u);
    g(x, y) = f(x) + partial(x, y);
    expect_error(
        [&] { serialize_pipeline(g, bytes); }, "not-serializable",
        "in f_intm: it holds the partial results of rfactor, and the program calls it by name; a file has such "
        "Funcs as lines of the schedule; call rfactor after reading",
        {"damaged_files_test"});
    EXPECT_TRUE(bytes.empty());
}

} // namespace
} // namespace fluorite::damaged_files_test
