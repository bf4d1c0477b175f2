// Automatic schedules from the numbers of a measured machine.

#include "driver/test_back_end.h"
#include "driver/this_machine.h"
#include "fluorite/fluorite.h"
#include "fluorite/measure_machine.h"
#include "machine/machine_file.h"
#include "machine/machine_model.h"
#include "support/test_errors.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

namespace fluorite::machine_file_test {
namespace {

class MachineFile : public testing::Test {
  protected:
    Var x{"x"}, y{"y"};
    ImageParam input{Float(32), 2, "input"};
    Func blur_x{"blur_x"}, out{"out"};
    const Target target = get_host_target();

    void SetUp() override {
        blur_x(x, y) = input(x, y) + input(x + 1, y) + input(x + 2, y) * 0.5f;
        out(x, y) = blur_x(x, y) + blur_x(x, y + 1) + blur_x(x, y + 2) * 0.5f;
    }

    /// This machine, with the costs of its row.
    machine::MeasuredMachine this_machine() const {
        machine::MeasuredMachine machine;
        machine.processor = driver::this_processor();
        machine.vector_bits = machine::machine_model(target).vector_bits;
        machine.caches = machine::cache_model(machine::machine_model(target));
        return machine;
    }

    static AutoScheduleOptions with(const machine::MeasuredMachine &machine) {
        std::ofstream("machine.txt") << machine::write_machine(machine);
        AutoScheduleOptions options;
        options.sizes = {4000, 3000};
        options.parallelism = 2;
        options.machine_file = "machine.txt";
        return options;
    }

    AutoSchedule found(const AutoScheduleOptions &options) const {
        Pipeline pipeline(out);
        pipeline.apply(Schedule());
        return pipeline.auto_schedule(options);
    }
};

TEST_F(MachineFile, TheRowsOwnNumbersChangeNothing) {
    AutoScheduleOptions options = with(this_machine());
    const AutoSchedule measured = found(options);
    EXPECT_NE(measured.explanation.find(", 2 threads, as measured in machine.txt\n"), std::string::npos)
        << measured.explanation;
    options.machine_file = "";
    EXPECT_EQ(found(options).schedule, measured.schedule);
}

TEST_F(MachineFile, NumbersDecide) {
    machine::MeasuredMachine slow = this_machine();
    slow.caches.memory_rate = 0.1;
    EXPECT_NE(found(with(slow)).explanation, found(with(this_machine())).explanation);
    machine::MeasuredMachine without_memory = this_machine(); // there is nothing to gain from computing things together
    without_memory.caches.memory_rate = without_memory.caches.llc_rate = 4096;
    without_memory.caches.l2_rate = 4096;
    without_memory.caches.stream_cycles = without_memory.caches.fresh_byte_cycles = 0;
    EXPECT_NE(found(with(without_memory)).schedule.text(), found(with(this_machine())).schedule.text());
}

TEST_F(MachineFile, IsNamedByTheEnvironmentOrTheOption) {
    AutoScheduleOptions options = with(this_machine());
    options.machine_file = "";
    setenv("FLUORITE_MACHINE_FILE", "machine.txt", 1);
    const std::string text = found(options).explanation;
    setenv("FLUORITE_MACHINE_FILE", "elsewhere.txt", 1);
    expect_error(
        [&] { found(options); }, "machine-file",
        "elsewhere.txt: it cannot be read; a machine file must exist; write one with ./dev probe or measure_machine()");
    options.machine_file = "machine.txt";
    EXPECT_NE(found(options).explanation.find("as measured in machine.txt"), std::string::npos);
    unsetenv("FLUORITE_MACHINE_FILE");
    EXPECT_NE(text.find("as measured in machine.txt"), std::string::npos) << text;
}

TEST_F(MachineFile, OfAnotherMachineIsRefused) {
    machine::MeasuredMachine other = this_machine();
    other.processor = "Another one";
    AutoScheduleOptions options = with(other);
    expect_error(
        [&] { found(options); }, "machine-file",
        "machine.txt: it was measured on 'Another one', and this is '" + driver::this_processor() +
            "'; a machine file is for the machine that code is made for; measure this one with ./dev probe, or state "
            "the target");
    options.target = target;
    EXPECT_NO_THROW(found(options));
    other.vector_bits = 64;
    with(other);
    expect_error(
        [&] { found(options); }, "machine-file",
        "machine.txt: it was measured with vectors of 64 bits, and the target has " +
            std::to_string(this_machine().vector_bits) +
            "; rates are those of whole vectors; measure the machine that the target is of, or leave the file out");
}

TEST_F(MachineFile, IsMeasured) {
    SKIP_IN_EXECUTOR("there are no instructions to measure");
    size_t lines = 0;
    const std::string text = measure_machine([&](const std::string &) { ++lines; });
    EXPECT_GE(lines, 7U);
    const machine::MeasuredMachine measured = machine::read_machine(text, "measured", Location());
    EXPECT_EQ(measured.processor, driver::this_processor());
    std::ofstream("machine.txt") << text;
    AutoScheduleOptions options;
    options.sizes = {4000, 3000};
    options.machine_file = "machine.txt";
    EXPECT_NO_THROW(found(options));
}

} // namespace
} // namespace fluorite::machine_file_test
