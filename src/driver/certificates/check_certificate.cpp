// The proved checker, run as a program.
//
// The checker is extracted from Coq to OCaml (proofs/native), and only where there is OCaml it is built: it cannot be a
// part of the library. It lies beside the library where that was built, and in the folder of programs where it is
// installed; the library finds it from its own path. The certificate goes to it as a temporary file; its exit status
// and its answer have to agree, and everything else is a certificate that was not checked.

#include "driver/certificates/check_certificate.h"

#include "support/check.h"
#include "support/own_folder.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace fluorite {

namespace {

namespace fs = std::filesystem;
using Verdict = CertificateVerdict;

Verdict not_checked(const std::string &reason) { return {Verdict::Kind::NotChecked, "not checked: " + reason}; }

/// The checker's path; empty if it is not there.
std::string find_checker(const std::string &given) {
    const char *named = std::getenv("FLUORITE_CHECK");
    std::vector<fs::path> places;
    if (!given.empty() || (named && *named)) {
        places = {given.empty() ? named : given};
    } else {
        const fs::path folder = own_folder();
        places = {folder / "proofs_native/fluorite_check", folder / "fluorite_check", folder / "../bin/fluorite_check",
                  folder / "../../bin/fluorite_check"};
    }
    for (const fs::path &place : places) {
        if (access(place.c_str(), X_OK) == 0) {
            return place.string();
        }
    }
    return "";
}

/// A file that lives as long as this.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string &text) {
        std::error_code ignored;
        path_ = (fs::temp_directory_path(ignored) / "fluorite-certificate-XXXXXX").string();
        const int file = mkstemp(path_.data());
        if (file < 0) {
            path_.clear();
            return;
        }
        size_t done = 0;
        while (done < text.size()) {
            const ssize_t count = write(file, text.data() + done, text.size() - done);
            if (count < 0 && errno != EINTR) {
                break;
            }
            done += count > 0 ? static_cast<size_t>(count) : 0;
        }
        is_whole_ = close(file) == 0 && done == text.size();
    }
    ~TemporaryFile() {
        if (!path_.empty()) {
            unlink(path_.c_str());
        }
    }
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;
    bool is_whole() const { return is_whole_; }
    const std::string &path() const { return path_; }

  private:
    std::string path_;
    bool is_whole_ = false;
};

struct Answer {
    std::string text;
    int status = -1;   // of exit; -1: none
    std::string error; // why it could not be run
};

std::string read_all(int file) {
    std::string text;
    std::array<char, 4096> bytes;
    while (true) {
        const ssize_t count = read(file, bytes.data(), bytes.size());
        if (count > 0) {
            text.append(bytes.data(), static_cast<size_t>(count));
        } else if (count == 0 || errno != EINTR) {
            return text;
        }
    }
}

/// Runs the program, and reads what it prints.
Answer run(std::vector<std::string> words) {
    Answer answer;
    std::array<int, 2> ends;
    if (pipe(ends.data()) != 0) {
        answer.error = std::strerror(errno);
        return answer;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    std::vector<char *> argv;
    for (std::string &word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    pid_t process = 0;
    const int failure = posix_spawn(&process, words[0].c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failure != 0) {
        answer.error = std::strerror(failure);
    } else {
        answer.text = read_all(ends[0]);
        int status = 0;
        pid_t ended;
        while ((ended = waitpid(process, &status, 0)) < 0 && errno == EINTR) {
        }
        answer.status = ended == process && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    close(ends[0]);
    return answer;
}

/// `FILE: accepted: TEXT` or `FILE:LINE:COLUMN: rejected: REASON`, and the exit status that goes with it.
Verdict verdict_of(const Answer &answer, const std::string &program, const std::string &path) {
    std::string text = answer.text.substr(0, answer.text.find('\n'));
    const bool is_about_file = text.starts_with(path + ":");
    text.erase(0, std::min(text.size(), path.size() + 1));
    const std::string accepted = " accepted: ", rejected = ": rejected: ";
    if (is_about_file && answer.status == 0 && text.starts_with(accepted)) {
        return {Verdict::Kind::Accepted, text.substr(accepted.size())};
    }
    if (const size_t at = text.find(rejected); is_about_file && answer.status == 1 && at != std::string::npos) {
        return {Verdict::Kind::Rejected, text.substr(0, at) + ": " + text.substr(at + rejected.size())};
    }
    return not_checked(concat(program, " ended with status ", answer.status, " and no verdict"));
}

} // namespace

CertificateVerdict check_certificate(const std::string &text, const CheckOptions &options) {
    const std::string program = find_checker(options.program);
    if (program.empty()) {
        return not_checked("the program fluorite_check, which is built where there is OCaml, is not there; build or "
                           "install it, or name it in FLUORITE_CHECK");
    }
    const TemporaryFile file(text);
    if (!file.is_whole()) {
        return not_checked("the certificate cannot be written to a temporary file");
    }
    const Answer answer = run({program, "--seconds", std::to_string(std::max(options.seconds, 1)), file.path()});
    return answer.error.empty() ? verdict_of(answer, program, file.path())
                                : not_checked(program + " cannot be run: " + answer.error);
}

namespace driver {

void set_verdict(ScheduleCertificate &certificate, const CertifyOptions &options, const std::string &name,
                 const Location &location) {
    if (!certificate.defined() || options.check == CertificateCheck::Never) {
        certificate.verdict = not_checked(certificate.defined() ? "the options do not ask for it" : "there is none");
        return;
    }
    certificate.verdict = check_certificate(certificate.text, options.checker);
    if (options.check == CertificateCheck::Required && !certificate.verdict.checked()) {
        throw CompileError("certificate-not-checked",
                           "in " + name + ": the certificate of its schedule is " + certificate.verdict.text +
                               "; the options require a verdict of the checker; make it available, or do not require "
                               "it",
                           location);
    }
}

} // namespace driver
} // namespace fluorite
