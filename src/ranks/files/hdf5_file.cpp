// HDF5 files of ranks: a library beside the program (runtime/hdf5) knows the format; ranks write rows at the offset
// that it tells.

#include "ranks/files/hdf5_file.h"

#include "fluorite/runtime/hdf5.h"
#include "ranks/files/file_problem.h"
#include "ranks/files/file_rows.h"
#include "ranks/files/shared_file.h"
#include "support/check.h"
#include "support/own_folder.h"

#include <dlfcn.h>
#include <filesystem>
#include <optional>

namespace fluorite::distribute {

namespace {

constexpr const char *library_name = "libfluorite_hdf5.so";

/// The functions of the library; nothing where it cannot be loaded. It stays loaded.
std::optional<fluorite_hdf5_t> load() {
    const std::filesystem::path beside = own_folder() / library_name;
    const std::string path = std::filesystem::exists(beside) ? beside.string() : library_name;
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto open =
        library ? reinterpret_cast<fluorite_open_hdf5_t>(dlsym(library, "fluorite_open_hdf5")) : nullptr; // NOLINT
    if (!open) {
        return std::nullopt;
    }
    fluorite_hdf5_t functions{};
    open(&functions);
    return functions;
}

const std::optional<fluorite_hdf5_t> &library() {
    static const std::optional<fluorite_hdf5_t> functions = load();
    return functions;
}

FileProblem no_library() {
    return {"image-unsupported", concat("it is an HDF5 file, and ", library_name,
                                        " cannot be loaded; it is built where HDF5 and its headers are installed; "
                                        "install them and build again, or use a file whose name ends with .npy")};
}

/// A dataset as the library names it.
class Dataset {
  public:
    Dataset(const std::string &path, const std::string &name, char kind, const FilePart &part)
        : path_(path), name_(name) {
        for (size_t d = part.domain.size(); d-- > 0;) {
            extents_.push_back(static_cast<uint64_t>(part.domain[d].extent()));
            begin_.push_back(static_cast<uint64_t>(part.owned[d].begin - part.domain[d].begin));
            count_.push_back(static_cast<uint64_t>(part.owned[d].extent()));
        }
        view_ = {path_.c_str(),
                 name_.c_str(),
                 kind,
                 static_cast<int32_t>(part.view.bytes),
                 static_cast<int32_t>(extents_.size()),
                 extents_.data()};
    }
    Dataset(const Dataset &) = delete;
    Dataset &operator=(const Dataset &) = delete;

    template <typename Function> FileProblem find(const Function &function, int64_t &offset) {
        char text[512] = "";
        return problem_of(function(&view_, &offset, text, sizeof text), text);
    }
    FileProblem read_chunks(const FilePart &part) {
        if (empty(part.owned)) {
            return {};
        }
        std::vector<char> memory(static_cast<size_t>(volume(part.owned) * part.view.bytes));
        char text[512] = "";
        const FileProblem problem =
            problem_of(library()->read(&view_, begin_.data(), count_.data(), memory.data(), text, sizeof text), text);
        if (!problem.slug) {
            unpack(memory.data(), part.view, part.owned);
        }
        return problem;
    }

  private:
    std::string path_, name_;
    std::vector<uint64_t> extents_, begin_, count_; // the outermost dimension first
    fluorite_hdf5_dataset_t view_{};

    static FileProblem problem_of(int code, const std::string &text) {
        switch (code) {
        case fluorite_hdf5_ok:
            return {};
        case fluorite_hdf5_unsupported:
            return {"image-unsupported", text};
        case fluorite_hdf5_corrupt:
            return {"image-corrupt", text};
        default:
            return {"image-write-failed", text + "; an earlier file is as it was; look for space and rights on the "
                                                 "disk of all ranks, and for other uses of the file"};
        }
    }
};

/// A file begins with the signature, or with as many bytes of its user as a power of two from 512 on. (HDF5 1.10 does
/// not end properly after it has failed to open files without.)
FileProblem check_signature(const std::string &path) {
    const SharedFile file(path, O_RDONLY);
    if (!file.is_open()) {
        return open_problem();
    }
    const std::string signature = "\x89HDF\r\n\x1a\n";
    std::string begin(signature.size(), ' ');
    const auto size = static_cast<int64_t>(signature.size());
    for (int64_t at = 0; file.read(begin.data(), size, at) == size; at = at == 0 ? 512 : at * 2) {
        if (begin == signature) {
            return {};
        }
    }
    return {"image-corrupt", "it is no HDF5 file; the name says so; name another file"};
}

FileProblem read(const std::string &path, const std::string &name, char kind, const FilePart &part) {
    if (!library()) {
        return no_library();
    }
    if (FileProblem problem = check_signature(path); problem.slug) {
        return problem;
    }
    Dataset dataset(path, name, kind, part);
    int64_t offset = -1;
    const FileProblem problem = dataset.find(library()->find, offset);
    return problem.slug ? problem : offset < 0 ? dataset.read_chunks(part) : read_rows(path, offset, part);
}

} // namespace

void read_hdf5(const std::string &path, const std::string &dataset, char kind, const FilePart &part,
               Transport &transport) {
    agree(path, read(path, dataset, kind, part), transport);
}

void write_hdf5(const std::string &path, const std::string &dataset, char kind, const FilePart &part,
                Transport &transport) {
    const std::string unfinished = unfinished_name(path);
    int64_t offset = 0;
    FileProblem problem = library() ? FileProblem{} : no_library();
    if (!problem.slug && transport.rank() == 0) {
        problem = Dataset(unfinished, dataset, kind, part).find(library()->create, offset);
    }
    agree(path, problem, transport);
    const auto begin = static_cast<int64_t>(transport.gather(static_cast<uint64_t>(offset))[0]);
    agree(path, write_rows(unfinished, begin, part), transport);
    put_in_place(unfinished, path, transport);
}

} // namespace fluorite::distribute
