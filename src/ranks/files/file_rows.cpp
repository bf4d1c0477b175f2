#include "ranks/files/file_rows.h"

#include "ranks/files/shared_file.h"
#include "support/check.h"

namespace fluorite::distribute {

FileProblem read_rows(const std::string &path, int64_t offset, const FilePart &part) {
    const SharedFile file(path, O_RDONLY);
    if (!file.is_open()) {
        return open_problem();
    }
    bool is_whole = true;
    std::vector<char> row;
    for_each_row(part.domain, part.owned, [&](const std::vector<int64_t> &at, int64_t length, int64_t index) {
        const int64_t bytes = length * part.view.bytes;
        row.resize(static_cast<size_t>(bytes));
        is_whole = is_whole && file.read(row.data(), bytes, offset + index * part.view.bytes) == bytes;
        if (is_whole) {
            Box box;
            for (size_t d = 0; d < at.size(); d++) {
                box.push_back({at[d], at[d] + (d == 0 ? length : 1)});
            }
            unpack(row.data(), part.view, box);
        }
    });
    if (!is_whole) {
        return {"image-truncated",
                concat("it ends before the last element of ", to_string(part.owned), ", a part of ",
                       to_string(part.domain), " with elements of ", part.view.bytes, " bytes from byte ", offset,
                       " on; a file holds all of the domain; make the ", "domain smaller")};
    }
    return {};
}

FileProblem write_rows(const std::string &path, int64_t offset, const FilePart &part) {
    const SharedFile file(path, O_WRONLY);
    bool is_written = file.is_open();
    std::vector<char> room;
    for_each_row(part.domain, part.owned, [&](const std::vector<int64_t> &at, int64_t length, int64_t index) {
        is_written = is_written && file.write(dense_row(part.view, at, length, room), length * part.view.bytes,
                                              offset + index * part.view.bytes);
    });
    return is_written && file.flush() ? FileProblem{} : write_problem("it cannot be written");
}

} // namespace fluorite::distribute
