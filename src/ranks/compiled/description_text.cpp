// The text form of descriptions: words separated by spaces, names in quotes, lists after their lengths.
//
// One function visits all members; given a Writer it prints them, given a Reader it reads them, so that both cannot
// differ. The first words are a mark and a version, which changes with any member.

#include "ranks/compiled/description.h"

#include "fluorite/errors.h"
#include "support/check.h"

#include <algorithm>
#include <charconv>
#include <type_traits>

namespace fluorite::distribute {

namespace {

constexpr const char *mark = "fluorite-ranks-4";

[[noreturn]] void refuse(const std::string &what) {
    throw RuntimeError("bad-distribution",
                       concat("in a pipeline that was compiled for ranks: its description ", what,
                              "; object and library are of one version; compile the pipeline again with this one"));
}

class Writer {
  public:
    std::string text;

    void name(const std::string &value) {
        text += " \"";
        for (const char c : value) {
            text += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
        }
        text += '"';
    }
    template <typename Number> void number(const Number &value) { text += concat(" ", +value); }
    template <typename Element, typename Visit> void list(const std::vector<Element> &values, const Visit &visit) {
        text += concat("\n", values.size());
        for (const Element &value : values) {
            visit(value);
        }
    }
};

class Reader {
  public:
    explicit Reader(const std::string &text) : text_(text) {}

    void name(std::string &value) {
        skip_space();
        value.clear();
        require(at_ < text_.size() && text_[at_] == '"');
        for (at_++; at_ < text_.size() && text_[at_] != '"'; at_++) {
            at_ += text_[at_] == '\\' ? 1 : 0;
            require(at_ < text_.size());
            value += text_[at_];
        }
        require(at_ < text_.size());
        at_++;
    }
    template <typename Number> void number(Number &value) {
        skip_space();
        const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        require(error == std::errc());
        at_ = static_cast<size_t>(end - text_.data());
    }
    template <typename Element, typename Visit> void list(std::vector<Element> &values, const Visit &visit) {
        size_t count = 0;
        number(count);
        require(count <= text_.size());
        values.resize(count);
        for (Element &value : values) {
            visit(value);
        }
    }
    void read_mark() {
        const std::string begin = mark;
        if (text_.compare(0, begin.size(), begin) != 0) {
            refuse("begins with `" + text_.substr(0, text_.find_first_of(" \n")).substr(0, 40) + "`");
        }
        at_ = begin.size();
    }
    void read_end() {
        skip_space();
        require(at_ == text_.size());
    }

  private:
    const std::string &text_;
    size_t at_ = 0;

    void skip_space() { at_ = std::min(text_.find_first_not_of(" \n", at_), text_.size()); }
    void require(bool holds) const {
        if (!holds) {
            refuse(concat("cannot be read at character ", at_));
        }
    }
};

/// Visits a member that is an enumeration or a bool as a number.
template <typename Archive, typename Value> void word(Archive &archive, Value &value) {
    if constexpr (std::is_const_v<Value>) {
        archive.number(static_cast<int>(value));
    } else {
        int number = 0;
        archive.number(number);
        value = static_cast<Value>(number);
    }
}

template <typename Archive, typename Numbers> void numbers(Archive &archive, Numbers &values) {
    archive.list(values, [&](auto &value) { archive.number(value); });
}

template <typename Archive, typename Type> void type_of(Archive &archive, Type &type) {
    word(archive, type.code);
    archive.number(type.bits);
    archive.number(type.lanes);
}

template <typename Archive, typename Value> void placement_of(Archive &archive, Value &placement) {
    word(archive, placement.kind);
    numbers(archive, placement.dimensions);
    numbers(archive, placement.grid);
    numbers(archive, placement.tiles);
    archive.number(placement.most_ranks);
}

template <typename Archive, typename Value> void layout_number(Archive &archive, Value &number) {
    archive.number(number.value);
    archive.number(number.computed);
}

template <typename Archive, typename Operands> void operands_of(Archive &archive, Operands &operands) {
    archive.list(operands, [&](auto &operand) {
        word(archive, operand.kind);
        archive.number(operand.index);
    });
}

template <typename Archive, typename Value> void array_of(Archive &archive, Value &array) {
    archive.name(array.name);
    word(archive, array.role);
    type_of(archive, array.type);
    archive.number(array.dimensions);
    placement_of(archive, array.placement);
    archive.list(array.cuts, [&](auto &cut) {
        archive.number(cut.dimension);
        word(archive, cut.is_chosen);
        layout_number(archive, cut.parts);
        layout_number(archive, cut.tile);
    });
    layout_number(archive, array.most_ranks);
    numbers(archive, array.order);
    archive.number(array.first);
    word(archive, array.may_have_parts);
    word(archive, array.affects_regions);
}

template <typename Archive, typename Segments> void segments_of(Archive &archive, Segments &program) {
    archive.name(program.name);
    archive.number(program.hash);
    archive.number(program.schedule_hash);
    word(archive, program.poisons);
    archive.list(program.arrays, [&](auto &array) { array_of(archive, array); });
    archive.list(program.arguments, [&](auto &argument) {
        archive.name(argument.name);
        word(archive, argument.is_scalar);
        archive.number(argument.array);
        type_of(archive, argument.type);
        word(archive, argument.affects_regions);
        word(archive, argument.is_result);
    });
    archive.list(program.fields, [&](auto &field) {
        archive.number(field.array);
        word(archive, field.kind);
        archive.number(field.dimension);
    });
    archive.list(program.views, [&](auto &view) {
        archive.number(view.array);
        archive.list(view.edges, [&](auto &edges) {
            archive.number(edges.dimension);
            layout_number(archive, edges.min);
            layout_number(archive, edges.max);
        });
    });
    archive.list(program.segments, [&](auto &segment) {
        archive.name(segment.name);
        numbers(archive, segment.reads);
        numbers(archive, segment.writes);
        operands_of(archive, segment.operands);
        word(archive, segment.ignores_coordinates);
    });
    archive.number(program.number_count);
    operands_of(archive, program.number_operands);
}

template <typename Archive, typename Part> void part_of(Archive &archive, Part &part) {
    segments_of(archive, part.program);
    archive.list(part.sources, [&](auto &source) {
        word(archive, source.kind);
        archive.number(source.index);
    });
}

template <typename Archive, typename Description> void visit(Archive &archive, Description &program) {
    segments_of(archive, program);
    archive.list(program.iterations, [&](auto &iteration) {
        archive.name(iteration.name);
        archive.number(iteration.dimensions);
        archive.list(iteration.types, [&](auto &type) { type_of(archive, type); });
        word(archive, iteration.has_before);
        word(archive, iteration.stops);
        archive.number(iteration.steps_per_exchange);
        numbers(archive, iteration.results);
        part_of(archive, iteration.control);
        part_of(archive, iteration.initial);
        part_of(archive, iteration.body);
    });
}

} // namespace

size_t ProgramDescription::all_function_count() const {
    size_t count = function_count();
    for (const DescribedIteration &iteration : iterations) {
        count += iteration.function_count();
    }
    return count;
}

size_t ProgramDescription::passed_count() const {
    return static_cast<size_t>(std::count_if(arguments.begin(), arguments.end(),
                                             [](const DescribedArgument &argument) { return !argument.is_result; }));
}

std::vector<size_t> SegmentsDescription::outputs() const {
    std::vector<size_t> found;
    for (const DescribedArgument &argument : arguments) {
        if (!argument.is_scalar && arrays[argument.array].role == Array::Role::Output) {
            found.push_back(argument.array);
        }
    }
    return found;
}

std::string to_text(const ProgramDescription &description) {
    Writer writer;
    writer.text = mark;
    visit(writer, description);
    return writer.text;
}

ProgramDescription parse_program(const std::string &text) {
    Reader reader(text);
    reader.read_mark();
    ProgramDescription description;
    visit(reader, description);
    reader.read_end();
    return description;
}

} // namespace fluorite::distribute
