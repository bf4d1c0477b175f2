// Applications on a GPU: `./dev bench --gpu`, or this program alone beside libfluorite.so where there is no compiler.
//
//     bench_gpu [--device cuda|opencl|executor] [--apps NAME[,NAME...]] [--sizes MEGAPIXELS[,...]] [--seconds S]
//               [--json FILE] [--list]
//
// Each application is defined once with its schedule for GPUs and runs on inputs that are on the device. For each size:
// the least and the median time of a run (of many runs between two waits for the device, divided by their number), the
// time of one run with the wait, the time of a copy on the device of as many bytes as the application has to move at
// the least, copies to and from the host, kernels, and whether the bits are those of the code for this machine's
// processor with the schedule by hand. Bits are compared at the first size. The last column is a checksum of the
// output's bytes: the one that CUDA written by hand prints for the same inputs (`--by-hand`, cuda/by_hand.cu). An
// application that fails has a row that says how, and the next one is run.
//
// `--json` writes what is printed as benchmarks/recorded keeps it. `--device executor` runs the loop IR without a
// device, at a size of its own: a rehearsal, whose times say nothing.
#include "benchmarks/arguments.h"
#include "benchmarks/checksum.h"
#include "benchmarks/gpu_cases.h"
#include "benchmarks/gpu_device.h"

#include "fluorite/runtime_device.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <unistd.h>

namespace {

using auto_cases::Made;
using gpu_cases::GpuApp;
using Halide::Buffer;
using Halide::Target;

struct Size {
    int width, height;
};

struct Options {
    std::string device = "cuda", json;
    std::vector<std::string> apps;
    std::vector<Size> sizes = {{2048, 2048}, {8192, 8192}};
    double seconds = 0.5; // for each application and size
    bool lists = false;

    bool has_device() const { return device != "executor"; }
};

double seconds_of(const std::function<void()> &work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double least(const std::vector<double> &times) { return *std::min_element(times.begin(), times.end()); }
double median(std::vector<double> times) {
    std::nth_element(times.begin(), times.begin() + static_cast<ptrdiff_t>(times.size() / 2), times.end());
    return times[times.size() / 2];
}

const fluorite_device_interface_t *interface_of(const Options &options) {
    return options.device == "cuda"     ? fluorite_cuda_device_interface()
           : options.device == "opencl" ? fluorite_opencl_device_interface()
                                        : nullptr;
}

std::string device_text(const Options &options) {
    return options.device == "cuda"     ? gpu_cases::cuda_device_text()
           : options.device == "opencl" ? gpu_cases::opencl_device_text()
                                        : "the executor of loop IR (a rehearsal: no device)";
}

Target target_of(const Options &options) {
    Target target = Halide::get_host_target();
    if (options.has_device()) {
        target.set_feature(options.device == "cuda" ? Target::CUDA : Target::OpenCL);
    }
    return target;
}

/// The runtime's functions report what failed before they return its code.
void check(int code, const char *what) {
    if (code != 0) {
        throw std::runtime_error(std::string(what) + " failed with code " + std::to_string(code));
    }
}

struct Times {
    std::vector<double> runs; // one run each
    double single = 0;        // with the wait for the device
};

/// Times of runs between two waits, for about so many seconds.
Times time_runs(const std::function<void()> &run, const std::function<void()> &wait, double seconds) {
    const auto batch = [&](int count) {
        return seconds_of([&] {
            for (int i = 0; i < count; i++) {
                run();
            }
            wait();
        });
    };
    Times times;
    batch(1); // compiles, copies the inputs
    times.single = seconds > 0 ? std::min(batch(1), batch(1)) : batch(1);
    const int count = std::clamp(static_cast<int>(2e-3 / times.single), 1, 100);
    double all = 0;
    do {
        const double time = batch(count);
        all += time;
        times.runs.push_back(time / count);
    } while (all < seconds || (seconds > 0 && times.runs.size() < 3));
    return times;
}

/// The least time of a copy on the device that reads and writes so many bytes together.
double copy_time(double bytes, const Options &options) {
    const auto *device = interface_of(options);
    const int words = std::max(1, static_cast<int>(std::min(bytes / 8, 1e9)));
    Buffer<float> from(words), to(words);
    from.fill(1);
    check(from.copy_to_device(device), "copying to the device");
    check(to.device_malloc(device), "allocating on the device");
    const auto copy = [&] {
        check(fluorite_buffer_copy(nullptr, from.raw_buffer(), device, to.raw_buffer()), "copying on the device");
    };
    const Times times = time_runs(copy, [&] { check(to.device_sync(), "waiting for the device"); }, 0.05);
    return least(times.runs) * bytes / (8.0 * words);
}

/// How many kernels the compiled pipeline has.
int kernels_of(Made &made, const Target &target) {
    const std::string path = "bench_gpu_" + std::to_string(getpid()) + ".txt";
    made.output.compile_to_lowered_stmt(path, made.output.infer_arguments(), Halide::Text, target);
    std::ifstream file(path);
    int count = 0;
    for (std::string line; std::getline(file, line);) {
        count += line.rfind("kernel ", 0) == 0 ? 1 : 0;
    }
    std::remove(path.c_str());
    return count;
}

/// Whether the output has the bits of code for the processor.
std::string compared(const auto_cases::Case &app, const Buffer<> &output, const Options &options) {
    if (!options.has_device()) {
        unsetenv("FLUORITE_BACK_END");
    }
    const Made made = app.make(apps::Schedule::Hand);
    Buffer<> expected(made.output.type(), app.extents);
    Halide::Func func = made.output;
    func.realize(expected, Halide::get_host_target());
    const auto *is = reinterpret_cast<const unsigned char *>(output.data()),
               *should = reinterpret_cast<const unsigned char *>(expected.data());
    const size_t bytes = static_cast<size_t>(output.type().bytes()), all = output.number_of_elements();
    size_t wrong = 0;
    for (size_t i = 0; i < all; i++) {
        wrong += std::memcmp(is + i * bytes, should + i * bytes, bytes) != 0 ? 1 : 0;
    }
    return wrong == 0 ? "equal" : std::to_string(wrong) + " of " + std::to_string(all) + " DIFFER";
}

/// What is printed, which --json keeps.
class Page {
  public:
    void line(const std::string &text) {
        lines_.push_back(text);
        std::printf("%s\n", text.c_str());
        std::fflush(stdout);
    }
    /// As benchmarks/recorded.py keeps the lines that a run prints.
    void write(const std::string &path, const std::string &command) const {
        char date[16];
        const std::time_t now = std::time(nullptr);
        std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
        double load = 0;
        getloadavg(&load, 1);
        std::ofstream file(path);
        file << "{\n \"command\": \"" << command << "\",\n \"date\": \"" << date << "\",\n \"lines\": [";
        for (size_t i = 0; i < lines_.size(); i++) {
            file << (i > 0 ? "," : "") << "\n  \"" << escaped(lines_[i]) << '"';
        }
        file << "\n ],\n \"load\": " << load << ",\n \"processor\": \"" << escaped(processor()) << "\"\n}\n";
        if (!file.flush()) {
            throw std::runtime_error("cannot write " + path);
        }
    }

  private:
    static std::string escaped(const std::string &text) {
        std::string result;
        for (const char c : text) {
            result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c < ' ' ? ' ' : c);
        }
        return result;
    }
    static std::string processor() {
        std::ifstream file("/proc/cpuinfo");
        for (std::string line; std::getline(file, line);) {
            if (line.rfind("model name", 0) == 0) {
                return line.substr(line.find(": ") + 2);
            }
        }
        return "an unknown processor";
    }

    std::vector<std::string> lines_;
};

std::string milliseconds(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", seconds * 1e3);
    return text;
}

/// One row of the table.
std::string measured(const GpuApp &app, const Size &size, bool compares, const Options &options) {
    if (!options.has_device()) {
        setenv("FLUORITE_BACK_END", "executor", 1);
    }
    const Target target = target_of(options);
    const auto_cases::Case made_for = app.make(size.width, size.height);
    Made made = made_for.make(apps::Schedule::Gpu);
    Buffer<> output(made.output.type(), made_for.extents);
    const auto run = [&] { made.output.realize(output, target); };
    const auto wait = [&] { check(output.device_sync(), "waiting for the device"); };
    const double compiling = seconds_of([&] { made.output.compile_jit(target); });
    const Times times = time_runs(run, wait, options.seconds);
    double pixels = static_cast<double>(output.number_of_elements());
    if (made_for.extents.size() > 2 && app.name.rfind("minifluxdiv", 0) != 0) { // the work is given for a pixel
        const bool is_cube = made_for.extents[2] > 4;
        pixels = is_cube || app.name == "conv_layer" ? pixels : pixels / made_for.extents[2];
    }
    const gpu_cases::Work work = app.work(pixels);
    const double copy = options.has_device() ? copy_time(work.bytes, options) : 0;
    double in = 0, out = 0;
    if (options.has_device()) {
        in = seconds_of([&] {
            for (Halide::ImageParam &param : made.inputs) {
                Buffer<> input = param.get();
                input.set_host_dirty();
                check(input.copy_to_device(interface_of(options)), "copying to the device");
            }
        });
        out = seconds_of([&] { check(output.copy_to_host(), "copying to the host"); });
    }
    const std::string bits = compares ? compared(made_for, output, options) : "not compared";
    const double best = least(times.runs);
    char text[512];
    std::snprintf(text, sizeof text,
                  "| %s | %.1f | %s | %s | %s | %.2f | %.0f | %.0f | %s | %s | %d | %.1f | %s | %s |", app.name.c_str(),
                  static_cast<double>(output.number_of_elements()) * 1e-6, milliseconds(best).c_str(),
                  milliseconds(median(times.runs)).c_str(), milliseconds(times.single).c_str(), copy / best,
                  work.bytes / best * 1e-9, work.flops / best * 1e-9, milliseconds(in).c_str(),
                  milliseconds(out).c_str(), kernels_of(made, target), compiling, bits.c_str(),
                  benchmarks::checksum(output.data(), output.number_of_elements() * output.type().bytes()).c_str());
    return text;
}

void run(const std::vector<GpuApp> &apps, const Options &options, Page &page) {
    page.line(device_text(options) + "; milliseconds; share: a copy on the device of the bytes that are moved at the "
                                     "least, over the time of the kernels");
    page.line(
        "| application | millions of elements | least | median | one run | share | GB/s | GFlop/s | to the device "
        "| to the host | kernels | compiling, s | bits | checksum |");
    page.line("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |");
    for (const GpuApp &app : apps) {
        for (size_t i = 0; i < options.sizes.size() && (i == 0 || app.grows); i++) {
            try {
                page.line(measured(app, options.sizes[i], i == 0, options));
            } catch (const std::exception &error) {
                std::string text = error.what();
                std::replace(text.begin(), text.end(), '\n', ' ');
                page.line("| " + app.name + " | failed: " + text.substr(0, 300) + " | | | | | | | | | | | | |");
            }
        }
    }
}

std::vector<Size> sizes_of(const std::string &text) {
    std::vector<Size> sizes;
    for (const std::string &word : auto_cases::words(text)) {
        const double megapixels = std::atof(word.c_str());
        const int side = static_cast<int>(std::lround(1024 * std::sqrt(megapixels)));
        if (side < 64 || side > 32768) {
            throw std::runtime_error("--sizes " + text + ": give millions of pixels from 0.01 to 1000");
        }
        sizes.push_back({side, side});
    }
    return sizes;
}

Options parse(int argc, char **argv) {
    Options options;
    auto_cases::Arguments arguments(argc, argv);
    while (arguments.next()) {
        const std::string &word = arguments.option();
        if (word == "--device") {
            options.device = arguments.value();
            if (options.device == "executor") {
                options.sizes = {{131, 131}};
                options.seconds = 0;
            } else if (interface_of(options) == nullptr) {
                throw std::runtime_error("--device " + options.device + ": give cuda, opencl or executor");
            }
        } else if (word == "--apps") {
            options.apps = auto_cases::words(arguments.value());
        } else if (word == "--sizes") {
            options.sizes = sizes_of(arguments.value());
        } else if (word == "--seconds") {
            options.seconds = std::atof(arguments.value().c_str());
        } else if (word == "--json") {
            options.json = arguments.value();
        } else if (word == "--list") {
            options.lists = true;
        } else {
            throw std::runtime_error(word + ": no such option; the file's first lines list them");
        }
    }
    return options;
}

std::vector<GpuApp> chosen(const std::vector<std::string> &names) {
    const std::vector<GpuApp> all = gpu_cases::all();
    std::vector<GpuApp> found;
    for (const std::string &name : names) {
        const auto app = std::find_if(all.begin(), all.end(), [&](const GpuApp &a) { return a.name == name; });
        if (app == all.end()) {
            throw std::runtime_error(name + ": no such application; --list names them");
        }
        found.push_back(*app);
    }
    return names.empty() ? all : found;
}

} // namespace

int main(int argc, char **argv) {
    try {
        const Options options = parse(argc, argv);
        const std::vector<GpuApp> apps = chosen(options.apps);
        if (options.lists) {
            for (const GpuApp &app : apps) {
                std::printf("%s\n", app.name.c_str());
            }
            return 0;
        }
        Page page;
        run(apps, options, page);
        if (!options.json.empty()) {
            page.write(options.json, "--gpu --device " + options.device);
        }
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
