// The table of the kinds of files.

#include "generator/file_kinds.h"

#include "fluorite/errors.h"
#include "generator/refuse.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::generators {

const std::vector<FileKindRow> &file_kinds() {
    static const std::vector<FileKindRow> rows = {
        {OutputFileType::assembly, "assembly", "s", ".s", ""},
        {OutputFileType::bitcode, "bitcode", "bc", ".bc", ""},
        {OutputFileType::c_header, "c_header", "h", ".h", ""},
        {OutputFileType::c_source, "c_source", "cpp", ".halide_generated.cpp", ""},
        {OutputFileType::compiler_log, "compiler_log", "", ".halide_compiler_log", ""},
        {OutputFileType::conceptual_stmt, "conceptual_stmt", "", ".conceptual.stmt", ""},
        {OutputFileType::conceptual_stmt_html, "conceptual_stmt_html", "", ".conceptual.stmt.html", ""},
        {OutputFileType::cpp_stub, "cpp_stub", "stub.h", ".stub.h", ""},
        {OutputFileType::device_code, "device_code", "", ".device_code", "kernels are data of the object"},
        {OutputFileType::featurization, "featurization", "", ".featurization",
         "the automatic scheduler has a model and no features to learn from"},
        {OutputFileType::function_info_header, "function_info_header", "", ".function_info.h", ""},
        {OutputFileType::hlpipe, "hlpipe", "", ".hlpipe", ""},
        {OutputFileType::llvm_assembly, "llvm_assembly", "ll", ".ll", ""},
        {OutputFileType::object, "object", "o", ".o", ""},
        {OutputFileType::python_extension, "python_extension", "py.cpp", ".py.cpp", "there is no front end for Python"},
        {OutputFileType::pytorch_wrapper, "pytorch_wrapper", "", ".pytorch.h", "there is no front end for PyTorch"},
        {OutputFileType::registration, "registration", "", ".registration.cpp", ""},
        {OutputFileType::schedule, "schedule", "", ".schedule.h", ""},
        {OutputFileType::static_library, "static_library", "a", ".a", ""},
        {OutputFileType::stmt, "stmt", "", ".stmt", ""},
        {OutputFileType::stmt_html, "stmt_html", "html", ".stmt.html", ""},
    };
    return rows;
}

const FileKindRow &row_of(OutputFileType kind) {
    const std::vector<FileKindRow> &rows = file_kinds();
    return *std::find_if(rows.begin(), rows.end(), [&](const FileKindRow &row) { return row.kind == kind; });
}

void check_is_made(OutputFileType kind) {
    const FileKindRow &row = row_of(kind);
    if (!row.not_built.empty()) {
        throw CompileError("not-built", concat("in the command line of a generator: -e names ", row.word,
                                               ", which is not made: ", row.not_built, "; leave it out"));
    }
}

namespace {

OutputFileType parse_file_kind(const std::string &word) {
    std::vector<std::string> made;
    for (const FileKindRow &row : file_kinds()) {
        if (word == row.word || (!row.old_word.empty() && word == row.old_word)) {
            check_is_made(row.kind);
            return row.kind;
        }
        if (row.not_built.empty()) {
            made.emplace_back(row.word);
        }
    }
    throw CompileError("generator-file-kind",
                       concat("in the command line of a generator: -e names '", word,
                              "', which is no kind of file; there are ", word_list(made), "; name some of these"));
}

} // namespace

std::vector<OutputFileType> parse_file_kinds(const std::string &list) {
    std::vector<OutputFileType> kinds;
    for (size_t begin = 0; begin <= list.size();) {
        const size_t end = std::min(list.find(',', begin), list.size());
        const OutputFileType kind = parse_file_kind(list.substr(begin, end - begin));
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
            kinds.push_back(kind);
        }
        begin = end + 1;
    }
    return kinds;
}

} // namespace fluorite::generators
