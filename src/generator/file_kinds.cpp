// The table of the kinds of files.

#include "generator/file_kinds.h"

#include "fluorite/errors.h"
#include "generator/refuse.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::generators {

const std::vector<FileKindRow> &file_kinds() {
    static const std::vector<FileKindRow> rows = {
        {FileKind::Assembly, "assembly", "s", ".s", ""},
        {FileKind::Bitcode, "bitcode", "bc", ".bc", ""},
        {FileKind::Header, "c_header", "h", ".h", ""},
        {FileKind::Source, "c_source", "cpp", ".halide_generated.cpp", ""},
        {FileKind::CompilerLog, "compiler_log", "", ".halide_compiler_log", ""},
        {FileKind::LoopNest, "conceptual_stmt", "", ".conceptual.stmt", ""},
        {FileKind::LoopNestPage, "conceptual_stmt_html", "", ".conceptual.stmt.html", ""},
        {FileKind::Stub, "cpp_stub", "stub.h", ".stub.h", ""},
        {FileKind::DeviceCode, "device_code", "", ".device_code", "kernels are data of the object"},
        {FileKind::Featurization, "featurization", "", ".featurization",
         "the automatic scheduler has a model and no features to learn from"},
        {FileKind::FunctionInfo, "function_info_header", "", ".function_info.h", ""},
        {FileKind::SerializedPipeline, "hlpipe", "", ".hlpipe", "pipelines are not serialized"},
        {FileKind::LlvmAssembly, "llvm_assembly", "ll", ".ll", ""},
        {FileKind::Object, "object", "o", ".o", ""},
        {FileKind::PythonExtension, "python_extension", "py.cpp", ".py.cpp", "there is no front end for Python"},
        {FileKind::PytorchWrapper, "pytorch_wrapper", "", ".pytorch.h", "there is no front end for PyTorch"},
        {FileKind::Registration, "registration", "", ".registration.cpp", ""},
        {FileKind::Schedule, "schedule", "", ".schedule.h", ""},
        {FileKind::StaticLibrary, "static_library", "a", ".a", ""},
        {FileKind::Statement, "stmt", "", ".stmt", ""},
        {FileKind::StatementPage, "stmt_html", "html", ".stmt.html", ""},
    };
    return rows;
}

const FileKindRow &row_of(FileKind kind) {
    const std::vector<FileKindRow> &rows = file_kinds();
    return *std::find_if(rows.begin(), rows.end(), [&](const FileKindRow &row) { return row.kind == kind; });
}

namespace {

FileKind parse_file_kind(const std::string &word) {
    std::vector<std::string> made;
    for (const FileKindRow &row : file_kinds()) {
        if (word == row.word || (!row.old_word.empty() && word == row.old_word)) {
            if (!row.not_built.empty()) {
                throw CompileError("not-built", concat("in the command line of a generator: -e names ", word,
                                                       ", which is not made: ", row.not_built, "; leave it out"));
            }
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

std::vector<FileKind> parse_file_kinds(const std::string &list) {
    std::vector<FileKind> kinds;
    for (size_t begin = 0; begin <= list.size();) {
        const size_t end = std::min(list.find(',', begin), list.size());
        const FileKind kind = parse_file_kind(list.substr(begin, end - begin));
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
            kinds.push_back(kind);
        }
        begin = end + 1;
    }
    return kinds;
}

} // namespace fluorite::generators
