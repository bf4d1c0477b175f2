#include "report.h"

#include "fluorite/image_io.h"

#include <filesystem>
#include <fstream>
#include <future>
#include <random>

namespace fluorite::demo {
namespace {

namespace fs = std::filesystem;

void write_text(const fs::path &path, const std::string &text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) {
        throw std::runtime_error(path.string() + ": the file cannot be written; is the disk full?");
    }
}

void save_picture(const Picture &picture, const fs::path &path) {
    save_image(picture.channels() == 1 ? Buffer<const void>(picture.sliced(2)) : Buffer<const void>(picture),
               path.string());
}

/// A folder inside the target folder that is removed with its contents unless it is published.
class Staging {
  public:
    explicit Staging(const fs::path &target)
        : target_(target), folder_(target / (".unfinished-" + std::to_string(std::random_device()()))) {
        fs::create_directory(folder_);
    }
    ~Staging() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    Staging(const Staging &) = delete;
    Staging &operator=(const Staging &) = delete;

    const fs::path &folder() const { return folder_; }

    /// Moves all files into the target; the page last, because it names the others.
    void publish() {
        for (const auto &entry : fs::directory_iterator(folder_)) {
            if (entry.path().filename() != "index.html") {
                fs::rename(entry.path(), target_ / entry.path().filename());
            }
        }
        fs::rename(folder_ / "index.html", target_ / "index.html");
    }

  private:
    fs::path target_, folder_;
};

} // namespace

void prepare_folder(const std::string &folder) {
    try {
        fs::create_directories(folder);
        Staging probe(folder);
    } catch (const fs::filesystem_error &error) {
        throw BadInput(folder + ": cannot be used as the output folder: " + error.code().message());
    }
}

void write_report(const Report &report, const std::string &folder) {
    Staging staging(folder);
    std::vector<std::future<void>> tasks; // PNG compression takes about a second per picture
    const auto save = [&](const Picture &picture, const std::string &name) {
        const fs::path path = staging.folder() / (name + ".png");
        tasks.push_back(std::async(std::launch::async, [picture, path] { save_picture(picture, path); }));
    };
    save(report.input, "input");
    for (const Result &result : report.results) {
        save(result.output(), result.example->file);
    }
    write_text(staging.folder() / "index.html", html_page(report));
    for (std::future<void> &task : tasks) {
        task.get();
    }
    staging.publish();
}

} // namespace fluorite::demo
