// Certificates and derivations by hand: what is read is printed identically, and a derivation that succeeds gives a
// certificate that can be read. The checker has a reader of its own, in OCaml, which proofs/native/checker_test.py
// tests.
#include "targets.h"
#include "verify/certificate.h"
#include "verify/rewrite/script.h"

#include <string>

namespace fluorite::libfuzzer {

void certificate_text(std::string_view bytes) {
    try {
        const std::string text = to_text(verify::parse_certificate(std::string(bytes)));
        if (to_text(verify::parse_certificate(text)) != text) {
            found("printed in another way when it is read again", text);
        }
    } catch (const verify::ParseError &) {
    }
}

void derivation_script(std::string_view bytes) {
    const verify::ScriptResult result = verify::run_script(std::string(bytes));
    if (result.error.empty() == result.certificate.empty()) {
        found("neither an error nor a certificate, or both", result.error);
    }
    if (result.certificate.empty()) {
        return;
    }
    try {
        if (to_text(verify::parse_certificate(result.certificate)) != result.certificate) {
            found("the certificate of a derivation is read as another one", result.certificate);
        }
    } catch (const verify::ParseError &error) {
        if (std::string(error.what()).find("nested") == std::string::npos) { // inlining may make a program too deep
            found("the certificate of a derivation is refused", error.what());
        }
    }
}

} // namespace fluorite::libfuzzer
