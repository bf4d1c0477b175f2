// Programs written against Halide's public API compile unchanged and run. Each of tests/compat/programs is one, with
// checks of its own; it returns 0 where all is right. The build renames each main to program_<name>, and lists them in
// a file that COMPAT_PROGRAMS names.

#include <gtest/gtest.h>

#define PROGRAM(name) int program_##name();
#include COMPAT_PROGRAMS
#undef PROGRAM

#define PROGRAM(name)                                                                                                  \
    TEST(CompatPrograms, name) { EXPECT_EQ(program_##name(), 0); }
#include COMPAT_PROGRAMS
#undef PROGRAM
