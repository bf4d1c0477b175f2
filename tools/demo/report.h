#pragma once
// What the demo leaves behind: a table on the terminal, pictures, and an HTML page that shows both.

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

/// Creates the folder and checks that files can be written to it; throws BadInput.
void prepare_folder(const std::string &folder);

/// Writes index.html and a PNG for each picture. The files are written under other names first and renamed when all
/// are complete. Throws std::runtime_error where the disk is full or the folder has become unwritable.
void write_report(const Report &report, const std::string &folder);

/// The page; pictures at reduced size are part of it, those at full size are links to <file>.png beside it.
std::string html_page(const Report &report);

/// "12.3", "0.45": three digits.
std::string three_digits(double value);

} // namespace fluorite::demo
