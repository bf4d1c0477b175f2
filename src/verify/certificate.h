#pragma once
// The text of a certificate, as docs/certificates.md describes it.

#include "verify/from_graph/convert.h"
#include "verify/terms/parse.h"

#include <optional>
#include <string>
#include <vector>

namespace fluorite::verify {

struct CertificateParts {
    Facts facts;
    std::vector<Tensor> inputs;
    Term source = Term::number(0), target = Term::number(0);
    std::vector<std::string> forth, back; // the steps
    std::optional<std::vector<std::string>> reads =
        {}; // witnesses of the target's reads; nothing leaves the section out
    std::optional<std::vector<std::string>> stores = {};         // of the target's views; likewise
    std::optional<std::vector<std::string>> slides = {};         // groups of bindings that slide; likewise
    std::optional<std::vector<std::string>> fused_bindings = {}; // groups of bindings that share loops; likewise
    std::optional<std::vector<std::string>> fused_windows =
        {};                                             // those that share loops with windows that slide; likewise
    std::optional<std::vector<std::string>> scans = {}; // updates that read what they have written; likewise
};

std::string to_text(const CertificateParts &parts);

/// A tensor from outside: `(name extent...)`. Throws ParseError.
Tensor to_input(const Expression &expression);

/// Reads what to_text has printed, and texts like it; steps, witnesses and stores are kept as texts. Throws ParseError.
/// The checker has a reader of its own.
CertificateParts parse_certificate(const std::string &text);

} // namespace fluorite::verify
