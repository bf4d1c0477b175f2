// Programs written against Halide's public API compile unchanged and run. Each file of tests/compat/programs is such a
// program; it checks its results and returns 0 if they are right. The build renames each main to program_<name>, and
// lists them in the file given by COMPAT_PROGRAMS.

#include <gtest/gtest.h>

#define PROGRAM(name) int program_##name();
#include COMPAT_PROGRAMS
#undef PROGRAM

#define PROGRAM(name)                                                                                                  \
    TEST(CompatPrograms, name) { EXPECT_EQ(program_##name(), 0); }
#include COMPAT_PROGRAMS
#undef PROGRAM
