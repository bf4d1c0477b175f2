// The command line of a program of Generators.
//
// Options have one letter and a value; the rest are parameters, name=value, of which target= says for which processors
// the code is. Without options, the usage is printed, with the names of the generators.

#include "fluorite/generator.h"
#include "generator/execute.h"
#include "generator/refuse.h"
#include "generator/registry.h"
#include "generator/runtime_alone.h"
#include "support/check.h"

#include <algorithm>
#include <map>
#include <ostream>

namespace fluorite {

using generators::Request;
using generators::word_list;

namespace {

constexpr const char *usage_text =
    R"(usage: PROGRAM [-g GENERATOR] -o FOLDER [options] target=TARGET[,TARGET...] [PARAMETER=VALUE...]

  -g GENERATOR   the generator to compile; not needed if there is one only
  -o FOLDER      where the files go
  -f FUNCTION    the name of the compiled function; that of the generator if it is not given
  -n NAME        the name of the files, without extension; that of the function if it is not given
  -e KINDS       the kinds of files, separated by commas: KIND_LIST
                 static_library, c_header and registration if it is not given
  -r NAME        compile the runtime alone, to files of this name
  -p LIBRARIES   load these, separated by commas, first; the names of Halide's autoschedulers are accepted
  -s SCHEDULER   the autoscheduler, as autoscheduler=SCHEDULER
  -d 0           the module of derivatives is not made
  -t SECONDS     accepted, without effect: compiling ends by itself
  -v 1           print the paths of the files

  target=        host, or as x86-64-linux-avx2-fma; -no_runtime and other features follow

)";

[[noreturn]] void refuse_option(const std::string &text) {
    throw CompileError("generator-option", "in the command line of a generator: " + text);
}

void print_usage(std::ostream &out) {
    std::string text = usage_text;
    std::vector<std::string> words;
    for (const generators::FileKindRow &row : generators::file_kinds()) {
        if (row.not_built.empty()) {
            words.emplace_back(row.word);
        }
    }
    text.replace(text.find("KIND_LIST"), 9, word_list(words));
    out << text << "generators: " << word_list(GeneratorRegistry::enumerate()) << "\n";
}

std::vector<std::string> parts_of(const std::string &list) {
    std::vector<std::string> parts;
    for (size_t begin = 0; begin <= list.size();) {
        const size_t end = std::min(list.find(',', begin), list.size());
        if (end > begin) {
            parts.push_back(list.substr(begin, end - begin));
        }
        begin = end + 1;
    }
    return parts;
}

/// The words of a command line by their options, and the parameters.
struct Words {
    std::map<char, std::string> options;
    GeneratorParamsMap params;

    std::string option(char letter) const {
        const auto found = options.find(letter);
        return found == options.end() ? "" : found->second;
    }
};

Words words_of(int argc, char **argv) {
    Words words;
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        if (word[0] != '-') {
            const size_t equals = word.find('=');
            if (equals == std::string::npos || equals == 0) {
                refuse_option(concat("'", word,
                                     "' is neither an option nor a parameter; parameters are name=value; "
                                     "write it so"));
            }
            if (!words.params.emplace(word.substr(0, equals), word.substr(equals + 1)).second) {
                refuse_option(concat("the parameter ", word.substr(0, equals),
                                     " is given twice; each has one value; "
                                     "give it once"));
            }
            continue;
        }
        if (word.size() != 2 || std::string("gofnerpsdtv").find(word[1]) == std::string::npos) {
            refuse_option(concat("'", word,
                                 "' is no option; there are -g, -o, -f, -n, -e, -r, -p, -s, -d, -t and -v; "
                                 "run it without options for their meaning"));
        }
        if (i + 1 == argc) {
            refuse_option(concat(word, " has no value; each option is followed by one; give it"));
        }
        words.options[word[1]] = argv[++i];
    }
    return words;
}

std::string chosen_generator(const Words &words) {
    const std::string given = words.option('g');
    const std::vector<std::string> names = GeneratorRegistry::enumerate();
    if (given.empty() && names.size() != 1) {
        refuse_option(concat("-g is not given; there are the generators ", word_list(names), "; name one of them"));
    }
    return given.empty() ? names[0] : given;
}

Request request_of(Words words) {
    Request request;
    request.generator = chosen_generator(words);
    request.function = words.option('f');
    request.base_name = words.option('n');
    request.folder = words.option('o');
    request.kinds = words.options.count('e') != 0
                        ? generators::parse_file_kinds(words.option('e'))
                        : std::vector<OutputFileType>{OutputFileType::static_library, OutputFileType::c_header,
                                                      OutputFileType::registration};
    if (request.folder.empty()) {
        refuse_option("-o is not given; it is the folder of the files; give one, or -o .");
    }
    if (!words.option('d').empty() && words.option('d') != "0") {
        throw CompileError("not-built",
                           "in the command line of a generator: -d asks for derivatives, of which no module "
                           "is made; leave it out");
    }
    if (!words.option('s').empty()) {
        words.params.emplace("autoscheduler", words.option('s'));
    }
    const auto target = words.params.find("target");
    const bool is_code = request.kinds != std::vector<OutputFileType>{OutputFileType::cpp_stub};
    if (target == words.params.end() && is_code) {
        refuse_option("target= is not given; code is for a processor and a system; give target=host, or another");
    }
    if (target != words.params.end()) {
        for (const std::string &each : parts_of(target->second)) {
            request.targets.emplace_back(each, Location());
        }
        words.params.erase(target);
    }
    request.params = words.params;
    return request;
}

/// Writes the runtime, if it is asked for, and the files of the generator, if there is anything else to write.
std::vector<std::string> written(const Words &words) {
    std::vector<std::string> paths;
    if (!words.option('r').empty()) {
        const std::string list = words.options.count('e') != 0 ? words.option('e') : "static_library";
        const std::string folder = words.option('o').empty() ? "." : words.option('o');
        paths = generators::write_runtime(folder + "/" + words.option('r'), generators::parse_file_kinds(list));
        if (words.option('g').empty()) {
            return paths;
        }
    }
    const std::vector<std::string> more = generators::execute(request_of(words));
    paths.insert(paths.end(), more.begin(), more.end());
    return paths;
}

void run(int argc, char **argv, std::ostream &errors) {
    const Words words = words_of(argc, argv);
    for (const std::string &library : parts_of(words.option('p'))) {
        load_plugin(library);
    }
    generators::check_registry();
    for (const std::string &path : written(words)) {
        if (words.option('v') == "1") {
            errors << path << "\n";
        }
    }
}

} // namespace

std::vector<std::string> execute_generator(const ExecuteGeneratorArgs &args) {
    generators::check_registry();
    std::vector<std::string> paths;
    const std::string folder = args.output_dir.empty() ? "." : args.output_dir;
    const std::vector<OutputFileType> kinds(args.output_types.begin(), args.output_types.end());
    if (!args.runtime_name.empty()) {
        paths = generators::write_runtime(folder + "/" + args.runtime_name, kinds);
    }
    if (args.generator_name.empty()) {
        return paths;
    }
    for (const OutputFileType kind : kinds) {
        generators::check_is_made(kind);
    }
    Request request;
    request.generator = args.generator_name;
    request.function = args.function_name;
    request.base_name = args.file_base_name;
    request.folder = folder;
    request.kinds = kinds;
    request.targets = args.targets;
    request.suffixes = args.suffixes;
    request.params = args.generator_params;
    request.create = args.create_generator;
    if (request.targets.empty() && kinds != std::vector<OutputFileType>{OutputFileType::cpp_stub}) {
        refuse_option("there is no target; code is for a processor and a system; give one or more");
    }
    const std::vector<std::string> more = generators::execute(request);
    paths.insert(paths.end(), more.begin(), more.end());
    return paths;
}

int generate_filter_main(int argc, char **argv, std::ostream &errors) {
    if (argc <= 1) {
        print_usage(errors);
        return 1;
    }
    try {
        run(argc, argv, errors);
    } catch (const std::exception &error) {
        errors << "Error: " << error.what() << "\n";
        return 1;
    }
    return 0;
}

} // namespace fluorite
