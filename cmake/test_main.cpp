// The main function of every test executable. Tests that read files of the repository (golden texts, pictures) read
// FLUORITE_SOURCE_DIR from the environment; ctest sets it, and main sets it when a test is started by hand. The IR of
// what tests compile is verified after every pass.
#include <cstdlib>
#include <gtest/gtest.h>

int main(int argc, char **argv) {
    setenv("FLUORITE_SOURCE_DIR", FLUORITE_SOURCE_DIR, /*overwrite=*/0);
    setenv("FLUORITE_VERIFY", "1", /*overwrite=*/0);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
