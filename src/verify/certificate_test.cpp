// The text of certificates: it is read back as it was, and what is no such text is refused with a place.

#include "verify/certificate.h"

#include <gtest/gtest.h>

namespace fluorite::verify::certificate_test {
namespace {

const std::string head = "(fluorite_certificate 1\n", facts = "(facts (<= 1 n))\n", inputs = "(inputs (a n (+ n 2)))\n",
                  source = "(source (gen x n (get a x 1)))\n", target = "(target (get a 0))\n",
                  steps = "(forth (() unmark))\n(back (() op_comm) (() if_same))";

TEST(Certificate, IsReadBack) {
    const std::string more[] = {"", "(target_reads true)", "(target_reads) (target_stores (r))",
                                "(target_slides (a)) (target_joined (b) (c)) (target_beside (d))"};
    for (const std::string &sections : more) {
        const CertificateParts parts =
            parse_certificate(head + facts + inputs + source + target + steps + sections + ")");
        ASSERT_EQ(parts.facts.size(), 1U);
        EXPECT_EQ(to_text(parts.facts[0]), "(<= 1 n)");
        ASSERT_EQ(parts.inputs.size(), 1U);
        EXPECT_EQ(parts.inputs[0].name, "a");
        ASSERT_EQ(parts.inputs[0].dims.size(), 2U);
        EXPECT_EQ(to_text(parts.inputs[0].dims[1].extent), "(+ n 2)");
        EXPECT_EQ(to_text(parts.source), "(gen x n (get a x 1))");
        EXPECT_EQ(to_text(parts.target), "(get a 0)");
        EXPECT_EQ(parts.forth, std::vector<std::string>{"(() unmark)"});
        EXPECT_EQ(parts.back, (std::vector<std::string>{"(() op_comm)", "(() if_same)"}));
        EXPECT_EQ(parts.reads.has_value(), sections.find("target_reads") != std::string::npos);
        EXPECT_EQ(parts.stores.has_value(), sections.find("target_stores") != std::string::npos);
        EXPECT_EQ(parts.slides.has_value(), sections.find("target_slides") != std::string::npos);
        EXPECT_EQ(parts.fused_bindings.value_or(std::vector<std::string>()),
                  sections.find("target_joined") != std::string::npos ? (std::vector<std::string>{"(b)", "(c)"})
                                                                      : std::vector<std::string>());
        EXPECT_EQ(to_text(parse_certificate(to_text(parts))), to_text(parts));
    }
}

TEST(Certificate, IsRefusedWithAPlace) {
    const auto refusal = [](const std::string &text) -> std::string {
        try {
            (void)parse_certificate(text);
        } catch (const ParseError &error) {
            return error.what();
        }
        return "none";
    };
    const std::string no_text = "1:1: a text is one list, which begins with 'fluorite_certificate' and its version";
    EXPECT_EQ(refusal(""), no_text);
    EXPECT_EQ(refusal("(fluorite_certificate 1) 2"), no_text);
    EXPECT_EQ(refusal("(certificate 1)"), no_text);
    EXPECT_EQ(refusal("(fluorite_certificate)"), "1:1: this reader knows version 1 of certificates");
    EXPECT_EQ(refusal("(fluorite_certificate 2)"), "1:1: this reader knows version 1 of certificates");
    EXPECT_EQ(refusal(head + ")"), "1:1: the section 'facts' is expected here");
    EXPECT_EQ(refusal(head + inputs + ")"), "2:1: the section 'facts' is expected here");
    EXPECT_EQ(refusal(head + facts + "(inputs (3 n))" + source + target + steps + ")"), "none");
    EXPECT_EQ(refusal(head + facts + "(inputs a)" + source + target + steps + ")"),
              "3:9: a name with its extents is expected here");
    EXPECT_EQ(refusal(head + facts + "(inputs ((a) n))" + source + target + steps + ")"),
              "3:9: a name with its extents is expected here");
    EXPECT_EQ(refusal(head + facts + inputs + "(source)" + target + steps + ")"), "4:1: the section holds one program");
    EXPECT_EQ(refusal(head + facts + inputs + source + "(target a b)" + steps + ")"),
              "5:1: the section holds one program");
    EXPECT_EQ(refusal(head + facts + inputs + source + target + "(forth))"),
              "1:1: the section 'back' is expected here");
    EXPECT_EQ(refusal(head + facts + inputs + source + target + steps + "(target_stores) (target_reads))"),
              "7:49: there is no such section here");
}

} // namespace
} // namespace fluorite::verify::certificate_test
