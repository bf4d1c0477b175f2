#pragma once
// Where the files are that are installed beside the library.

#include <filesystem>

namespace fluorite {

/// The folder of the shared library or program that contains this code; empty where the system does not say.
std::filesystem::path own_folder();

} // namespace fluorite
