// The main function of every test executable. Tests that read files of the repository (golden texts, pictures) ask the
// environment for FLUORITE_SOURCE_DIR; ctest sets it, and this sets it when a test is started by hand. What tests
// compile is verified after every pass.
#include <cstdlib>
#include <gtest/gtest.h>

int main(int argc, char **argv) {
    setenv("FLUORITE_SOURCE_DIR", FLUORITE_SOURCE_DIR, /*overwrite=*/0);
    setenv("FLUORITE_VERIFY", "1", /*overwrite=*/0);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
