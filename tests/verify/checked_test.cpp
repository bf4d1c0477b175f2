// The checker's verdict is a part of what certify() and compile_certified() return. The checker is a program: where it
// is not built, or is another one, tests take a script for it.

#include "fluorite/certify.h"
#include "fluorite/fluorite.h"
#include "support/test_errors.h"
#include "test_checker.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace fluorite::checked_test {
namespace {

using verify::checker_path;

class Checked : public testing::Test {
  protected:
    Var x{"x"}, y{"y"};
    Func f{"f"};

    void SetUp() override {
        f(x, y) = x + y * 2;
        f.vectorize(x, 4, TailStrategy::GuardWithIf);
    }

    /// Options with a script as the checker: `$1` to `$3` are its arguments, the last one the file.
    static CertifyOptions with_script(const std::string &script,
                                      CertificateCheck check = CertificateCheck::IfPossible) {
        const std::string path = std::filesystem::absolute("checker.sh").string();
        std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        CertifyOptions options;
        options.checker.program = path;
        options.check = check;
        return options;
    }
    static CertifyOptions without_checker(CertificateCheck check) {
        CertifyOptions options;
        options.checker.program = "nowhere/fluorite_check";
        options.check = check;
        return options;
    }
};

TEST_F(Checked, TheVerdictIsPartOfTheResult) {
    if (checker_path().empty()) {
        GTEST_SKIP() << "the checker is not built, for want of OCaml";
    }
    const ScheduleCertificate certificate = certify(f);
    EXPECT_TRUE(certificate.verdict.accepted());
    EXPECT_EQ(certificate.verdict.text.rfind("equal bit for bit; reads in bounds; each element stored once; ", 0), 0U)
        << certificate.verdict.text;
    EXPECT_TRUE(compile_certified(f).certificate().verdict.accepted());
}

TEST_F(Checked, RejectsWhatWasChanged) {
    if (checker_path().empty()) {
        GTEST_SKIP() << "the checker is not built, for want of OCaml";
    }
    std::string text = certify(f).text;
    const size_t target = text.find("(target");
    ASSERT_NE(text.find("mul", target), std::string::npos) << text;
    text.replace(text.find("mul", target), 3, "add");
    const CertificateVerdict verdict = check_certificate(text);
    EXPECT_EQ(verdict.kind, CertificateVerdict::Kind::Rejected) << verdict.text;
    EXPECT_EQ(check_certificate("(nothing").kind, CertificateVerdict::Kind::Rejected);
}

TEST_F(Checked, SaysWhyItIsNotChecked) {
    const std::string why = "not checked: the program fluorite_check, which is built where there is OCaml, is not "
                            "there; build or install it, or name it in FLUORITE_CHECK";
    const CertifiedPipeline pipeline = compile_certified(f, without_checker(CertificateCheck::IfPossible));
    EXPECT_FALSE(pipeline.certificate().verdict.checked());
    EXPECT_EQ(pipeline.certificate().verdict.text, why);
    EXPECT_EQ(certify(f, without_checker(CertificateCheck::Never)).verdict.text,
              "not checked: the options do not ask for it");
    for (const bool compiles : {false, true}) {
        expect_error(
            [&] {
                const CertifyOptions options = without_checker(CertificateCheck::Required);
                compiles ? void(compile_certified(f, options)) : void(certify(f, options));
            },
            "certificate-not-checked",
            "in f: the certificate of its schedule is " + why +
                "; the options require a verdict of the checker; make it available, or do not require it");
    }
}

TEST_F(Checked, DoesNotCompileWhatIsRejected) {
    const CertifyOptions options = with_script("echo \"$3:4:5: rejected: it is wrong\"; exit 1");
    EXPECT_EQ(certify(f, options).verdict.kind, CertificateVerdict::Kind::Rejected);
    expect_error([&] { compile_certified(f, options); }, "certificate-rejected",
                 "in f: the checker rejects the certificate of its schedule, at 4:5: it is wrong; only what it accepts "
                 "is compiled, and the certificate is the compiler's mistake, not the program's; compile the pipeline "
                 "itself, and report this one");
}

/// Words and exit status have to agree.
TEST_F(Checked, TakesNothingElseForAVerdict) {
    for (const char *script :
         {"echo \"$3: accepted: all\"; exit 1", "echo \"$3:1:1: rejected: all\"; exit 0", "echo accepted; exit 0",
          "echo \"other: accepted: all\"; exit 0", "exit 0", "exit 2", "kill -9 $$"}) {
        const CertificateVerdict verdict = certify(f, with_script(script)).verdict;
        EXPECT_FALSE(verdict.checked()) << script << ": " << verdict.text;
        EXPECT_NE(verdict.text.find(" and no verdict"), std::string::npos) << verdict.text;
    }
    EXPECT_TRUE(certify(f, with_script("echo \"$3: accepted: all of it\"")).verdict.accepted());
}

TEST_F(Checked, TheEnvironmentNamesTheChecker) {
    const std::string program = with_script("echo \"$3: accepted: by the script\"").checker.program;
    setenv("FLUORITE_CHECK", program.c_str(), 1);
    const CertificateVerdict named = certify(f).verdict;
    const CertificateVerdict other = certify(f, without_checker(CertificateCheck::IfPossible)).verdict;
    unsetenv("FLUORITE_CHECK");
    EXPECT_EQ(named.text, "by the script");
    EXPECT_FALSE(other.checked()) << "the program of the options comes first";
}

TEST_F(Checked, TheCheckerSeesTheText) {
    const CertifyOptions options = with_script("cp \"$3\" seen.cert; echo \"$3: accepted: $1 $2\"");
    const ScheduleCertificate certificate = certify(f, options);
    std::ostringstream seen;
    seen << std::ifstream("seen.cert").rdbuf();
    EXPECT_EQ(seen.str(), certificate.text);
    EXPECT_EQ(certificate.verdict.text, "--seconds 60");
}

} // namespace
} // namespace fluorite::checked_test
