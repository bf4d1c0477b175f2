// The runtime in static libraries: its members are there, or what is wrong with it is said.

#include "driver/archive.h"

#include "backends/llvm/archives.h"
#include "ir/host_target.h"
#include "support/test_errors.h"

#include <fstream>
#include <gtest/gtest.h>

namespace fluorite::driver::archive_test {
namespace {

std::string path_of(const std::string &name, const std::string &bytes) {
    std::ofstream(name, std::ios::binary) << bytes;
    return name;
}

TEST(RuntimeArchive, ItsMembersComeLast) {
    const Target &host = ir::real_host_target();
    const std::string library = backends::archive_of({{"f.o", "first"}}, host);
    const std::string runtime = path_of("runtime.a", backends::archive_of({{"a.o", "one"}, {"b.o", "two2"}}, host));
    const auto members = backends::members_of(with_runtime(library, host, "f", runtime));
    ASSERT_TRUE(members);
    ASSERT_EQ(members->size(), 3U);
    const char *const expected[][2] = {{"f.o", "first"}, {"a.o", "one"}, {"b.o", "two2"}};
    for (size_t i = 0; i < members->size(); i++) {
        EXPECT_EQ((*members)[i].name, expected[i][0]);
        EXPECT_EQ((*members)[i].bytes, expected[i][1]);
    }
    EXPECT_EQ(with_runtime(library, host.with_feature(Target::NoRuntime), "f", "nowhere.a"), library);
}

TEST(RuntimeArchive, IsThereAndAnArchive) {
    const Target &host = ir::real_host_target();
    const std::string library = backends::archive_of({{"f.o", "first"}}, host);
    expect_error<CompileError>([&] { (void)with_runtime(library, host, "f", "nowhere.a"); }, "not-built",
                               "in f: a static library asks for the runtime, which is not at nowhere.a; it is "
                               "installed beside the library; install it there");
    const std::string damaged = path_of("damaged.a", "no archive");
    expect_error<CompileError>([&] { (void)with_runtime(library, host, "f", damaged); }, "not-built",
                               "in f: a static library asks for the runtime, and what is at damaged.a is no archive; "
                               "it is installed beside the library; install it again");
}

} // namespace
} // namespace fluorite::driver::archive_test
