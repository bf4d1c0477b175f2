// TIFF files of ranks.
//
// Without compression, the offset of each tile in the file follows from the sizes: rank 0 writes the header, the
// directory and the tables of tiles, and every rank writes the rows of its part into the tiles that they lie in, as it
// does for raw files. Tiles that several ranks have parts of are no special case. What tiles have beyond the image
// stays zero, as the file is made.
//
//   header | directory | values that do not fit its entries (tables of offsets and sizes) | tiles, row by row of tiles
//
// Reading parses the first directory. A strip is a tile as wide as the image.

#include "ranks/files/tiff_file.h"

#include "ranks/files/file_problem.h"
#include "ranks/files/shared_file.h"
#include "support/check.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

namespace fluorite::distribute {

namespace {

enum Tag : uint16_t {
    ImageWidth = 256,
    ImageLength = 257,
    BitsPerSample = 258,
    Compression = 259,
    Photometric = 262,
    StripOffsets = 273,
    SamplesPerPixel = 277,
    RowsPerStrip = 278,
    StripByteCounts = 279,
    PlanarConfiguration = 284,
    TileWidth = 322,
    TileLength = 323,
    TileOffsets = 324,
    TileByteCounts = 325,
    ExtraSamples = 338,
    SampleFormatTag = 339
};
constexpr int64_t together = 1, apart = 2; // PlanarConfiguration
constexpr int64_t most_directory_bytes = int64_t{1} << 30;
constexpr int64_t most_tile_width = int64_t{1} << 20, most_offset = int64_t{1} << 60; // of files that are read
constexpr int64_t most_classic_bytes = (int64_t{1} << 32) - 1;

/// How the elements of an image lie in tiles.
struct Tiling {
    int64_t width = 0, height = 0, channels = 1; // of the image
    int64_t tile_width = 0, tile_height = 0;
    bool channels_apart = true;
    int64_t bytes = 1; // of an element
    std::vector<int64_t> offsets;

    int64_t across() const { return (width + tile_width - 1) / tile_width; }
    int64_t down() const { return (height + tile_height - 1) / tile_height; }
    int64_t planes() const { return channels_apart ? channels : 1; }
    int64_t count() const { return across() * down() * planes(); }
    int64_t samples() const { return channels_apart ? 1 : channels; } // beside each other
    int64_t tile_bytes() const { return tile_width * tile_height * samples() * bytes; }
    /// Where an element is in the file.
    int64_t offset_of(int64_t x, int64_t y, int64_t c) const {
        const int64_t tile = ((channels_apart ? c : 0) * down() + y / tile_height) * across() + x / tile_width;
        const int64_t inside = ((y % tile_height) * tile_width + x % tile_width) * samples() + (channels_apart ? 0 : c);
        return offsets[static_cast<size_t>(tile)] + inside * bytes;
    }
};

Tiling tiling_of(const FilePart &part) {
    Tiling tiling;
    tiling.width = part.domain[0].extent();
    tiling.height = part.domain[1].extent();
    tiling.channels = part.domain.size() == 3 ? part.domain[2].extent() : 1;
    tiling.bytes = part.view.bytes;
    return tiling;
}

FileProblem check_image(const FilePart &part) {
    if (part.domain.size() != 2 && part.domain.size() != 3) {
        return {"image-unsupported", concat("an image of ", part.domain.size(),
                                            " dimensions is read or written; a TIFF file has two, and channels as the "
                                            "third; use a file whose name ends with .npy or .h5")};
    }
    if (part.domain.size() == 3 && part.domain[2].extent() > 65535) {
        return {"image-unsupported", concat("an image of ", part.domain[2].extent(),
                                            " channels is read or written; a TIFF file has 65535 at most; use a file "
                                            "whose name ends with .npy or .h5")};
    }
    return {};
}

/// Visits the pieces of this rank's rows that lie in one tile: first coordinates and length.
template <typename Visit> void for_each_piece(const Tiling &tiling, const FilePart &part, const Visit &visit) {
    for_each_row(part.domain, part.owned, [&](const std::vector<int64_t> &at, int64_t length, int64_t) {
        const int64_t begin = at[0] - part.domain[0].begin, y = at[1] - part.domain[1].begin;
        const int64_t c = at.size() > 2 ? at[2] - part.domain[2].begin : 0;
        for (int64_t x = begin; x < begin + length;) {
            const int64_t end = std::min(begin + length, (x / tiling.tile_width + 1) * tiling.tile_width);
            std::vector<int64_t> first = at;
            first[0] = x + part.domain[0].begin;
            visit(first, end - x, tiling.offset_of(x, y, c));
            x = end;
        }
    });
}

// ---- Writing.

/// The header, the directory and the tables, for a file in one of the two forms; sets the offsets of the tiles.
class Directory {
  public:
    Directory(Tiling &tiling, SampleFormat format, bool is_big) : tiling_(tiling), is_big_(is_big) {
        const auto channels = static_cast<size_t>(tiling.channels);
        const bool is_color = channels == 3 || channels == 4;
        add_longs(ImageWidth, {tiling.width});
        add_longs(ImageLength, {tiling.height});
        add_shorts(BitsPerSample, std::vector<int64_t>(channels, tiling.bytes * 8));
        add_shorts(Compression, {1});
        add_shorts(Photometric, {is_color ? 2 : 1});
        add_shorts(SamplesPerPixel, {tiling.channels});
        add_shorts(PlanarConfiguration, {apart});
        add_longs(TileWidth, {tiling.tile_width});
        add_longs(TileLength, {tiling.tile_height});
        add_wide(TileOffsets, std::vector<int64_t>(static_cast<size_t>(tiling.count()), 0));
        add_wide(TileByteCounts, std::vector<int64_t>(static_cast<size_t>(tiling.count()), tiling.tile_bytes()));
        if (const size_t extra = channels - (is_color ? 3 : 1); extra > 0) {
            add_shorts(ExtraSamples, std::vector<int64_t>(extra, 0));
        }
        add_shorts(SampleFormatTag, std::vector<int64_t>(channels, static_cast<int64_t>(format)));
        set_offsets();
    }

    int64_t bytes() const { return bytes_; }

    std::string text() const {
        std::string text;
        put(text, std::endian::native == std::endian::little ? 0x4949 : 0x4D4D, 2);
        put(text, is_big_ ? 43 : 42, 2);
        if (is_big_) {
            put(text, 8, 2);
            put(text, 0, 2);
        }
        put(text, header_bytes(), word());
        put(text, static_cast<int64_t>(entries_.size()), is_big_ ? 8 : 2);
        std::string behind;
        int64_t offset = header_bytes() + directory_bytes();
        for (const Entry &entry : entries_) {
            put(text, entry.tag, 2);
            put(text, entry.type, 2);
            put(text, static_cast<int64_t>(entry.values.size()), word());
            std::string values;
            for (const int64_t value : entry.values) {
                put(values, value, entry.width);
            }
            if (values.size() <= static_cast<size_t>(word())) {
                values.resize(static_cast<size_t>(word()));
                text += values;
            } else {
                put(text, offset, word());
                offset += static_cast<int64_t>(values.size());
                behind += values;
            }
        }
        put(text, 0, word()); // no other directory
        return text + behind;
    }

  private:
    struct Entry {
        uint16_t tag, type;
        int64_t width; // of a value
        std::vector<int64_t> values;
    };
    Tiling &tiling_;
    bool is_big_;
    std::vector<Entry> entries_;
    int64_t bytes_ = 0;

    int64_t word() const { return is_big_ ? 8 : 4; }
    int64_t header_bytes() const { return is_big_ ? 16 : 8; }
    int64_t directory_bytes() const {
        return (is_big_ ? 8 : 2) + static_cast<int64_t>(entries_.size()) * (4 + 2 * word()) + word();
    }
    void add_shorts(Tag tag, std::vector<int64_t> values) { entries_.push_back({tag, 3, 2, std::move(values)}); }
    void add_longs(Tag tag, std::vector<int64_t> values) { entries_.push_back({tag, 4, 4, std::move(values)}); }
    void add_wide(Tag tag, std::vector<int64_t> values) {
        entries_.push_back({tag, static_cast<uint16_t>(is_big_ ? 16 : 4), word(), std::move(values)});
    }

    void set_offsets() {
        int64_t at = header_bytes() + directory_bytes();
        for (const Entry &entry : entries_) {
            const int64_t bytes = static_cast<int64_t>(entry.values.size()) * entry.width;
            at += bytes <= word() ? 0 : bytes;
        }
        at = (at + 15) / 16 * 16;
        tiling_.offsets.clear();
        for (int64_t tile = 0; tile < tiling_.count(); tile++, at += tiling_.tile_bytes()) {
            tiling_.offsets.push_back(at);
        }
        bytes_ = at;
        for (Entry &entry : entries_) {
            if (entry.tag == TileOffsets) {
                entry.values = tiling_.offsets;
            }
        }
    }

    static void put(std::string &text, int64_t value, int64_t bytes) {
        const auto wide = static_cast<uint64_t>(value);
        for (int64_t i = 0; i < bytes; i++) {
            const int64_t at = std::endian::native == std::endian::little ? i : bytes - 1 - i;
            text += static_cast<char>(wide >> (8 * at) & 255);
        }
    }
};

FileProblem create(const std::string &path, const Directory &directory) {
    const SharedFile file(path, O_WRONLY | O_CREAT | O_TRUNC);
    const std::string text = directory.text();
    const bool is_created = file.is_open() && file.resize(directory.bytes()) &&
                            file.write(text.data(), static_cast<int64_t>(text.size()), 0);
    return is_created ? FileProblem{} : write_problem("it cannot be created");
}

FileProblem write_tiles(const std::string &path, const Tiling &tiling, const FilePart &part) {
    const SharedFile file(path, O_WRONLY);
    bool is_written = file.is_open();
    std::vector<char> room;
    for_each_piece(tiling, part, [&](const std::vector<int64_t> &at, int64_t length, int64_t offset) {
        is_written = is_written && file.write(dense_row(part.view, at, length, room), length * part.view.bytes, offset);
    });
    return is_written && file.flush() ? FileProblem{} : write_problem("it cannot be written");
}

// ---- Reading.

/// The first directory of a file.
class TiffReader {
  public:
    explicit TiffReader(const SharedFile &file) : file_(file) {}

    FileProblem read_tiling(SampleFormat format, Tiling &tiling) {
        FileProblem problem = read_entries();
        if (!problem.slug) {
            problem = check(format, tiling);
        }
        if (!problem.slug) {
            problem = find_tiles(tiling);
        }
        return problem;
    }

  private:
    struct Entry {
        int64_t type = 0, count = 0, offset = 0; // where the values are
    };
    const SharedFile &file_;
    bool is_big_ = false;
    std::map<int64_t, Entry> entries_;

    static FileProblem corrupt(const std::string &text) {
        return {"image-corrupt", text + "; a TIFF file has a directory that says where its tiles are; write it again"};
    }

    int64_t number(const char *from, int64_t bytes) const {
        uint64_t value = 0;
        for (int64_t i = bytes; i-- > 0;) {
            const int64_t at = std::endian::native == std::endian::little ? i : bytes - 1 - i;
            value = value << 8 | static_cast<unsigned char>(from[at]);
        }
        return static_cast<int64_t>(value);
    }
    bool get(int64_t offset, int64_t bytes, std::string &text) const {
        text.resize(static_cast<size_t>(std::clamp<int64_t>(bytes, 0, most_directory_bytes)));
        return offset >= 0 && file_.read(text.data(), bytes, offset) == bytes;
    }

    FileProblem read_entries() {
        std::string text;
        const std::string order = std::endian::native == std::endian::little ? "II" : "MM";
        if (!get(0, 8, text) || (text.substr(0, 2) != "II" && text.substr(0, 2) != "MM")) {
            return {"image-corrupt", "it is no TIFF file; the name says so; name another file"};
        }
        if (text.substr(0, 2) != order) {
            return {"image-unsupported", "its bytes are in the other order than this machine's; ranks do not convert "
                                         "what they read; save it in that form"};
        }
        const int64_t version = number(&text[2], 2);
        is_big_ = version == 43;
        if (version != 42 && version != 43) {
            return {"image-corrupt", "it is no TIFF file; the name says so; name another file"};
        }
        const int64_t word = is_big_ ? 8 : 4, entry_bytes = 4 + 2 * word;
        if (is_big_ && !get(8, 8, text)) {
            return corrupt("it ends early");
        }
        const int64_t at = number(is_big_ ? text.data() : &text[4], word);
        if (!get(at, is_big_ ? 8 : 2, text)) {
            return corrupt("its directory lies beyond its end");
        }
        const int64_t count = number(text.data(), is_big_ ? 8 : 2), begin = at + (is_big_ ? 8 : 2);
        if (count < 0 || count > 65535 || !get(begin, count * entry_bytes, text)) {
            return corrupt("its directory ends early");
        }
        for (int64_t i = 0; i < count; i++) {
            const char *entry = &text[static_cast<size_t>(i * entry_bytes)];
            Entry &read = entries_[number(entry, 2)];
            read.type = number(entry + 2, 2);
            read.count = number(entry + 4, word);
            const int64_t bytes = width_of(read.type) * read.count;
            read.offset =
                bytes >= 0 && bytes <= word ? begin + i * entry_bytes + 4 + word : number(entry + 4 + word, word);
        }
        return {};
    }

    static int64_t width_of(int64_t type) { return type == 1 ? 1 : type == 3 ? 2 : type == 4 ? 4 : type == 16 ? 8 : 0; }

    /// False where the values cannot be read, or are not so many.
    bool values(int64_t tag, int64_t count, std::vector<int64_t> &values) const {
        const auto found = entries_.find(tag);
        values.clear();
        if (found == entries_.end() || found->second.count != count || width_of(found->second.type) == 0 ||
            count > most_directory_bytes / 8) {
            return false;
        }
        const int64_t width = width_of(found->second.type);
        std::string text;
        if (!get(found->second.offset, width * count, text)) {
            return false;
        }
        for (int64_t i = 0; i < count; i++) {
            values.push_back(number(&text[static_cast<size_t>(i * width)], width));
        }
        return true;
    }
    int64_t value(int64_t tag, int64_t otherwise) const {
        std::vector<int64_t> read;
        return values(tag, 1, read) ? read[0] : otherwise;
    }
    /// Whether all values of a tag that has one for each channel are this one.
    bool are_all(int64_t tag, int64_t channels, int64_t wanted, int64_t otherwise) const {
        if (entries_.count(tag) == 0) {
            return wanted == otherwise;
        }
        std::vector<int64_t> read;
        return (values(tag, channels, read) || values(tag, 1, read)) &&
               std::all_of(read.begin(), read.end(), [&](int64_t each) { return each == wanted; });
    }

    FileProblem check(SampleFormat format, const Tiling &tiling) const {
        const int64_t width = value(ImageWidth, -1), height = value(ImageLength, -1);
        const int64_t channels = value(SamplesPerPixel, 1);
        if (width != tiling.width || height != tiling.height || channels != tiling.channels) {
            return {"image-unsupported",
                    concat("it has ", width, " x ", height, " points with ", channels, " channels, and the image has ",
                           tiling.width, " x ", tiling.height, " with ", tiling.channels,
                           "; all of a file is read; make an image of ", "its size")};
        }
        if (!are_all(BitsPerSample, channels, tiling.bytes * 8, 1) ||
            !are_all(SampleFormatTag, channels, static_cast<int64_t>(format), 1)) {
            return {"image-unsupported", concat("its elements are not ", name_of(format), " of ", tiling.bytes * 8,
                                                " bits as the image's are; ranks do not convert what they read; save "
                                                "it in that form")};
        }
        if (const int64_t compression = value(Compression, 1); compression != 1) {
            return {"image-unsupported", concat("its compression has the number ", compression,
                                                "; ranks read elements at places that they compute, which needs files "
                                                "without compression (number 1); save it so")};
        }
        return {};
    }
    static const char *name_of(SampleFormat format) {
        return format == SampleFormat::Unsigned ? "unsigned integers"
               : format == SampleFormat::Signed ? "signed integers"
                                                : "floats";
    }

    FileProblem find_tiles(Tiling &tiling) const {
        const bool is_tiled = entries_.count(TileOffsets) > 0;
        tiling.channels_apart = tiling.channels > 1 && value(PlanarConfiguration, together) == apart;
        tiling.tile_width = is_tiled ? value(TileWidth, 0) : tiling.width;
        tiling.tile_height =
            is_tiled ? value(TileLength, 0) : std::min(value(RowsPerStrip, tiling.height), tiling.height);
        const bool has_size = tiling.tile_width >= 1 && tiling.tile_height >= 1 &&
                              tiling.tile_width <= most_tile_width && tiling.tile_height <= most_tile_width;
        if (!has_size || !values(is_tiled ? TileOffsets : StripOffsets, tiling.count(), tiling.offsets) ||
            std::any_of(tiling.offsets.begin(), tiling.offsets.end(),
                        [](int64_t offset) { return offset < 0 || offset > most_offset; })) {
            return corrupt("its directory does not say where all tiles or strips are");
        }
        return {};
    }
};

FileProblem read_tiles(const SharedFile &file, const Tiling &tiling, const FilePart &part) {
    bool is_whole = true;
    std::string room;
    std::vector<char> row;
    const int64_t step = tiling.samples(), bytes = tiling.bytes;
    for_each_piece(tiling, part, [&](const std::vector<int64_t> &at, int64_t length, int64_t offset) {
        const int64_t span = ((length - 1) * step + 1) * bytes;
        room.resize(static_cast<size_t>(span));
        row.resize(static_cast<size_t>(length * bytes));
        is_whole = is_whole && file.read(room.data(), span, offset) == span;
        if (!is_whole) {
            return;
        }
        for (int64_t i = 0; i < length; i++) {
            std::memcpy(&row[static_cast<size_t>(i * bytes)], &room[static_cast<size_t>(i * step * bytes)],
                        static_cast<size_t>(bytes));
        }
        Box box;
        for (size_t d = 0; d < at.size(); d++) {
            box.push_back({at[d], at[d] + (d == 0 ? length : 1)});
        }
        unpack(row.data(), part.view, box);
    });
    return is_whole ? FileProblem{}
                    : FileProblem{"image-truncated",
                                  concat("it ends before the last element of ", to_string(part.owned), ", a part of ",
                                         to_string(part.domain), "; a file holds all tiles of its directory; write it ",
                                         "again")};
}

FileProblem read(const std::string &path, SampleFormat format, const FilePart &part) {
    if (FileProblem problem = check_image(part); problem.slug) {
        return problem;
    }
    const SharedFile file(path, O_RDONLY);
    if (!file.is_open()) {
        return open_problem();
    }
    Tiling tiling = tiling_of(part);
    FileProblem problem = TiffReader(file).read_tiling(format, tiling);
    return problem.slug ? problem : read_tiles(file, tiling, part);
}

} // namespace

void read_tiff(const std::string &path, SampleFormat format, const FilePart &part, Transport &transport) {
    agree(path, read(path, format, part), transport);
}

void write_tiff(const std::string &path, SampleFormat format, int64_t tile, const FilePart &part,
                Transport &transport) {
    FileProblem problem = check_image(part);
    if (!problem.slug && (tile < 16 || tile % 16 != 0 || tile > 65536)) {
        problem = {"image-unsupported", concat("tiles of ", tile, " x ", tile,
                                               " points are asked for; their width is a multiple of 16 and 65536 at "
                                               "most; use 256")};
    }
    agree(path, problem, transport);
    Tiling tiling = tiling_of(part);
    tiling.tile_width = tiling.tile_height = tile;
    Directory directory(tiling, format, false);
    const bool is_big = directory.bytes() > most_classic_bytes;
    const Directory chosen(tiling, format, is_big); // sets the offsets again
    const std::string unfinished = unfinished_name(path);
    agree(path, transport.rank() == 0 ? create(unfinished, chosen) : FileProblem{}, transport);
    agree(path, write_tiles(unfinished, tiling, part), transport);
    put_in_place(unfinished, path, transport);
}

} // namespace fluorite::distribute
