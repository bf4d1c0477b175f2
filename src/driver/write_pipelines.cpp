// The texts of the pipelines that a program compiles, for fluorite_opt.
//
// What is written is what lowering gets: definitions as directives have rewritten them. A text has no iterations; their
// graphs are written as pipelines of their own, and in the graph around them the result is an input.

#include "driver/write_pipelines.h"

#include "fluorite/errors.h"
#include "lowering/opt/text.h"
#include "support/write_file.h"

#include <cstdlib>

namespace fluorite::driver {

namespace {

std::string hash_text(const std::string &text) {
    uint64_t hash = 0xcbf29ce484222325ULL; // FNV-1a
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    std::string digits;
    for (int i = 0; i < 8; i++, hash >>= 4) {
        digits += "0123456789abcdef"[hash & 15];
    }
    return digits;
}

void write(const schedule::ScheduledGraph &given, const std::string &prefix, const std::string &target) {
    const schedule::ScheduledGraph &pipeline = given.rewritten ? *given.rewritten : given;
    const std::string text = "// target: " + target + "\n" + lowering::opt::whole_text(pipeline, "");
    const std::string path = prefix + "-" + hash_text(text) + ".ir";
    if (!write_file(path, text)) {
        throw CompileError("pipeline-file", "the pipeline cannot be written to " + path +
                                                ", as FLUORITE_WRITE_PIPELINES asks for; the folder must exist and be "
                                                "writable; name another one, or do not set the variable");
    }
    for (size_t i = 0; i < given.iterations.size(); i++) {
        const schedule::ScheduledIteration &iteration = given.iterations[i];
        const std::string of_iteration = prefix + "-iteration" + std::to_string(i);
        write(*iteration.initial, of_iteration + "-initial", target);
        write(*iteration.body, of_iteration + "-body", target);
    }
}

} // namespace

void write_pipeline(const schedule::ScheduledGraph &pipeline, const std::string &name, const Target &target) {
    const char *folder = std::getenv("FLUORITE_WRITE_PIPELINES");
    if (folder && *folder) {
        write(pipeline, std::string(folder) + "/" + name, target.to_string());
    }
}

} // namespace fluorite::driver
