// The main function of every test executable. Tests that read files of the repository (golden texts, pictures) read
// FLUORITE_SOURCE_DIR from the environment; ctest sets it, and main sets it when a test is started by hand. The IR of
// what tests compile is verified after every pass.
//
// Tests write into the current folder, which ctest makes for each of them. Started by hand within the repository, they
// get a temporary one, so that nothing of theirs is committed.
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <iostream>
#include <string>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

/// A folder of the process, which is the current one and removed at the end.
class TemporaryFolder {
  public:
    TemporaryFolder() : before_(fs::current_path()), path_(fs::temp_directory_path() / "fluorite-XXXXXX") {
        std::string name = path_.string();
        if (!mkdtemp(name.data())) {
            std::cerr << "no temporary folder " << name << " can be made; outputs go to " << before_ << "\n";
            path_.clear();
            return;
        }
        path_ = name;
        fs::current_path(path_);
    }
    ~TemporaryFolder() {
        std::error_code ignored; // what is left is in the system's folder for such things
        fs::current_path(before_, ignored);
        if (!path_.empty()) {
            fs::remove_all(path_, ignored);
        }
    }
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  private:
    fs::path before_, path_;
};

/// Whether the current folder is one of sources: the repository, but no build folder within it.
bool is_among_sources() {
    const fs::path below = fs::current_path().lexically_relative(FLUORITE_SOURCE_DIR);
    return !below.empty() && *below.begin() != ".." && *below.begin() != "build";
}

} // namespace

int main(int argc, char **argv) {
    setenv("FLUORITE_SOURCE_DIR", FLUORITE_SOURCE_DIR, /*overwrite=*/0);
    setenv("FLUORITE_VERIFY", "1", /*overwrite=*/0);
    testing::InitGoogleTest(&argc, argv);
    if (!is_among_sources()) {
        return RUN_ALL_TESTS();
    }
    const TemporaryFolder folder;
    return RUN_ALL_TESTS();
}
