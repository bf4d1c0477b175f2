#pragma once
// The files that a Generator is compiled to: the word that names each on a command line, and its extension.

#include "fluorite/module.h"

#include <string>
#include <string_view>
#include <vector>

namespace fluorite::generators {

struct FileKindRow {
    OutputFileType kind;
    std::string_view word, old_word, extension;
    std::string_view not_built; // why it cannot be asked for; empty if it can
};

/// All kinds, sorted by word.
const std::vector<FileKindRow> &file_kinds();
/// The row of a kind.
const FileKindRow &row_of(OutputFileType kind);
/// Throws CompileError [not-built] for a kind of file that is not made.
void check_is_made(OutputFileType kind);
/// Parses a list of words. Throws CompileError [generator-file-kind] for a word that is none, [not-built] for a kind of
/// file that is not made.
std::vector<OutputFileType> parse_file_kinds(const std::string &list);

} // namespace fluorite::generators
