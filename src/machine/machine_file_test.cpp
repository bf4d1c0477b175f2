#include "machine/machine_file.h"

#include <gtest/gtest.h>

namespace fluorite::machine::machine_file_test {
namespace {

MeasuredMachine example() {
    MeasuredMachine machine;
    machine.processor = "A processor, family 1";
    machine.vector_bits = 256;
    machine.caches.l2_bytes = 3 << 20;
    machine.caches.memory_rate = 2.5;
    return machine;
}

std::string refusal_of(const std::string &text) {
    try {
        read_machine(text, "m.txt", Location());
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "machine-file");
        return error.message();
    }
    return "";
}

/// The example with a part of its text replaced.
std::string changed(const std::string &part, const std::string &with) {
    std::string text = write_machine(example());
    const size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return text.replace(at, part.size(), with);
}

TEST(MachineFile, IsReadAsItWasWritten) {
    const std::string text = write_machine(example());
    const MeasuredMachine read = read_machine(text, "m.txt", Location());
    EXPECT_EQ(read.processor, "A processor, family 1");
    EXPECT_EQ(read.vector_bits, 256);
    EXPECT_EQ(read.caches.l2_bytes, 3 << 20);
    EXPECT_EQ(read.caches.memory_rate, 2.5);
    EXPECT_EQ(write_machine(read), text);
}

TEST(MachineFile, RefusesOtherTexts) {
    EXPECT_EQ(refusal_of("fluorite machine 2\n"),
              "m.txt, line 1: it begins with another line; a machine file begins with 'fluorite machine 1'; write the "
              "file again with ./dev probe or measure_machine()");
    EXPECT_EQ(refusal_of(""),
              "m.txt, line 1: it ends early; write the file again with ./dev probe or measure_machine()");
    EXPECT_EQ(refusal_of(changed("memory_rate", "memory_speed")),
              "m.txt, line 9: it has 'memory_speed 2.5' in place of the row 'memory_rate'; write the file again with "
              "./dev probe or measure_machine()");
    EXPECT_EQ(
        refusal_of(changed("memory_rate 2.5", "memory_rate fast")),
        "m.txt, line 9: it states memory_rate as 'fast'; it is a number; write the file again with ./dev probe or "
        "measure_machine()");
    EXPECT_EQ(refusal_of(changed("memory_rate 2.5", "memory_rate nan")),
              "m.txt, line 9: it states memory_rate as 'nan'; it is a number; write the file again with ./dev probe or "
              "measure_machine()");
    EXPECT_EQ(
        refusal_of(changed("memory_rate 2.5", "memory_rate 0")),
        "m.txt, line 9: it states memory_rate as 0; it lies between 0.01 and 4096; write the file again with ./dev "
        "probe or measure_machine()");
    EXPECT_EQ(refusal_of(changed("dtlb_entries 64", "dtlb_entries 6.5")),
              "m.txt, line 21: it states dtlb_entries as '6.5'; it is a whole number; write the file again with ./dev "
              "probe or "
              "measure_machine()");
    EXPECT_EQ(refusal_of(changed("l2_bytes 3145728", "l2_bytes 3145728000")),
              "m.txt, line 5: it states l2_bytes as 3145728000; it lies between 1024 and 1073741824; write "
              "the file "
              "again with ./dev probe or measure_machine()");
    EXPECT_EQ(refusal_of(changed("l2_bytes 3145728", "l2_bytes 2048")),
              "m.txt, line 31: it has a cache that is larger than the next one; caches grow with their distance; write "
              "the file again with ./dev probe or measure_machine()");
    EXPECT_EQ(refusal_of(changed("end\n", "")),
              "m.txt, line 30: it ends early; write the file again with ./dev probe or measure_machine()");
    EXPECT_EQ(refusal_of(changed("end\n", "end\nmore\n")),
              "m.txt, line 32: it has lines after 'end'; write the file again with ./dev probe or measure_machine()");
    EXPECT_EQ(refusal_of(changed("end\n", "more\n")),
              "m.txt, line 31: it has a line that is not 'end' where one is expected; write the file again with ./dev "
              "probe or measure_machine()");
}

} // namespace
} // namespace fluorite::machine::machine_file_test
