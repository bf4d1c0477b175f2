#include "backends/c/vector_types.h"

#include "backends/c/words.h"
#include "backends/c_text/c_text.h"
#include "support/check.h"
#include "support/numeric.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <set>

namespace fluorite::backends::c {

using c_text::value_type;

namespace {

int stored_lanes(Type held) { return static_cast<int>(std::bit_ceil(static_cast<unsigned>(held.lanes()))); }
std::string suffix(Type held) { return concat(short_name(held), "x", held.lanes()); }
std::string element(Type held) { return value_type(held.element_of()); }

/// `text(0), text(1), ...`
template <typename Text> std::string listed(int count, const Text &text) {
    std::string list;
    for (int i = 0; i < count; i++) {
        list += (i == 0 ? "" : ", ") + text(i);
    }
    return list;
}

std::string number(int i) { return std::to_string(i); }

/// A name of a function for a list of lanes, which may be long.
std::string short_enough(const std::string &name) {
    return name.size() < 100 ? name : concat(name.substr(0, 60), "_", hash_text(name));
}

} // namespace

Type unsigned_of(Type type) { return UInt(type.bits(), type.lanes()); }
Type mask_of(Type held) { return Int(held.bits(), held.lanes()); }
Type held_as(Type type) {
    return type.is_bool() ? Int(8, type.lanes()) : c_text::is_short_float(type) ? unsigned_of(type) : type;
}

bool VectorTypes::is_pair(Type held) const {
    const bool is_short = held.is_int_or_uint() && held.bits() <= 16;
    const int bytes = (is_short ? machine_.short_vector_bits : machine_.vector_bits) / 8;
    return held.lanes() > 1 && stored_lanes(held) * held.bytes() > bytes;
}
Type VectorTypes::low(Type held) { return held.with_lanes(stored_lanes(held) / 2); }
Type VectorTypes::high(Type held) { return held.with_lanes(held.lanes() - stored_lanes(held) / 2); }

std::string VectorTypes::name(Type held) {
    return helpers_.with("fluorite_" + suffix(held), [&] {
        const std::string given = concat(element(held), ", fluorite_", suffix(held), ", ", held.lanes(), ", ");
        if (is_pair(held)) {
            const std::string low_half = name(low(held)), high_half = name(high(held));
            return concat("FLUORITE_PAIR(", given, low_half, ", ", high_half, ");");
        }
        return concat("FLUORITE_VECTOR(", given, stored_lanes(held), ");");
    });
}

std::string VectorTypes::function(const std::string &its_name, const std::string &head, const std::string &vectors,
                                  const std::string &lanes) {
    const std::string both = vectors == lanes
                                 ? concat("    ", vectors, "\n")
                                 : concat("#if FLUORITE_VECTORS\n    ", vectors, "\n#else\n    ", lanes, "\n#endif\n");
    return concat("static ", head.substr(0, head.find('(')), " ", its_name, head.substr(head.find('(')), " {\n", both,
                  "}");
}

// ---- Halves.

/// low(v), high(v) and joined(l, h).
void VectorTypes::define_halves(Type held) {
    helpers_.with("fluorite_halves_" + suffix(held), [&] {
        const Type low_half = low(held), high_half = high(held);
        const std::string whole = name(held), l = name(low_half), h = name(high_half), s = suffix(held);
        const int first = low_half.lanes(), rest = stored_lanes(high_half);
        std::string of_low = "v.lo", of_high = "v.hi", of_both = "{l, h}";
        std::string widened;
        if (!is_pair(held)) {
            of_low = concat("__builtin_shufflevector(v, v, ", listed(first, number), ")");
            of_high =
                concat("__builtin_shufflevector(v, v, ", listed(rest, [&](int i) { return number(first + i); }), ")");
            const bool is_even = first == rest;
            if (!is_even) {
                widened = concat("    const ", l, " w = __builtin_shufflevector(h, h, ",
                                 listed(first, [&](int i) { return number(i < rest ? i : -1); }), ");\n");
            }
            of_both = concat("__builtin_shufflevector(l, ", is_even ? "h" : "w", ", ", listed(2 * first, number), ")");
        }
        return concat("#if FLUORITE_VECTORS\nstatic ", l, " fluorite_low_", s, "(", whole, " v) {\n    return ", of_low,
                      ";\n}\nstatic ", h, " fluorite_high_", s, "(", whole, " v) {\n    return ", of_high,
                      ";\n}\nstatic ", whole, " fluorite_join_", s, "(", l, " l, ", h, " h) {\n", widened, "    const ",
                      whole, " r = ", of_both, ";\n    return r;\n}\n#endif");
    });
}

std::string VectorTypes::low(Type held, const std::string &vector) {
    define_halves(held);
    return concat("fluorite_low_", suffix(held), "(", vector, ")");
}
std::string VectorTypes::high(Type held, const std::string &vector) {
    define_halves(held);
    return concat("fluorite_high_", suffix(held), "(", vector, ")");
}
std::string VectorTypes::joined(Type held, const std::string &low_half, const std::string &high_half) {
    define_halves(held);
    return concat("fluorite_join_", suffix(held), "(", low_half, ", ", high_half, ")");
}

// ---- Lanes.

std::string VectorTypes::lane(Type held, const std::string &vector, int i) {
    if (!is_pair(held)) {
        return concat("FLUORITE_LANE(", vector, ", ", i, ")");
    }
    const int first = low(held).lanes();
    const bool is_low = i < first;
    const Type half = is_low ? low(held) : high(held);
    const std::string its_name = concat("fluorite_lane", i, "_", suffix(held));
    helpers_.with(its_name, [&] {
        const std::string of_half = lane(half, is_low ? "v.lo" : "v.hi", is_low ? i : i - first);
        return function(its_name, concat(element(held), "(", name(held), " v)"), concat("return ", of_half, ";"),
                        concat("return FLUORITE_LANE(v, ", i, ");"));
    });
    return concat(its_name, "(", vector, ")");
}

std::string VectorTypes::of_lanes(Type held, const std::vector<std::string> &lanes) {
    const std::string its_name = "fluorite_make_" + suffix(held);
    helpers_.with(its_name, [&] {
        const std::string whole = name(held);
        std::vector<std::string> names;
        for (int i = 0; i < held.lanes(); i++) {
            names.push_back("l" + number(i));
        }
        const std::string flat =
            concat("const ", whole, " r = FLUORITE_LANES(",
                   listed(held.lanes(), [&](int i) { return names[static_cast<size_t>(i)]; }), "); return r;");
        std::string vectors = flat;
        if (is_pair(held)) {
            const auto middle = names.begin() + low(held).lanes();
            const std::string low_half = of_lanes(low(held), {names.begin(), middle}),
                              high_half = of_lanes(high(held), {middle, names.end()});
            vectors = concat("return ", joined(held, low_half, high_half), ";");
        }
        const std::string parameters =
            listed(held.lanes(), [&](int i) { return concat(element(held), " ", names[static_cast<size_t>(i)]); });
        return function(its_name, concat(whole, "(", parameters, ")"), vectors, flat);
    });
    return concat(its_name, "(", listed(held.lanes(), [&](int i) { return lanes[static_cast<size_t>(i)]; }), ")");
}

std::string VectorTypes::broadcast(Type held, const std::string &value) {
    const std::string its_name = "fluorite_broadcast_" + suffix(held);
    helpers_.with(its_name, [&] {
        const std::string whole = name(held);
        const std::string flat = concat("const ", whole, " r = FLUORITE_LANES(",
                                        listed(held.lanes(), [](int) { return std::string("x"); }), "); return r;");
        std::string vectors = flat;
        if (is_pair(held)) {
            const std::string low_half = broadcast(low(held), "x"), high_half = broadcast(high(held), "x");
            vectors = concat("return ", joined(held, low_half, high_half), ";");
        }
        return function(its_name, concat(whole, "(", element(held), " x)"), vectors, flat);
    });
    return concat(its_name, "(", value, ")");
}

// ---- Memory.

std::string VectorTypes::load(Type held, const std::string &address) {
    const std::string its_name = "fluorite_load_" + suffix(held);
    helpers_.with(its_name, [&] {
        const std::string whole = name(held), size = concat(held.lanes(), " * sizeof(", element(held), ")");
        const std::string flat = concat(whole, " r = FLUORITE_ZERO; memcpy(&r, from, ", size, "); return r;");
        std::string vectors =
            held.lanes() == stored_lanes(held) ? concat(whole, " r; memcpy(&r, from, ", size, "); return r;") : flat;
        if (is_pair(held)) {
            const std::string low_half = load(low(held), "from"),
                              high_half = load(high(held), concat("from + ", low(held).lanes()));
            vectors = concat("return ", joined(held, low_half, high_half), ";");
        }
        return function(its_name, concat(whole, "(const ", element(held), " *from)"), vectors, flat);
    });
    return concat(its_name, "(", address, ")");
}

std::string VectorTypes::store(Type held, const std::string &address, const std::string &vector) {
    const std::string its_name = "fluorite_store_" + suffix(held);
    helpers_.with(its_name, [&] {
        const std::string flat = concat("memcpy(to, &v, ", held.lanes(), " * sizeof(", element(held), "));");
        std::string vectors = flat;
        if (is_pair(held)) {
            const std::string low_half = store(low(held), "to", low(held, "v")),
                              high_half = store(high(held), concat("to + ", low(held).lanes()), high(held, "v"));
            vectors = concat(low_half, "; ", high_half, ";");
        }
        return function(its_name, concat("void(", element(held), " *to, ", name(held), " v)"), vectors, flat);
    });
    return concat(its_name, "(", address, ", ", vector, ")");
}

// ---- Shuffles.

void VectorTypes::add_registers(Type held, const std::string &vector,
                                std::vector<std::pair<Type, std::string>> &registers) {
    if (!is_pair(held)) {
        return registers.push_back({held, vector});
    }
    add_registers(low(held), low(held, vector), registers);
    add_registers(high(held), high(held, vector), registers);
}

/// Lane i of the result is lane `places[i].second` of register `places[i].first`, or any lane if that is -1. Two
/// registers of one type give their lanes at once, the others one after the other.
std::string VectorTypes::shuffled_register(Type result, const std::vector<std::pair<Type, std::string>> &registers,
                                           const std::vector<std::pair<int, int>> &places) {
    const int count = stored_lanes(result);
    std::vector<int> used;
    for (const auto &[which, lane] : places) {
        if (which >= 0 && std::find(used.begin(), used.end(), which) == used.end()) {
            used.push_back(which);
        }
    }
    used = used.empty() ? std::vector<int>{0} : used;
    const auto of = [&](int which) { return registers[static_cast<size_t>(which)]; };
    const auto at = [&](int i) {
        return static_cast<size_t>(i) < places.size() ? places[static_cast<size_t>(i)] : std::pair(-1, -1);
    };
    const auto two = [&](const std::string &a, const std::string &b, const std::function<int(int)> &index) {
        return concat("__builtin_shufflevector(", a, ", ", b, ", ",
                      listed(count, [&](int i) { return number(index(i)); }), ")");
    };
    const auto from = [&](int which) { return [&, which](int i) { return at(i).first == which ? at(i).second : -1; }; };
    std::string text;
    size_t next = 1;
    std::set<int> taken{used[0]};
    if (used.size() > 1 && of(used[0]).first == of(used[1]).first) {
        const int width = stored_lanes(of(used[0]).first);
        text = two(of(used[0]).second, of(used[1]).second, [&](int i) {
            return at(i).first == used[0] ? at(i).second : at(i).first == used[1] ? width + at(i).second : -1;
        });
        taken.insert(used[1]);
        next = 2;
    } else {
        text = two(of(used[0]).second, of(used[0]).second, from(used[0]));
    }
    for (; next < used.size(); next++) {
        const std::string moved = two(of(used[next]).second, of(used[next]).second, from(used[next]));
        text = two(text, moved, [&](int i) {
            return at(i).first == used[next] ? count + i : taken.contains(at(i).first) ? i : -1;
        });
        taken.insert(used[next]);
    }
    return text;
}

/// An initializer of the result.
std::string VectorTypes::shuffled(Type result, const std::vector<std::pair<Type, std::string>> &registers,
                                  const std::vector<std::pair<int, int>> &places) {
    if (!is_pair(result)) {
        return shuffled_register(result, registers, places);
    }
    const auto middle = places.begin() + low(result).lanes();
    const std::string low_half = shuffled(low(result), registers, {places.begin(), middle}),
                      high_half = shuffled(high(result), registers, {middle, places.end()});
    return joined(result, low_half, high_half);
}

std::string VectorTypes::shuffle(Type held, const std::vector<std::string> &sources,
                                 const std::vector<int32_t> &indices) {
    const int lanes = held.lanes(), count = static_cast<int>(indices.size());
    const Type result = held.with_lanes(count);
    const bool is_of_two = sources.size() > 1;
    const std::string order = listed(count, [&](int i) { return number(indices[static_cast<size_t>(i)]); });
    std::string its_name = concat("fluorite_shuffle_", suffix(held), is_of_two ? "_two_" : "_", order);
    for (size_t at = its_name.find(", "); at != std::string::npos; at = its_name.find(", ")) {
        its_name.replace(at, 2, "_");
    }
    its_name = short_enough(its_name);
    helpers_.with(its_name, [&] {
        std::vector<std::pair<Type, std::string>> registers;
        add_registers(held, "a", registers);
        if (is_of_two) {
            add_registers(held, "b", registers);
        }
        std::vector<std::pair<int, int>> ends; // the register of each lane, and the lane there
        for (size_t k = 0; k < registers.size(); k++) {
            for (int i = 0; i < registers[k].first.lanes(); i++) {
                ends.emplace_back(static_cast<int>(k), i);
            }
        }
        std::vector<std::pair<int, int>> places;
        std::string assigned = concat(name(result), " r = FLUORITE_ZERO;");
        for (int i = 0; i < count; i++) {
            const int index = indices[static_cast<size_t>(i)];
            places.push_back(index < 0 ? std::pair(-1, -1) : ends[static_cast<size_t>(index)]);
            if (index >= 0) {
                assigned += concat("\n    FLUORITE_LANE(r, ", i, ") = FLUORITE_LANE(", index < lanes ? "a" : "b", ", ",
                                   index % lanes, ");");
            }
        }
        const std::string parameters = concat(name(held), " a", is_of_two ? concat(", ", name(held), " b") : "");
        return function(its_name, concat(name(result), "(", parameters, ")"),
                        concat("return ", shuffled(result, registers, places), ";"), assigned + "\n    return r;");
    });
    return concat(its_name, "(",
                  listed(static_cast<int>(sources.size()), [&](int i) { return sources[static_cast<size_t>(i)]; }),
                  ")");
}

} // namespace fluorite::backends::c
