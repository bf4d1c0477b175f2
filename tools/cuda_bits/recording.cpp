// The same functions describe a record for reading and for writing.

#include "tools/cuda_bits/recording.h"

#include <cstdio>
#include <cstring>
#include <istream>
#include <ostream>
#include <stdexcept>

namespace fluorite::cuda_bits {

namespace {

constexpr uint64_t magic = 0x3173746962647563; // "cudbits1"
constexpr uint64_t most_bytes = uint64_t{1} << 32;

class Writer {
  public:
    explicit Writer(std::ostream &file) : file_(file) {}
    void number(uint64_t &value) { file_.write(reinterpret_cast<const char *>(&value), sizeof value); }
    void text(std::string &value) {
        uint64_t size = value.size();
        number(size);
        file_.write(value.data(), static_cast<std::streamsize>(size));
    }
    template <typename T, typename F> void list(std::vector<T> &values, const F &each) {
        uint64_t size = values.size();
        number(size);
        for (T &value : values) {
            each(value);
        }
    }

  private:
    std::ostream &file_;
};

class Reader {
  public:
    explicit Reader(std::istream &file) : file_(file) {}
    void number(uint64_t &value) {
        file_.read(reinterpret_cast<char *>(&value), sizeof value);
        check(file_.good());
    }
    void text(std::string &value) {
        uint64_t size = 0;
        number(size);
        check(size < most_bytes);
        value.resize(size);
        file_.read(value.data(), static_cast<std::streamsize>(size));
        check(file_.good());
    }
    template <typename T, typename F> void list(std::vector<T> &values, const F &each) {
        uint64_t size = 0;
        number(size);
        check(size < most_bytes);
        values.resize(size);
        for (T &value : values) {
            each(value);
        }
    }

  private:
    std::istream &file_;
    static void check(bool holds) {
        if (!holds) {
            throw std::runtime_error("the file ends too early, or is none of fluorite_cuda_bits");
        }
    }
};

template <typename File> void transfer(File &file, RecordedArgument &argument) {
    uint64_t kind = argument.kind;
    file.number(kind);
    argument.kind = static_cast<RecordedArgument::Kind>(kind);
    file.number(argument.bytes);
    file.number(argument.value);
}

template <typename File> void transfer(File &file, RecordedCase &each) {
    for (std::string *text : {&each.name, &each.text, &each.initial, &each.expected}) {
        file.text(*text);
    }
    for (uint64_t *number : {&each.bits, &each.mantissa, &each.shared}) {
        file.number(*number);
    }
    for (size_t axis = 0; axis < 3; axis++) {
        file.number(each.grid[axis]);
        file.number(each.block[axis]);
    }
    file.list(each.arguments, [&](RecordedArgument &argument) { transfer(file, argument); });
}

template <typename File> void transfer(File &file, RecordedModule &module) {
    file.text(module.ptx);
    file.list(module.names, [&](std::string &name) { file.text(name); });
    file.list(module.flags, [&](uint64_t &flags) { file.number(flags); });
    file.list(module.cases, [&](RecordedCase &each) { transfer(file, each); });
}

} // namespace

namespace {

bool is_nan(const char *element, const RecordedCase &each) {
    if (each.mantissa == 0) {
        return false;
    }
    uint64_t bits = 0;
    std::memcpy(&bits, element, each.bits / 8);
    const uint64_t magnitude = bits & ~(uint64_t{1} << (each.bits - 1));
    return magnitude > ((uint64_t{1} << (each.bits - 1 - each.mantissa)) - 1) << each.mantissa;
}

std::string bits_text(const char *element, const RecordedCase &each) {
    uint64_t bits = 0;
    std::memcpy(&bits, element, each.bits / 8);
    char text[32];
    std::snprintf(text, sizeof text, "0x%0*llx", static_cast<int>(each.bits / 4),
                  static_cast<unsigned long long>(bits));
    return text;
}

} // namespace

std::string difference(const RecordedCase &each, const std::string &seen) {
    const size_t bytes = each.bits / 8, count = seen.size() / bytes;
    size_t different = 0, first = 0;
    for (size_t i = 0; i < count; i++) {
        const char *a = each.expected.data() + i * bytes, *b = seen.data() + i * bytes;
        if (std::memcmp(a, b, bytes) != 0 && !(is_nan(a, each) && is_nan(b, each))) {
            first = different++ == 0 ? i : first;
        }
    }
    return different == 0
               ? std::string()
               : each.name + ": " + std::to_string(different) + " of " + std::to_string(count) + " differ; element " +
                     std::to_string(first) + " is " + bits_text(each.expected.data() + first * bytes, each) +
                     " in the executor, " + bits_text(seen.data() + first * bytes, each) + " here\n" + each.text;
}

void write_inputs(std::ostream &file, const std::vector<std::string> &inputs) {
    Writer writer(file);
    uint64_t first = magic;
    writer.number(first);
    std::vector<std::string> all = inputs;
    writer.list(all, [&](std::string &input) { writer.text(input); });
}

void write_module(std::ostream &file, const RecordedModule &module) {
    Writer writer(file);
    RecordedModule copy = module;
    transfer(writer, copy);
}

std::vector<std::string> read_inputs(std::istream &file) {
    Reader reader(file);
    uint64_t first = 0;
    reader.number(first);
    if (first != magic) {
        throw std::runtime_error("the file is none of fluorite_cuda_bits");
    }
    std::vector<std::string> inputs;
    reader.list(inputs, [&](std::string &input) { reader.text(input); });
    return inputs;
}

bool read_module(std::istream &file, RecordedModule &module) {
    if (file.peek() == std::istream::traits_type::eof()) {
        return false;
    }
    Reader reader(file);
    module = {};
    transfer(reader, module);
    return true;
}

} // namespace fluorite::cuda_bits
