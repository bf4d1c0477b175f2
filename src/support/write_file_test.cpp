#include "support/write_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace fluorite::write_file_test {
namespace {

namespace fs = std::filesystem;

class WriteFile : public ::testing::Test {
  protected:
    fs::path folder = fs::path(::testing::TempDir()) /
                      (std::string("write_file_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    void SetUp() override {
        fs::remove_all(folder);
        fs::create_directories(folder);
    }
    void TearDown() override { fs::remove_all(folder); }

    static std::string read(const fs::path &path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    size_t files() const {
        return static_cast<size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }
};

TEST_F(WriteFile, ReplacesAndLeavesNothingBeside) {
    ASSERT_TRUE(write_file(folder / "a", "one"));
    ASSERT_TRUE(write_file(folder / "a", std::string("t\0o", 3)));
    EXPECT_EQ(read(folder / "a"), std::string("t\0o", 3));
    EXPECT_EQ(files(), 1u);
}

TEST_F(WriteFile, FollowsLinksAndKeepsThem) {
    ASSERT_TRUE(write_file(folder / "a", "one"));
    fs::create_symlink("a", folder / "link");
    ASSERT_TRUE(write_file(folder / "link", "two"));
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(read(folder / "a"), "two");
    fs::create_symlink("new", folder / "dangling");
    ASSERT_TRUE(write_file(folder / "dangling", "three"));
    EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
    EXPECT_EQ(read(folder / "new"), "three");
}

TEST_F(WriteFile, WritesDevicesInPlace) {
    fs::create_symlink("/dev/null", folder / "null");
    ASSERT_TRUE(write_file(folder / "null", "gone"));
    EXPECT_TRUE(fs::is_symlink(folder / "null"));
    EXPECT_TRUE(fs::is_character_file(folder / "null"));
    EXPECT_EQ(files(), 1u);
}

TEST_F(WriteFile, RefusesFoldersAndMissingFolders) {
    EXPECT_FALSE(write_file(folder, "x"));
    EXPECT_FALSE(write_file(folder / "missing" / "a", "x"));
    EXPECT_EQ(files(), 0u);
}

} // namespace
} // namespace fluorite::write_file_test
