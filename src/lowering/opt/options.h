#pragma once
// The command line of fluorite_opt.

#include <optional>
#include <string>
#include <vector>

namespace fluorite::lowering::opt {

inline constexpr char default_target[] = "x86-64-linux-avx512_sapphirerapids";

struct OptOptions {
    enum class View : uint8_t {
        Text,      // of the statement or module
        Structure, // structure.h
        Nest,      // the bounded loop nest, complete
        Loops,     // as print_loop_nest
        Bounds,    // as explain_bounds of `func`
        Schedule,  // the normal form of the schedule
        Phases,    // the phases whose rules the statement obeys
        List,      // the table of passes
        Help,
    };
    View view = View::Text;
    std::string func;
    std::vector<std::string> passes;      // by name, in order; or
    std::optional<std::string> from, to;  // a range of the table
    std::vector<std::string> print_after; // names of passes
    bool prints_all = false;              // after every pass
    bool prints_whole = false;            // with graph and schedule
    bool verifies = true;                 // before and after each pass
    std::optional<std::string> phase;     // to verify; all without one
    std::string name = "pipeline";
    std::optional<std::string> target; // empty: the text's, or default_target
    std::string file, schedule_file;   // "-" is the standard input; empty: none
};

/// Throws CompileError [opt-option] that names the word.
OptOptions parse_opt_options(const std::vector<std::string> &words);
std::string opt_help();

} // namespace fluorite::lowering::opt
