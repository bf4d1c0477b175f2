#include "support/write_file.h"

#include <filesystem>
#include <fstream>

namespace fluorite {

namespace fs = std::filesystem;

namespace {

bool write_in_place(const fs::path &path, const std::string &bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    return static_cast<bool>(file);
}

} // namespace

bool write_file(const std::string &path, const std::string &bytes) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    const bool is_link = fs::is_symlink(fs::symlink_status(path, error));
    if (fs::exists(status) ? !fs::is_regular_file(status) : is_link) {
        return !fs::is_directory(status) && write_in_place(path, bytes);
    }
    const fs::path target = is_link ? fs::canonical(path, error) : fs::path(path);
    fs::path beside = target;
    beside += ".part";
    if (!target.empty() && write_in_place(beside, bytes)) {
        fs::rename(beside, target, error);
        if (!error) {
            return true;
        }
    }
    fs::remove(beside, error);
    return false;
}

} // namespace fluorite
