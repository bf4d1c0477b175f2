// The text of a certificate, printed and read.

#include "verify/certificate.h"

namespace fluorite::verify {

static std::vector<std::string> texts_of(const Facts &facts) {
    std::vector<std::string> texts;
    for (const Condition &fact : facts) {
        texts.push_back(to_text(fact));
    }
    return texts;
}
static std::vector<std::string> texts_of(const std::vector<Tensor> &inputs) {
    std::vector<std::string> texts;
    for (const Tensor &input : inputs) {
        std::string item = "(" + input.name;
        for (const Dimension &dim : input.dims) {
            item += " " + to_text(dim.extent);
        }
        texts.push_back(item + ")");
    }
    return texts;
}

std::string to_text(const CertificateParts &parts) {
    std::string text = "(fluorite_certificate 1";
    auto section = [&](const std::string &name, const std::vector<std::string> &items) {
        text += "\n (" + name;
        for (const std::string &item : items) {
            text += "\n" + pretty(item, 2);
        }
        text += ")";
    };
    section("facts", texts_of(parts.facts));
    section("inputs", texts_of(parts.inputs));
    section("source", {to_text(parts.source)});
    section("target", {to_text(parts.target)});
    section("forth", parts.forth);
    section("back", parts.back);
    if (parts.reads) {
        section("target_reads", *parts.reads);
    }
    if (parts.stores) {
        section("target_stores", *parts.stores);
    }
    if (parts.slides) {
        section("target_slides", *parts.slides);
    }
    if (parts.fused_bindings) {
        section("target_joined", *parts.fused_bindings);
    }
    if (parts.fused_windows) {
        section("target_beside", *parts.fused_windows);
    }
    if (parts.scans) {
        section("target_scans", *parts.scans);
    }
    return text + ")\n";
}

namespace {

const int deepest = 4000; // as in the checker's reader

// The sections of a certificate, in order.
class Sections {
  public:
    explicit Sections(const std::string &text) : all_(parse_expressions(text, 1, deepest)) {
        if (all_.size() != 1 || !all_[0].is_list("fluorite_certificate")) {
            throw ParseError(1, 1, "a text is one list, which begins with 'fluorite_certificate' and its version");
        }
        if (all_[0].items.size() < 2 || all_[0].items[1].word != "1") {
            throw ParseError(all_[0].line, all_[0].column, "this reader knows version 1 of certificates");
        }
    }
    // Null where the next section has another name.
    const Expression *next(const std::string &name) {
        const std::vector<Expression> &items = all_[0].items;
        bool is_it = at_ < items.size() && items[at_].is_list(name);
        return is_it ? &items[at_++] : nullptr;
    }
    const Expression &required(const std::string &name) {
        const Expression *section = next(name);
        if (!section) {
            const Expression &place = at_ < all_[0].items.size() ? all_[0].items[at_] : all_[0];
            throw ParseError(place.line, place.column, "the section '" + name + "' is expected here");
        }
        return *section;
    }
    void end() const {
        if (at_ < all_[0].items.size()) {
            const Expression &extra = all_[0].items[at_];
            throw ParseError(extra.line, extra.column, "there is no such section here");
        }
    }

  private:
    std::vector<Expression> all_;
    size_t at_ = 2;
};

std::vector<std::string> texts_in(const Expression &section) {
    std::vector<std::string> texts;
    for (size_t i = 1; i < section.items.size(); i++) {
        texts.push_back(to_text(section.items[i]));
    }
    return texts;
}
Term program_in(const Expression &section) {
    if (section.items.size() != 2) {
        throw ParseError(section.line, section.column, "the section holds one program");
    }
    return to_term(section.items[1]);
}
std::optional<std::vector<std::string>> optional_texts(Sections &sections, const std::string &name) {
    const Expression *section = sections.next(name);
    return section ? std::optional(texts_in(*section)) : std::nullopt;
}

} // namespace

CertificateParts parse_certificate(const std::string &text) {
    Sections sections(text);
    CertificateParts parts;
    const Expression &facts = sections.required("facts");
    for (size_t i = 1; i < facts.items.size(); i++) {
        parts.facts.push_back(to_condition(facts.items[i]));
    }
    const Expression &inputs = sections.required("inputs");
    for (size_t i = 1; i < inputs.items.size(); i++) {
        parts.inputs.push_back(to_input(inputs.items[i]));
    }
    parts.source = program_in(sections.required("source"));
    parts.target = program_in(sections.required("target"));
    parts.forth = texts_in(sections.required("forth"));
    parts.back = texts_in(sections.required("back"));
    parts.reads = optional_texts(sections, "target_reads");
    parts.stores = optional_texts(sections, "target_stores");
    parts.slides = optional_texts(sections, "target_slides");
    parts.fused_bindings = optional_texts(sections, "target_joined");
    parts.fused_windows = optional_texts(sections, "target_beside");
    parts.scans = optional_texts(sections, "target_scans");
    sections.end();
    return parts;
}

Tensor to_input(const Expression &e) {
    if (e.items.empty() || !e.items[0].is_word()) {
        throw ParseError(e.line, e.column, "a name with its extents is expected here");
    }
    Tensor tensor{e.items[0].word, {}};
    for (size_t d = 1; d < e.items.size(); d++) {
        tensor.dims.push_back({"", 0, to_index(e.items[d])});
    }
    return tensor;
}

} // namespace fluorite::verify
