#pragma once
// What tests ask of certificates: which directives have none, and that the loops of a certificate are those of the
// ordinary path.

#include "fluorite/certify.h"
#include "test_checker.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fluorite::verify {

/// The directives that are not covered, with their reasons.
inline std::string gaps(const ScheduleCertificate &certificate) {
    std::string text;
    for (const ScheduleCertificate::Directive &directive : certificate.directives) {
        if (!directive.covered()) {
            text += directive.func + " " + directive.directive + ": " + directive.reason + "\n";
        }
    }
    return text;
}

/// The loops of the certificate give the bits of the ordinary path and store what it stores; the checker accepts it.
inline void agrees(const Func &output, const std::vector<int64_t> &extents = {}, int64_t largest = 40) {
    ScheduleValidation validation = validate_schedule(output, {.extents = extents, .largest = largest});
    for (const std::string &difference : validation.differences) {
        ADD_FAILURE() << difference;
    }
    EXPECT_TRUE(validation.passed());
    EXPECT_GT(validation.stores, 0u);
    ScheduleCertificate certificate = certify(output, {extents, false});
    EXPECT_EQ(certificate.unproved_store, "");
    const std::string said = check(certificate.text);
    if (said.empty()) {
        return; // no checker
    }
    std::string laws;
    for (const char *law : {"assoc ", "comm "}) {
        for (const std::string &op : certificate.reordered_operators) {
            laws += (laws.empty() ? "" : ", ") + (law + op);
        }
    }
    if (certificate.text.find("iter_factor") != std::string::npos) { // partial results start from the unit
        for (const std::string &op : certificate.reordered_operators) {
            laws += ", unit_left " + op;
        }
    }
    const std::string equal = laws.empty() ? "bit for bit" : "up to reassociation (" + laws + ")";
    EXPECT_TRUE(said.starts_with("accepted: equal " + equal + "; reads in bounds; each element stored once"))
        << said << certificate.text;
}

} // namespace fluorite::verify
