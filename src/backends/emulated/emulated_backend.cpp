// Code for other processors than this machine's, in a process of its own that an emulator runs.
//
// What: `load` makes an object file with the LLVM back end and links it with the runtime of that processor and a
// program that calls it (runtime/guest/main.cpp). Each run starts the program in QEMU, which shares the memory of the
// call.
//
// Requires: the folder of the runtime for the processor, which the build makes where the cross compiler is there
// (cmake/FluoriteGuest.cmake). Does not do: C functions of this process, hooks for printing, memory and tracing,
// devices: the other process has its own.
//
// Cost: some 0.3 s to link, 20 ms to start, and code runs some ten times slower than on the processor itself.

#include "backends/emulated/emulated_backend.h"

#include "backends/commands.h"
#include "backends/emulated/shared_call.h"
#include "backends/llvm/llvm_backend.h"
#include "ir/c_abi.h"
#include "support/check.h"
#include "support/write_file.h"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <optional>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fluorite::backends {

namespace emulated {
namespace {

/// What the processor of a target needs on this machine.
struct Guest {
    const char *linker, *emulator, *folder;
};
constexpr Guest arm64 = {"aarch64-linux-gnu-g++", "qemu-aarch64", "arm64"};

/// Starts the program on the call and waits for it. Returns how it ended, as of waitpid.
int run_guest(const Guest &guest, const std::string &program, int file) {
    const std::string number = std::to_string(file);
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == parent) {
            execlp(guest.emulator, guest.emulator, program.c_str(), number.c_str(), static_cast<char *>(nullptr));
        }
        _exit(127);
    }
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

class EmulatedProgram : public Executable {
  public:
    EmulatedProgram(const ir::LoweredModule &module, const Target &target)
        : entry_(module.entry()), context_(ir::context_argument(entry_)), folder_("no-emulator") {
        const std::string object = llvm_backend().file(module, target, OutputKind::Object);
        size_ = object.size();
        const std::string path = folder_.file("pipeline.o"),
                          of_guest = concat(FLUORITE_GUEST_FOLDER, "/", guest_.folder);
        const std::string command =
            concat(guest_.linker, " -static -Wl,--defsym=fluorite_guest_entry=", ir::argv_name(entry_.name), " -o ",
                   quoted(program()), " ", quoted(of_guest + "/main.o"), " ", quoted(path), " ",
                   quoted(of_guest + "/libfluorite_runtime.a"), " -lm -lpthread");
        const std::string failure = write_file(path, object) ? failure_of(command) : "the object file is not written";
        if (!failure.empty()) {
            throw CompileError("no-emulator",
                               concat("in ", entry_.name, ": its target is ", target.to_string(),
                                      ", whose code runs in an emulator here, and the command '", command,
                                      "' fails: ", failure, "; install ", guest_.linker, " and ", guest_.emulator,
                                      " and build anew, or compile to a file"));
        }
        std::filesystem::remove(path);
    }

    int32_t run(void **args) const override {
        const SharedCall call(entry_.args, args);
        const int status = run_guest(guest_, program(), call.file());
        void *context = context_ ? *static_cast<void **>(args[*context_]) : nullptr;
        if (call.header().is_done == 0) {
            return fluorite_error(context, fluorite_error_code_internal_error,
                                  concat("in ", entry_.name, ": the emulator ", guest_.emulator,
                                         WIFSIGNALED(status) ? " was ended by signal " : " ended with code ",
                                         WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
                                         "; a pipeline returns; see what it prints [no-emulator]")
                                      .c_str());
        }
        call.copy_back();
        const int32_t result = call.header().result;
        return result == 0 ? 0 : fluorite_error(context, result, call.header().message);
    }

    size_t code_size() const override { return size_; }

  private:
    const Guest &guest_ = arm64;
    ir::LoweredFunc entry_;
    std::optional<size_t> context_;
    TemporaryFolder folder_;
    size_t size_ = 0;

    std::string program() const { return folder_.file("program"); }
};

class EmulatedBackend : public Backend {
  public:
    std::string name() const override { return "emulated"; }
    std::unique_ptr<Executable> load(const ir::LoweredModule &module, const Target &target,
                                     const std::vector<ExternSymbol> &externs) const override {
        refuse_kernels(module);
        if (target.supported() && (target.arch != Target::ARM || target.os != Target::Linux)) {
            refuse(module, concat("code for ", target.to_string(), " that runs in an emulator"));
        }
        if (!externs.empty()) {
            refuse(module, concat("a call of the C function '", externs[0].name, "' from another process"));
        }
        return std::make_unique<EmulatedProgram>(module, target);
    }
    std::string file(const ir::LoweredModule &module, const Target &target, OutputKind kind) const override {
        return llvm_backend().file(module, target, kind);
    }
    bool knows_function(const std::string &name) const override { return llvm_backend().knows_function(name); }
};

} // namespace
} // namespace emulated

const Backend &emulated_backend() {
    static const emulated::EmulatedBackend backend;
    return backend;
}

} // namespace fluorite::backends
