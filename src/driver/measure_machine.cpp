// The probe of a machine: small pipelines, each of which is bound by one of the numbers that automatic schedules use.
//
//   number                what is measured
//   --------------------  ------------------------------------------------------------------------------------------
//   (cycles)              a chain of dependent integer additions, one cycle each; all other numbers are in such cycles
//   l2_rate     a row of floats added to another one again and again; both together are larger than the
//   llc_rate       level before and smaller than this level: two rows are read, and one is written
//   memory_rate
//   vector_operations     a chain of multiplications, minima and additions for each of several vectors in registers
//   gathered_cycles       lookups in a small table, at indices from memory in the first cache
//   task_cycles           a parallel loop of two tasks, against the work of one of them; of machines with two cores
//   allocation_cycles     memory of some pages that is taken and given back
//   fresh_byte_cycles     the first store to each page of memory that is mapped anew, in huge pages if there are any
//
// The least of several runs counts, since whatever disturbs a run makes it longer. The code is what the compiler makes
// for the target of the environment, this machine or one with fewer features, so the rates are those that pipelines can
// reach. Sizes and ways of caches are what the system
// states. All other numbers are those of the processor's row.
//
// Cost: two to four seconds, half of them to compile.

#include "fluorite/measure_machine.h"

#include "driver/this_machine.h"
#include "fluorite/fluorite.h"
#include "machine/machine_file.h"
#include "machine/machine_model.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace fluorite {

namespace {

using Clock = std::chrono::steady_clock;

template <typename Work> double seconds_of(const Work &work) {
    const Clock::time_point begin = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The least time of several runs; the first one, which compiles and touches memory, does not count.
template <typename Work> double least_seconds(int runs, const Work &work) {
    work();
    double least = seconds_of(work);
    for (int run = 1; run < runs; ++run) {
        least = std::min(least, seconds_of(work));
    }
    return least;
}

double measure_cycles_a_second() {
    constexpr int64_t additions = 2'000'000; // less than a millisecond: some run is not interrupted
    const double seconds = least_seconds(60, [&] {
        int64_t sum = 0;
        for (int64_t i = 0; i < additions; i += 8) {
            for (int k = 0; k < 8; ++k) {
                sum += i;
                asm volatile("" : "+r"(sum)); // keeps each addition, after the one before
            }
        }
    });
    return static_cast<double>(additions) / seconds;
}

class Probe {
  public:
    Probe(const Target &target, const std::function<void(const std::string &)> &progress)
        : target_(target), lanes_(target.natural_vector_size<float>()), progress_(progress) {
        say("cycles");
        frequency_ = measure_cycles_a_second();
    }

    machine::CacheModel measure() {
        machine::CacheModel caches = machine::cache_model(machine::machine_model(target_));
        state_sizes(caches);
        say("the rate of the second cache");
        caches.l2_rate = rate((caches.l1_bytes + caches.l2_bytes) / 2);
        say("the rate of the last cache");
        const int64_t last = std::min(caches.llc_bytes, 8 * caches.l2_bytes);
        caches.llc_rate = rate((caches.l2_bytes + last) / 2);
        say("the rate of the memory");
        caches.memory_rate = rate(std::max(4 * caches.llc_bytes, int64_t(64) << 20));
        say("vector operations");
        caches.vector_operations = vector_operations();
        say("gathered elements");
        caches.gathered_cycles = gathered_cycles();
        if (std::thread::hardware_concurrency() > 1) {
            say("tasks");
            caches.task_cycles = task_cycles();
        }
        say("memory that is taken");
        caches.allocation_cycles = cycles(least_seconds(20, [] { take(16 * 1024); }));
        caches.fresh_byte_cycles = fresh_byte_cycles(caches.page_bytes);
        return caches;
    }

  private:
    const Target target_;
    const int lanes_;
    const std::function<void(const std::string &)> &progress_;
    double frequency_ = 0;

    void say(const std::string &what) const {
        if (progress_) {
            progress_("measuring " + what);
        }
    }

    double cycles(double seconds) const { return seconds * frequency_; }

    static void take(size_t bytes) {
        void *memory = std::malloc(bytes);
        asm volatile("" : : "r"(memory) : "memory");
        std::free(memory);
    }

    /// What the system does not state stays as it is.
    static void state_sizes(machine::CacheModel &caches) {
        const auto state = [](int64_t &number, int name) {
            const int64_t value = sysconf(name);
            number = value > 0 ? value : number;
        };
        state(caches.l1_bytes, _SC_LEVEL1_DCACHE_SIZE);
        state(caches.l2_bytes, _SC_LEVEL2_CACHE_SIZE);
        state_last_cache(caches);
        state(caches.line_bytes, _SC_LEVEL1_DCACHE_LINESIZE);
        state(caches.l1_ways, _SC_LEVEL1_DCACHE_ASSOC);
        state(caches.l2_ways, _SC_LEVEL2_CACHE_ASSOC);
        state(caches.page_bytes, _SC_PAGESIZE);
        caches.l2_bytes = std::max(caches.l2_bytes, caches.l1_bytes);
        caches.llc_bytes = std::max(caches.llc_bytes, caches.l2_bytes);
    }

    /// What one core shares with others, as Linux lists it; sysconf() multiplies it with their number on some machines.
    static void state_last_cache(machine::CacheModel &caches) {
        std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
        int64_t kibibytes = 0;
        char unit = 0;
        if (file >> kibibytes >> unit && unit == 'K' && kibibytes > 0) {
            caches.llc_bytes = kibibytes * 1024;
        }
    }

    /// Bytes a cycle that move between a core and the level that holds so many bytes.
    double rate(int64_t bytes) {
        const int32_t points = std::max<int32_t>(1, static_cast<int32_t>(bytes / 8 / lanes_)) * lanes_;
        const int32_t rounds = std::max<int32_t>(1, static_cast<int32_t>((int64_t(16) << 20) / bytes));
        Buffer<float> row(points);
        row.fill(1.0f);
        Buffer<float> sums(points);
        Var x("x");
        RDom r(0, rounds);
        Func sum("sum");
        sum(x) = undef<float>();
        sum(x) += row(x) * cast<float>(r);
        sum.update().reorder(x, r).vectorize(x, lanes_);
        sum.bound(x, 0, points);
        sum.compile_jit(target_);
        sums.fill(0.0f);
        const double seconds = least_seconds(bytes > (int64_t(16) << 20) ? 3 : 12, [&] { sum.realize(sums, target_); });
        return 3.0 * sizeof(float) * points * rounds / cycles(seconds);
    }

    double vector_operations() {
        constexpr int chain = 8, vectors = 8, rounds = 2000;
        const int32_t points = vectors * lanes_;
        Var x("x");
        RDom r(0, rounds);
        Func value("value");
        value(x) = cast<float>(x);
        Expr changed = value(x);
        for (int i = 0; i < chain; ++i) { // a minimum stands between, so that nothing is fused
            changed = min(changed * (0.5f + static_cast<float>(i)), 100.0f + static_cast<float>(i)) + 1.5f;
        }
        value(x) = changed + cast<float>(r);
        value.update().reorder(x, r).vectorize(x, lanes_).unroll(x);
        value.bound(x, 0, points);
        value.compile_jit(target_);
        Buffer<float> values(points);
        const double seconds = least_seconds(12, [&] { value.realize(values, target_); });
        return 3.0 * chain * vectors * rounds / cycles(seconds);
    }

    double gathered_cycles() {
        constexpr int32_t points = 1024, rounds = 1000;
        Buffer<float> table(points);
        table.fill(1.0f);
        Buffer<int32_t> indices(points);
        indices.for_each_element([&](int i) { indices(i) = i * 389 % points; });
        Var x("x");
        RDom r(0, rounds);
        Func sum("sum");
        sum(x) = 0.0f;
        sum(x) += table(clamp(indices(x), 0, points - 1)) * cast<float>(r);
        sum.update().reorder(x, r).vectorize(x, lanes_);
        sum.bound(x, 0, points);
        sum.compile_jit(target_);
        Buffer<float> sums(points);
        const double seconds = least_seconds(12, [&] { sum.realize(sums, target_); });
        return cycles(seconds) / (double(points) * rounds);
    }

    /// How much longer two tasks take, at once, than the work of one of them does.
    double task_cycles() {
        constexpr int32_t rounds = 50, steps = 10000;
        Var x("x");
        RDom r(0, steps, 0, rounds);
        Func tasks("tasks"), work("work");
        for (Func *func : {&tasks, &work}) {
            (*func)(x) = 0.0f;
            (*func)(x) += cast<float>(r.x);
            func->update().reorder(r.x, x, r.y);
        }
        tasks.bound(x, 0, 2).update().parallel(x);
        work.bound(x, 0, 1);
        Buffer<float> two(2), one(1);
        tasks.compile_jit(target_);
        work.compile_jit(target_);
        const double at_once = least_seconds(5, [&] { tasks.realize(two, target_); });
        const double alone = least_seconds(5, [&] { work.realize(one, target_); });
        return std::max(1.0, cycles(at_once - alone) / rounds);
    }

    /// As the runtime maps blocks that it does not keep: in huge pages, where the system has them.
    double fresh_byte_cycles(int64_t page) const {
        constexpr size_t bytes = size_t(64) << 20;
        const double seconds = least_seconds(3, [&] {
            void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (memory == MAP_FAILED) {
                throw std::bad_alloc();
            }
            madvise(memory, bytes, MADV_HUGEPAGE);
            for (size_t i = 0; i < bytes; i += static_cast<size_t>(page)) {
                static_cast<volatile char *>(memory)[i] = 1;
            }
            munmap(memory, bytes);
        });
        return cycles(seconds) / double(bytes);
    }
};

} // namespace

std::string measure_machine(const std::function<void(const std::string &)> &progress) {
    const Target target = get_jit_target_from_environment();
    machine::MeasuredMachine machine;
    machine.processor = driver::this_processor();
    machine.vector_bits = machine::machine_model(target).vector_bits;
    machine.caches = Probe(target, progress).measure();
    return machine::write_machine(machine);
}

} // namespace fluorite
