#include "support/own_folder.h"

#include <gtest/gtest.h>

namespace fluorite::own_folder_test {
namespace {

TEST(OwnFolder, IsThatOfTheProgramWhichContainsTheCode) {
    EXPECT_EQ(own_folder(), std::filesystem::read_symlink("/proc/self/exe").parent_path());
}

} // namespace
} // namespace fluorite::own_folder_test
