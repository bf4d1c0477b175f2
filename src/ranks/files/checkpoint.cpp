// Checkpoints.
//
// The file has a text of one page (name and version of the format, program, step, and for each array its domain, the
// bytes of an element, the offset of its data and their checksum, then a checksum of the text), and then the data of
// each array, dense over its domain, the first dimension innermost, from a multiple of a page on. So a rank's part is
// rows at known offsets, whoever wrote them, and any number of ranks can read.
//
// Checksums are sums of a hash of each element and its position. Sums do not depend on who adds them up, so each rank
// hashes its own part, when it writes and when it reads, and one collective operation adds them.
//
// Writing: rank 0 creates `<path>.part` at its full size; all ranks write and flush their rows; rank 0 writes the text,
// flushes and renames. A rank that dies at any moment leaves the old file or the new one. After each phase the ranks
// tell each other whether it went well, so that all of them fail if one does. Rows are written from a copy, by a
// thread, as a disk takes longer than a hundred steps: the ranks only meet to begin and to end.
//
// Relies on a file system that all ranks share, with POSIX semantics for writes to disjoint ranges.
// Cost: a copy of the data, and one pass over it by the thread; four collective operations.

#include "ranks/files/checkpoint.h"

#include "fluorite/errors.h"
#include "ranks/files/shared_file.h"
#include "support/check.h"
#include "support/numeric.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sstream>
#include <system_error>
#include <unistd.h>

namespace fluorite::distribute {

namespace {

constexpr int64_t page_bytes = 4096;
constexpr int64_t most_written = int64_t{1} << 20; // bytes that are written by one call of the system
constexpr const char *format = "fluorite-checkpoint", *suffix = ".part";
constexpr int version = 1;

int64_t rounded(int64_t bytes) { return (bytes + page_bytes - 1) / page_bytes * page_bytes; }

/// The checksum of a row whose elements have so many bytes, at most those of a word.
template <size_t bytes> uint64_t checksum_of_words(const char *row, int64_t length, int64_t index) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < length; i++) {
        uint64_t word = 0;
        std::memcpy(&word, row + static_cast<size_t>(i) * bytes, bytes);
        sum += mix_bits(word + static_cast<uint64_t>(index + i) * 0x9E3779B97F4A7C15ULL);
    }
    return sum;
}

uint64_t checksum_of_row(const char *row, int64_t length, int64_t index, int64_t bytes) {
    switch (bytes) { // the loops over bytes of an element took a third of the time of a checkpoint
    case 1:
        return checksum_of_words<1>(row, length, index);
    case 2:
        return checksum_of_words<2>(row, length, index);
    case 4:
        return checksum_of_words<4>(row, length, index);
    case 8:
        return checksum_of_words<8>(row, length, index);
    default:
        break;
    }
    uint64_t sum = 0;
    for (int64_t i = 0; i < length; i++) {
        for (int64_t done = 0; done < bytes; done += 8) {
            uint64_t word = 0;
            std::memcpy(&word, row + i * bytes + done, static_cast<size_t>(std::min<int64_t>(8, bytes - done)));
            sum +=
                mix_bits(word + static_cast<uint64_t>(index + i) * 0x9E3779B97F4A7C15ULL + static_cast<uint64_t>(done));
        }
    }
    return sum;
}

uint64_t sum_over_ranks(uint64_t value, Transport &transport) {
    uint64_t sum = 0;
    for (const uint64_t each : transport.gather(value)) {
        sum += each;
    }
    return sum;
}

/// The text without its checksums line; `sums` are by array.
std::string text_of(const CheckpointState &state, const std::vector<CheckpointArray> &arrays,
                    const std::vector<uint64_t> &sums) {
    std::ostringstream text;
    text << format << ' ' << version << "\nprogram " << state.program << "\nstep " << state.step << '\n';
    for (size_t a = 0; a < arrays.size(); a++) {
        text << "array " << arrays[a].name << " element " << arrays[a].view.bytes << " domain";
        for (const Span &span : arrays[a].domain) {
            text << ' ' << span.begin << ' ' << span.end;
        }
        text << " sum " << sums[a] << '\n';
    }
    return text.str();
}

/// Where the data of each array begin, and the size of the file.
std::vector<int64_t> offsets_of(int64_t text_bytes, const std::vector<CheckpointArray> &arrays) {
    std::vector<int64_t> offsets = {rounded(text_bytes)};
    for (const CheckpointArray &array : arrays) {
        offsets.push_back(rounded(offsets.back() + volume(array.domain) * array.view.bytes));
    }
    return offsets;
}

/// The greatest number of bytes that the text can have: it does not depend on the checksums.
int64_t room_for_text(const CheckpointState &state, const std::vector<CheckpointArray> &arrays) {
    constexpr int64_t digits = 20; // of a checksum
    const std::string text = text_of(state, arrays, std::vector<uint64_t>(arrays.size(), 0));
    return static_cast<int64_t>(text.size()) + digits * (static_cast<int64_t>(arrays.size()) + 2);
}

/// Lets all ranks fail if one does. `problem` is empty where it went well.
void agree(const std::string &problem, const std::string &path, Transport &transport) {
    const std::vector<uint64_t> all = transport.gather(problem.empty() ? 0 : 1);
    const auto first = std::find(all.begin(), all.end(), uint64_t{1});
    if (first != all.end()) {
        const std::string text =
            problem.empty() ? concat("rank ", first - all.begin(), " could not do its part") : problem;
        throw RuntimeError("checkpoint-io",
                           concat("in the checkpoint ", path, ": ", text,
                                  "; an earlier checkpoint is as it was; look for space and rights on the "
                                  "disk of all ranks"));
    }
}

std::string problem_of(const char *what) { return concat(what, ": ", std::strerror(errno)); } // NOLINT: one thread

/// Writes parts in dense memory, row by row; rows that follow each other in the file do so in memory. Adds up their
/// checksums on the way, while the rows are in the cache.
std::string write_parts(const std::string &path, const std::vector<CheckpointArray> &arrays,
                        const std::vector<int64_t> &offsets, std::vector<uint64_t> &sums) {
    const SharedFile file(path, O_WRONLY);
    if (!file.is_open()) {
        return problem_of("it cannot be opened");
    }
    bool is_written = true;
    for (size_t a = 0; a < arrays.size(); a++) {
        const CheckpointArray &array = arrays[a];
        const char *next = array.view.data, *first = next; // rows from `first` on have not been written yet
        int64_t begin = offsets[a];                        // their place in the file
        const auto write = [&] {
            is_written = is_written && (first == next || file.write(first, next - first, begin));
            first = next;
        };
        uint64_t sum = 0;
        for_each_row(array.domain, array.owned, [&](const std::vector<int64_t> &, int64_t length, int64_t index) {
            const int64_t offset = offsets[a] + index * array.view.bytes;
            if (offset != begin + (next - first) || next - first >= most_written) {
                write();
                begin = offset;
            }
            sum += checksum_of_row(next, length, index, array.view.bytes);
            next += length * array.view.bytes;
        });
        write();
        sums.push_back(sum);
    }
    return is_written && file.flush() ? "" : problem_of("it cannot be written");
}

/// A new file: ranks of an earlier run that have not ended yet may still write to the old one.
std::string create(const std::string &path, int64_t bytes) {
    (void)::unlink(path.c_str());
    const SharedFile file(path, O_WRONLY | O_CREAT | O_TRUNC);
    return file.is_open() && file.resize(bytes) ? "" : problem_of("it cannot be created");
}

std::string put_in_place(const std::string &path, const std::string &text) {
    SharedFile file(path + suffix, O_WRONLY);
    const bool is_written =
        file.is_open() && file.write(text.data(), static_cast<int64_t>(text.size()), 0) && file.flush() && file.close();
    return is_written && ::rename((path + suffix).c_str(), path.c_str()) == 0 ? ""
                                                                              : problem_of("it cannot be completed");
}

[[noreturn]] void refuse(const std::string &path, const std::string &why) {
    throw RuntimeError("bad-checkpoint",
                       concat("in the checkpoint ", path, ": ", why,
                              "; a run continues from a whole checkpoint of its own program; use an earlier one, or "
                              "begin anew"));
}

/// What the file says of itself. Throws if it is no checkpoint for these arrays.
struct Contents {
    int64_t step = 0;
    std::vector<uint64_t> sums;
};

Contents parse(const std::string &path, const std::string &text, uint64_t program,
               const std::vector<CheckpointArray> &arrays) {
    std::istringstream words(text);
    std::string word;
    Contents contents;
    int64_t number = 0;
    uint64_t hash = 0;
    if (!(words >> word >> number) || word != format) {
        refuse(path, "it is not a checkpoint");
    }
    if (number != version) {
        refuse(path, concat("it has version ", number, " of the format, which here is ", version));
    }
    const size_t end = text.find("end ");
    if (end == std::string::npos || !(std::istringstream(text.substr(end + 4)) >> hash) ||
        hash != hash_text(text.substr(0, end))) {
        refuse(path, "its beginning is damaged");
    }
    if (!(words >> word >> hash >> word >> contents.step) || hash != program) {
        refuse(path, "it was written by another program, or by another version of it");
    }
    for (const CheckpointArray &array : arrays) {
        std::string name, expected;
        Box domain(array.domain.size());
        int64_t bytes = 0;
        uint64_t sum = 0;
        bool is_read = static_cast<bool>(words >> word >> name >> word >> bytes >> word);
        for (Span &span : domain) {
            is_read = is_read && words >> span.begin >> span.end;
        }
        is_read = is_read && words >> word && word == "sum" && words >> sum;
        if (!is_read || name != array.name || bytes != array.view.bytes || !(domain == array.domain)) {
            refuse(path, concat("it does not hold ", array.name, " over ", to_string(array.domain),
                                " with elements of ", array.view.bytes, " bytes"));
        }
        contents.sums.push_back(sum);
    }
    return contents;
}

} // namespace

CheckpointWriter::CheckpointWriter(std::string path, const CheckpointState &state,
                                   const std::vector<CheckpointArray> &arrays, Transport &transport)
    : path_(std::move(path)), state_(state), offsets_(offsets_of(room_for_text(state, arrays), arrays)) {
    agree(transport.rank() == 0 ? create(path_ + suffix, offsets_.back()) : "", path_, transport);
    try {
        copy(arrays);
        thread_ = std::thread([this] { write(); });
    } catch (const std::bad_alloc &) {
        problem_ = "there is no memory for a copy of the values";
    } catch (const std::system_error &) { // no thread: the program waits
        write();
    }
}

CheckpointWriter::~CheckpointWriter() {
    if (thread_.joinable()) {
        thread_.join();
    }
}

void CheckpointWriter::copy(const std::vector<CheckpointArray> &arrays) {
    for (const CheckpointArray &array : arrays) {
        memory_.emplace_back(static_cast<size_t>(volume(array.owned) * array.view.bytes), Readers::Own);
        arrays_.push_back(array);
        arrays_.back().view = {array.owned, memory_.back().data(), dense_strides(array.owned), array.view.bytes};
        if (!empty(array.owned)) {
            pack(array.view, array.owned, memory_.back().data());
        }
    }
}

void CheckpointWriter::write() {
    try {
        problem_ = write_parts(path_ + suffix, arrays_, offsets_, sums_);
    } catch (const std::bad_alloc &) {
        problem_ = "there is no memory for writing";
    }
}

void CheckpointWriter::complete(Transport &transport) {
    if (thread_.joinable()) {
        thread_.join();
    }
    agree(problem_, path_, transport);
    std::vector<uint64_t> sums;
    for (const uint64_t sum : sums_) {
        sums.push_back(sum_over_ranks(sum, transport));
    }
    std::string text = text_of(state_, arrays_, sums);
    text += concat("end ", hash_text(text), '\n');
    agree(transport.rank() == 0 ? put_in_place(path_, text) : "", path_, transport);
}

void write_checkpoint(const std::string &path, const CheckpointState &state, const std::vector<CheckpointArray> &arrays,
                      Transport &transport) {
    CheckpointWriter(path, state, arrays, transport).complete(transport);
}

int64_t read_checkpoint(const std::string &path, uint64_t program, const std::vector<CheckpointArray> &arrays,
                        Transport &transport) {
    const SharedFile file(path, O_RDONLY);
    agree(file.is_open() ? "" : problem_of("it cannot be opened"), path, transport);
    // The step is not known yet: room for the longest.
    const int64_t room = room_for_text({program, 0}, arrays) + page_bytes;
    std::string text(static_cast<size_t>(room), '\0');
    const int64_t count = file.read(text.data(), room, 0);
    agree(count >= 0 ? "" : problem_of("it cannot be read"), path, transport);
    text.resize(static_cast<size_t>(count));
    const Contents contents = parse(path, text, program, arrays); // the same on all ranks
    const std::vector<int64_t> offsets = offsets_of(room_for_text({program, contents.step}, arrays), arrays);
    std::vector<uint64_t> sums(arrays.size(), 0);
    bool is_whole = true;
    for (size_t a = 0; a < arrays.size(); a++) {
        const CheckpointArray &array = arrays[a];
        std::vector<char> row;
        for_each_row(array.domain, array.owned, [&](std::vector<int64_t> at, int64_t length, int64_t index) {
            row.assign(static_cast<size_t>(length * array.view.bytes), 0);
            const int64_t bytes = length * array.view.bytes;
            is_whole = is_whole && file.read(row.data(), bytes, offsets[a] + index * array.view.bytes) == bytes;
            sums[a] += checksum_of_row(row.data(), length, index, array.view.bytes);
            Box box;
            for (size_t d = 0; d < at.size(); d++) {
                box.push_back({at[d], at[d] + (d == 0 ? length : 1)});
            }
            unpack(row.data(), array.view, box);
        });
    }
    const bool all_whole = sum_over_ranks(is_whole ? 0 : 1, transport) == 0;
    for (size_t a = 0; a < arrays.size(); a++) {
        const bool is_right = sum_over_ranks(sums[a], transport) == contents.sums[a];
        if (!all_whole || !is_right) {
            refuse(path, concat("the values of ", arrays[a].name, " are ",
                                all_whole ? "not those that were written" : "not all there"));
        }
    }
    return contents.step;
}

} // namespace fluorite::distribute
