// Static libraries, and the runtime in them.

#include "driver/archive.h"

#include "fluorite/errors.h"
#include "ir/host_target.h"
#include "support/check.h"
#include "support/own_folder.h"

#include <fstream>
#include <map>
#include <sstream>

namespace fluorite::driver {

namespace {

std::string padded(const std::string &text, size_t size) { return text + std::string(size - text.size(), ' '); }

std::string big_endian(size_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) {
        bytes += static_cast<char>((value >> shift) & 255);
    }
    return bytes;
}

/// A header and contents, of even length.
std::string member(const std::string &name, const std::string &bytes) {
    return padded(name, 16) + padded("0", 12) + padded("0", 6) + padded("0", 6) + padded("644", 8) +
           padded(std::to_string(bytes.size()), 10) + "`\n" + bytes + (bytes.size() % 2 != 0 ? "\n" : "");
}

} // namespace

std::string archive_of(const std::vector<ArchiveMember> &members) {
    std::string long_names, names;
    std::vector<std::string> headers;
    size_t count = 0;
    for (const ArchiveMember &each : members) {
        headers.push_back("/" + std::to_string(long_names.size()));
        long_names += each.name + "/\n";
        for (const std::string &symbol : each.symbols) {
            names += symbol + '\0';
            count++;
        }
    }
    const std::string of_names = member("//", long_names);
    const std::string magic = "!<arch>\n";
    const size_t index = 4 + 4 * count + names.size();
    size_t offset = magic.size() + 60 + index + index % 2 + of_names.size();
    std::string table = big_endian(count), contents;
    for (size_t i = 0; i < members.size(); i++) {
        for (size_t s = 0; s < members[i].symbols.size(); s++) {
            table += big_endian(offset);
        }
        const std::string text = member(headers[i], members[i].bytes);
        offset += text.size();
        contents += text;
    }
    return magic + member("/", table + names) + of_names + contents;
}

namespace {

constexpr size_t header_bytes = 60;

size_t number_at(const std::string &bytes, size_t at) {
    size_t number = 0;
    for (size_t i = at; i < at + 4; i++) {
        number = number << 8 | static_cast<uint8_t>(bytes[i]);
    }
    return number;
}

/// The names of the table of symbols, by the offset of the member that defines them.
std::map<size_t, std::vector<std::string>> symbols_of(const std::string &table) {
    std::map<size_t, std::vector<std::string>> symbols;
    const size_t count = number_at(table, 0);
    for (size_t i = 0, at = 4 + 4 * count; i < count; i++) {
        const std::string name = table.c_str() + at;
        symbols[number_at(table, 4 + 4 * i)].push_back(name);
        at += name.size() + 1;
    }
    return symbols;
}

/// The name in a header, which ends with a slash, or is an offset into the long names.
std::string member_name(const std::string &field, const std::string &long_names) {
    if (field[0] != '/') {
        return field.substr(0, field.find('/'));
    }
    const size_t at = std::stoul(field.substr(1));
    return long_names.substr(at, long_names.find('/', at) - at);
}

} // namespace

std::vector<ArchiveMember> members_of(const std::string &archive) {
    std::vector<ArchiveMember> members;
    std::map<size_t, std::vector<std::string>> symbols;
    std::string long_names;
    for (size_t at = 8; at + header_bytes <= archive.size();) {
        const std::string field = archive.substr(at, 16);
        const size_t size = std::stoul(archive.substr(at + 48, 10));
        const std::string bytes = archive.substr(at + header_bytes, size);
        if (field.substr(0, 2) == "/ ") {
            symbols = symbols_of(bytes);
        } else if (field.substr(0, 2) == "//") {
            long_names = bytes;
        } else {
            members.push_back({member_name(field, long_names), bytes, symbols[at]});
        }
        at += header_bytes + size + size % 2;
    }
    return members;
}

std::string runtime_archive(const std::string &who) {
    const std::string path = (own_folder() / "libfluorite_runtime.a").string();
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    if (!file || bytes.str().empty()) {
        throw CompileError("not-built", concat(who, " asks for the runtime, which is not at ", path,
                                               "; it is installed beside the library; install it there"));
    }
    return bytes.str();
}

std::string with_runtime(const std::string &archive, const Target &target, const std::string &function) {
    const Target &host = ir::real_host_target();
    if (target.has_feature(Target::NoRuntime) || target.os != host.os || target.arch != host.arch ||
        target.bits != host.bits) {
        return archive;
    }
    std::vector<ArchiveMember> members = members_of(archive);
    for (ArchiveMember &member : members_of(runtime_archive("in " + function + ": a static library"))) {
        members.push_back(std::move(member));
    }
    return archive_of(members);
}

} // namespace fluorite::driver
