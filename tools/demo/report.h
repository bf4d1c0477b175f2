#pragma once
// The demo's output: a table on the terminal, pictures, and an HTML page that shows both.

#include "measure.h"

#include <string>
#include <vector>

namespace fluorite::demo {

struct Report {
    Picture input;
    std::string source;  ///< where the picture comes from
    std::string machine; ///< what the code was compiled for
    std::vector<Result> results;

    double megapixels() const {
        return static_cast<double>(input.width()) * static_cast<double>(input.height()) * 1e-6;
    }
    bool correct() const;
};

/// The table for the terminal, ending in a newline.
std::string text_table(const Report &report);

/// Creates the folder and checks that it is writable; throws BadInput.
void prepare_folder(const std::string &folder);

/// Writes index.html and a PNG for each picture. The files are written to a temporary folder first and moved when all
/// are complete. Throws std::runtime_error if the disk is full or the folder has become unwritable.
void write_report(const Report &report, const std::string &folder);

/// The page contains the pictures at reduced size and links to <file>.png beside it at full size.
std::string html_page(const Report &report);

/// "12.3", "0.45": three digits.
std::string three_digits(double value);

} // namespace fluorite::demo
