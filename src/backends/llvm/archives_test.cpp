// Archives: what is read is what was written, and the table has what the object files define.

#include "backends/llvm/archives.h"

#include "backends/llvm/test_support.h"

#include <gtest/gtest.h>

namespace fluorite::backends::archives_test {
namespace {

ArchiveMember object(const std::string &name, const Target &target) {
    ir::LoweredFunc func;
    func.name = name;
    func.args = {output_arg("out", Int(32), 1)};
    func.body = store("out", Expr(1), Expr(0));
    return {name + ".o", compile_to_text(func, target, OutputKind::Object)};
}

TEST(Archives, ReadWhatTheyWrite) {
    for (const char *text : {"x86-64-linux", "arm-64-osx", "x86-64-windows", "arm-64-linux"}) {
        const Target target(text);
        // A name of more than 15 letters stands in a table of its own; the other object has an odd number of bytes.
        std::vector<ArchiveMember> members = {object("a_function_with_a_long_name", target), object("f", target)};
        members.push_back({"odd", "abc"});
        const std::string archive = archive_of(members, target);
        EXPECT_EQ(archive, archive_of(members, target));
        const auto read = members_of(archive);
        ASSERT_TRUE(read) << text;
        ASSERT_EQ(read->size(), members.size()) << text;
        for (size_t i = 0; i < members.size(); i++) {
            EXPECT_EQ((*read)[i].name, members[i].name) << text;
            EXPECT_EQ((*read)[i].bytes.substr(0, members[i].bytes.size()), members[i].bytes) << text;
        }
        // The table comes first, before all names of members.
        const size_t symbol = archive.find("a_function_with_a_long_name_metadata");
        EXPECT_LT(symbol, archive.find(members[0].bytes)) << text;
    }
}

TEST(Archives, OtherBytesAreNone) {
    EXPECT_FALSE(members_of(""));
    EXPECT_FALSE(members_of("!<arch"));
    const std::string archive = archive_of({object("f", Target("x86-64-linux"))}, Target("x86-64-linux"));
    EXPECT_TRUE(members_of(archive));
    EXPECT_FALSE(members_of(archive.substr(0, archive.size() / 2)));
    EXPECT_FALSE(members_of("no " + archive));
}

} // namespace
} // namespace fluorite::backends::archives_test
