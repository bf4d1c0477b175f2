// The header of an NPY file.
//
// Method: the dictionary is a small, fixed subset of Python, which a parser of its own reads without recursion; a key
// that is unknown, missing or there twice refuses the file. Extents beyond 2^50 are read as some number beyond it,
// which every reader refuses. Written are version 1, or version 2 if the dictionary is long.

#include "support/npy_header.h"

#include <bit>
#include <cctype>
#include <optional>

namespace fluorite::npy {

namespace {

constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';

/// Reads one dictionary.
class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text) {}

    std::variant<Header, Refusal> parse() {
        const bool is_dictionary = entries() && (skip_space(), seen_ == 7 && at_ == text_.size());
        if (refusal_) {
            return *refusal_;
        }
        if (!is_dictionary) {
            return Refusal{Refusal::Kind::NoDictionary, ""};
        }
        return header_;
    }

  private:
    std::string_view text_;
    Header header_;
    std::optional<Refusal> refusal_;
    size_t at_ = 0;
    int seen_ = 0;

    bool entries() {
        if (!accept('{')) {
            return false;
        }
        while (!accept('}')) {
            const std::optional<std::string> key = quoted();
            if (!key || !accept(':') || !entry(*key)) {
                return false;
            }
            if (!accept(',')) {
                return accept('}');
            }
        }
        return true;
    }

    bool entry(const std::string &key) {
        const int bit = key == "descr" ? 1 : key == "fortran_order" ? 2 : key == "shape" ? 4 : 0;
        if (bit == 0 || (seen_ & bit) != 0) {
            return false;
        }
        seen_ |= bit;
        return bit == 1 ? descr() : bit == 2 ? order() : shape();
    }

    bool descr() {
        skip_space();
        if (at_ < text_.size() && text_[at_] == '[') {
            refusal_ = Refusal{Refusal::Kind::Records, ""};
            return false;
        }
        const std::optional<std::string> dtype = quoted();
        if (!dtype) {
            return false;
        }
        const bool is_known = dtype->size() >= 3 && dtype->size() <= 4 &&
                              std::string_view("<>|=").find((*dtype)[0]) != std::string_view::npos &&
                              std::string_view("biufcV").find((*dtype)[1]) != std::string_view::npos &&
                              dtype->find_first_not_of("0123456789", 2) == std::string::npos;
        if (!is_known) {
            refusal_ = Refusal{Refusal::Kind::UnknownElement, *dtype};
            return false;
        }
        header_.order = (*dtype)[0];
        header_.kind = (*dtype)[1];
        header_.bytes = std::stoi(dtype->substr(2));
        return true;
    }

    bool order() {
        skip_space();
        for (const std::string_view word : {"True", "False"}) {
            if (text_.substr(at_).starts_with(word)) {
                at_ += word.size();
                header_.fortran_order = word == "True";
                return true;
            }
        }
        return false;
    }

    bool shape() {
        if (!accept('(')) {
            return false;
        }
        while (!accept(')')) {
            skip_space();
            size_t digits = 0;
            int64_t extent = 0;
            for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0; at_++, digits++) {
                extent = extent < int64_t{1} << 50 ? extent * 10 + (text_[at_] - '0') : extent;
            }
            if (digits == 0) {
                return false;
            }
            header_.shape.push_back(extent);
            if (!accept(',')) {
                return accept(')');
            }
        }
        return true;
    }

    std::optional<std::string> quoted() {
        skip_space();
        const char quote = at_ < text_.size() ? text_[at_] : '\0';
        const size_t end = quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string_view::npos;
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        std::string result(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return result;
    }

    void skip_space() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
            at_++;
        }
    }
    bool accept(char c) {
        skip_space();
        const bool found = at_ < text_.size() && text_[at_] == c;
        at_ += found ? 1 : 0;
        return found;
    }
};

} // namespace

Header Header::native(char kind, int64_t bytes, std::vector<int64_t> shape) {
    return {bytes == 1 ? '|' : native_order, kind, bytes, false, std::move(shape)};
}

bool Header::is_swapped() const { return bytes > 1 && (order == '<' || order == '>') && order != native_order; }

std::string Header::dtype() const { return std::string{order, kind} + std::to_string(bytes); }

std::string Header::shape_text() const {
    std::string text = "(";
    for (size_t i = 0; i < shape.size(); i++) {
        text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
    }
    return text + (shape.size() == 1 ? ",)" : ")");
}

Prefix read_prefix(std::string_view bytes) {
    if (bytes.size() < 10 || !bytes.starts_with(magic)) {
        return {};
    }
    const auto byte = [&](size_t at) {
        return at < bytes.size() ? int64_t{static_cast<unsigned char>(bytes[at])} : int64_t{0};
    };
    Prefix prefix;
    prefix.version = static_cast<int>(byte(6));
    if (prefix.version < 1 || prefix.version > 3) {
        prefix.verdict = Prefix::Verdict::UnknownVersion;
        return prefix;
    }
    const bool is_long = prefix.version > 1;
    prefix.verdict = Prefix::Verdict::Known;
    prefix.begin = is_long ? 12 : 10;
    prefix.length = byte(8) | byte(9) << 8 | (is_long ? byte(10) << 16 | byte(11) << 24 : 0);
    return prefix;
}

std::variant<Header, Refusal> parse_dictionary(std::string_view text) { return Parser(text).parse(); }

std::string written(const Header &header) {
    std::string text = "{'descr': '" + header.dtype() +
                       "', 'fortran_order': " + (header.fortran_order ? "True" : "False") +
                       ", 'shape': " + header.shape_text() + ", }";
    const size_t length_bytes = text.size() < 60000 ? 2 : 4;
    const size_t before = magic.size() + 2 + length_bytes;
    text.resize((before + text.size() + 1 + 63) / 64 * 64 - before, ' ');
    text.back() = '\n';
    std::string all(magic);
    all += {length_bytes == 2 ? '\x01' : '\x02', '\x00'};
    for (size_t i = 0; i < length_bytes; i++) {
        all += static_cast<char>(text.size() >> (8 * i) & 255);
    }
    return all + text;
}

} // namespace fluorite::npy
