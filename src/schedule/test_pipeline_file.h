#pragma once
// For tests: files with a graph, a schedule, and the text that is expected of both.
//
//   // what it shows                comments
//   // graph:                       schedule/text/pipeline_text.h describes both sections
//   // schedule:
//   // show: loops                  what is compared; a test knows its words
//   // expect:                      the text, or `error slug: message`
//
// FLUORITE_UPDATE_GOLDENS rewrites what follows `expect:`. fluorite_opt reads the same files.

#include "fluorite/errors.h"
#include "ir/test_golden_ir.h"
#include "schedule/text/pipeline_text.h"

#include <functional>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace fluorite::schedule {

struct PipelineFile {
    std::string graph, schedule, show;
};

inline PipelineFile sections_of(const std::string &head) {
    PipelineFile file;
    std::string *section = nullptr;
    std::istringstream lines(head);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("// show:")) {
            file.show = ir::trimmed(line.substr(8));
        } else if (line == "// graph:" || line == "// schedule:") {
            section = line == "// graph:" ? &file.graph : &file.schedule;
        } else if (section) {
            *section += line + "\n";
        }
    }
    return file;
}

/// What `show` makes of the pipeline in each file of the folder is the expected text.
inline void
expect_pipeline_files(const std::string &folder, size_t at_least,
                      const std::function<std::string(const ScheduledGraph &, const std::string &what)> &show) {
    const std::vector<std::filesystem::path> paths = ir::golden_files(folder);
    EXPECT_GE(paths.size(), at_least);
    for (const std::filesystem::path &path : paths) {
        SCOPED_TRACE(path.string());
        ir::GoldenFile golden = ir::read_golden_file(path);
        const PipelineFile file = sections_of(golden.head);
        std::string seen;
        try {
            seen = ir::trimmed(show(parse_pipeline(file.graph, file.schedule), file.show));
        } catch (const CompileError &error) {
            seen = "error " + error.slug() + ": " + error.message();
        }
        if (ir::updates_goldens()) {
            golden.expect[0].text = seen;
            ir::write_golden_file(path, golden);
        }
        EXPECT_EQ(seen, ir::trimmed(golden.expect[0].text));
    }
}

} // namespace fluorite::schedule
