// fluorite_cuda_run: runs a file of fluorite_cuda_bits on a device with CUDA, and compares the bits.
//
//   fluorite_cuda_run FILE [SECONDS]
//
// It is linked to the runtime alone, so a machine with a driver needs this program and the file. NaNs are equal,
// whatever their bits. Prints counts and the first differences.
//
// Exit code: 0, also where there is no device; 1 where bits differ or something failed; 2 for unusable arguments.

#include "fluorite/runtime/device.h"
#include "fluorite/runtime_device.h"
#include "tools/cuda_bits/recording.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

using namespace fluorite::cuda_bits;

namespace {

constexpr size_t most_differences = 40;

void must(int code, const std::string &what) {
    if (code != 0) {
        throw std::runtime_error(what + " failed with code " + std::to_string(code));
    }
}

class Run {
  public:
    explicit Run(double seconds) : seconds_(seconds) {}

    bool has_device() const { return fluorite_device_sync_global(nullptr, on_) == 0; }
    bool has_time() const { return since_start() < seconds_; }
    void upload(const std::vector<std::string> &inputs) {
        for (const std::string &input : inputs) {
            handles_.push_back(upload(input));
        }
    }
    void run(const RecordedModule &module) {
        std::vector<fluorite_device_kernel_t> kernels;
        for (size_t k = 0; k < module.names.size(); k++) {
            kernels.push_back({module.names[k].c_str(), "bits", static_cast<uint32_t>(module.flags[k]), 0, nullptr});
        }
        const fluorite_device_module_t description{module.ptx.c_str(), module.ptx.size() + 1, "", kernels.data(),
                                                   static_cast<int32_t>(kernels.size())};
        void *slot = nullptr;
        must(fluorite_device_load_module(nullptr, on_, &slot, &description), "loading a module");
        for (size_t k = 0; k < module.cases.size(); k++) {
            compare(module.cases[k], run(module.cases[k], slot, static_cast<int32_t>(k)));
        }
        must(fluorite_device_unload_module(&slot), "unloading a module");
        modules_++;
    }
    int finish() const {
        for (const std::string &text : differences_) {
            std::printf("DIFFERENT %s\n", text.c_str());
        }
        std::printf("%zu modules, %zu cases, %zu of them different, %.1f s%s\n", modules_, cases_, different_,
                    since_start(), has_time() ? "" : "; the time was over before the end of the file");
        return different_ > 0 ? 1 : 0;
    }

  private:
    const double seconds_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    const fluorite_device_interface_t *on_ = fluorite_cuda_device_interface();
    std::vector<uint64_t> handles_; // of the inputs
    size_t modules_ = 0, cases_ = 0, different_ = 0;
    std::vector<std::string> differences_;

    double since_start() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }
    uint64_t upload(const std::string &bytes) const {
        uint64_t handle = 0;
        must(fluorite_device_allocate(nullptr, on_, "bits", bytes.size(), &handle), "an allocation");
        must(fluorite_device_write(nullptr, on_, handle, 0, bytes.data(), bytes.size()), "a copy to the device");
        return handle;
    }
    std::string run(const RecordedCase &each, void *slot, int32_t number) const {
        const uint64_t out = upload(each.initial);
        std::vector<fluorite_device_argument_t> arguments;
        for (const RecordedArgument &given : each.arguments) {
            if (given.kind == RecordedArgument::Scalar) {
                arguments.push_back(
                    {fluorite_device_argument_scalar, static_cast<int32_t>(given.bytes), given.value, 0});
            } else {
                const uint64_t handle = given.kind == RecordedArgument::Input ? handles_.at(given.value) : out;
                arguments.push_back({fluorite_device_argument_memory, 0, handle, 0});
            }
        }
        int64_t blocks[3];
        int32_t threads[3];
        for (size_t axis = 0; axis < 3; axis++) {
            blocks[axis] = static_cast<int64_t>(each.grid[axis]);
            threads[axis] = static_cast<int32_t>(each.block[axis]);
        }
        must(fluorite_device_launch(nullptr, on_, slot, number, blocks, threads, static_cast<int64_t>(each.shared),
                                    arguments.data(), static_cast<int32_t>(arguments.size())),
             each.name);
        std::string seen(each.expected.size(), 0);
        must(fluorite_device_read(nullptr, on_, out, 0, seen.data(), seen.size()), each.name);
        must(fluorite_device_deallocate(nullptr, on_, out), each.name);
        return seen;
    }
    void compare(const RecordedCase &each, const std::string &seen) {
        const std::string problem = difference(each, seen);
        cases_++;
        different_ += problem.empty() ? 0 : 1;
        if (!problem.empty() && differences_.size() < most_differences) {
            differences_.push_back(problem);
        }
    }
};

} // namespace

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) {
        std::fputs("usage: fluorite_cuda_run FILE [SECONDS]\n", stderr);
        return 2;
    }
    try {
        std::ifstream file(argv[1], std::ios::binary);
        const std::vector<std::string> inputs = read_inputs(file);
        Run run(argc == 3 ? std::atof(argv[2]) : 55);
        if (!run.has_device()) {
            std::puts("there is no device with CUDA; nothing was compared");
            return 0;
        }
        run.upload(inputs);
        for (RecordedModule module; run.has_time() && read_module(file, module);) {
            run.run(module);
        }
        return run.finish();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "fluorite_cuda_run: %s\n", error.what());
        return 1;
    }
}
