// Compiles programs for ranks to objects, one each, and writes what one machine computes: the applications on ranks,
// and programs of tuples, updates, reductions, scalars, buffers that all ranks have, and elements of other types.
// caller.c runs the objects.
//
//     generate FOLDER

#include "apps/ranks/simulations.h"
#include "program_list.h"

#include "elements.h"
#include "ir/parameter.h"

#include <cstring>
#include <fstream>
#include <future>
#include <utility>

namespace {

using namespace fluorite;

/// An argument, as caller.c is to bind it.
struct Listed {
    listed_kind kind = listed_input;
    std::string name;
    Type type;
    std::vector<int> mins, sizes[listed_variants];
    bool is_image = true;
    std::vector<int> cuts, tiles;
    uint64_t bits = 0; // of scalars
    double base = 0, spread = 1;
    int next = 0; // of outputs of a step
};

/// How often a step is made, and how many for each exchange.
struct Steps {
    int count = 0, per_exchange = 1;
};

std::string text_of(const std::vector<int> &numbers) {
    std::string text = "{";
    for (const int number : numbers) {
        text += std::to_string(number) + ", ";
    }
    return text + (numbers.empty() ? "0}" : "}");
}

class ObjectGenerator {
  public:
    explicit ObjectGenerator(std::string folder) : folder_(std::move(folder)) {}

    /// `inputs` and `arguments` are of the inputs, `outputs` of the values; `images` are the inputs that are no
    /// scalars.
    void add(const std::string &name, const Pipeline &pipeline, const std::vector<ImageParam> &images,
             const std::vector<Argument> &arguments, const std::vector<Listed> &inputs,
             const std::vector<Listed> &outputs, Steps steps = {}) {
        pipeline.compile_to_file(folder_ + "/" + name, arguments, name, Target("host"));
        for (int variant = 0; variant < listed_variants; variant++) {
            write_expected(name, pipeline, images, inputs, outputs, variant, steps.count);
        }
        includes_ += "#include \"" + name + ".h\"\n";
        rows_ += "    {\"" + name + "\", " + name + "_argv, " + std::to_string(steps.count) + ", " +
                 std::to_string(steps.per_exchange) + ", " + std::to_string(inputs.size() + outputs.size()) + ", {\n";
        for (const Listed &input : inputs) {
            add_row(input, "0");
        }
        for (size_t k = 0; k < outputs.size(); k++) {
            add_row(outputs[k], "\"" + name + ".expected" + std::to_string(k) + "\"");
        }
        rows_ += "    }},\n";
    }

    /// Writes what these programs and those of `others` are.
    void write_list(const ObjectGenerator &others) const {
        std::ofstream(folder_ + "/programs.h")
            << "#pragma once\n"
            << includes_ << others.includes_ << "static const struct listed_program listed_programs[] = {\n"
            << rows_ << others.rows_ << "};\n";
    }

  private:
    std::string folder_, includes_, rows_;

    void add_row(const Listed &listed, const std::string &expected) {
        const char *kinds[] = {"listed_input", "listed_scalar", "listed_output"};
        const auto number = [](auto value) { return std::to_string(value) + ", "; };
        rows_ += std::string("        {") + kinds[listed.kind] + ", \"" + listed.name + "\", " +
                 number(static_cast<int>(listed.type.code())) + number(listed.type.bits()) +
                 number(listed.mins.size()) + text_of(listed.mins) + ", {" + text_of(listed.sizes[0]) + ", " +
                 text_of(listed.sizes[1]) + "}, " + number(listed.is_image ? 1 : 0) + number(listed.cuts.size()) +
                 text_of(listed.cuts) + ", " + number(listed.tiles.empty() ? 0 : 1) + text_of(listed.tiles) + ", {" +
                 std::to_string(listed.bits) + "ull}, " + number(listed.base) + number(listed.spread) + expected +
                 ", " + std::to_string(listed.next) + "},\n";
    }

    static Buffer<> buffer_for(const Listed &listed, int variant) {
        Buffer<> buffer(listed.type, listed.sizes[variant]);
        buffer.set_min(listed.mins);
        return buffer;
    }

    void write_expected(const std::string &name, const Pipeline &pipeline, std::vector<ImageParam> images,
                        const std::vector<Listed> &inputs, const std::vector<Listed> &outputs, int variant, int steps) {
        size_t image = 0;
        std::vector<size_t> image_of; // an input
        for (const Listed &input : inputs) {
            image_of.push_back(image);
            if (input.kind == listed_input) {
                Buffer<> buffer = buffer_for(input, variant);
                for (size_t i = 0; i < buffer.number_of_elements(); i++) {
                    set_element(buffer.raw_buffer()->host, static_cast<int64_t>(i), input.type.is_float() ? 1 : 0,
                                input.type.bits(), input.base, input.spread);
                }
                images.at(image++).set(buffer);
            }
        }
        std::vector<Buffer<>> results;
        for (const Listed &output : outputs) {
            results.push_back(buffer_for(output, variant));
        }
        run_on_ranks(1, [&] { pipeline.realize(Realization(results)); });
        for (int step = 1; step < steps; step++) {
            for (size_t k = 0; k < results.size(); k++) {
                images[image_of[static_cast<size_t>(outputs[k].next)]].set(results[k].copy());
            }
            run_on_ranks(1, [&] { pipeline.realize(Realization(results)); });
        }
        for (size_t k = 0; k < results.size(); k++) {
            std::ofstream file(folder_ + "/" + name + ".expected" + std::to_string(k) + "." + std::to_string(variant),
                               std::ios::binary);
            file.write(reinterpret_cast<const char *>(results[k].raw_buffer()->host),
                       static_cast<std::streamsize>(results[k].size_in_bytes()));
        }
        for (ImageParam &bound : images) {
            bound.reset();
        }
    }
};

Listed image(listed_kind kind, const std::string &name, Type type, std::vector<int> first, std::vector<int> second,
             std::vector<int> cuts, std::vector<int> tiles = {}, std::vector<int> mins = {}) {
    Listed listed{kind,
                  name,
                  type,
                  std::move(mins),
                  {std::move(first), std::move(second)},
                  true,
                  std::move(cuts),
                  std::move(tiles)};
    listed.mins.resize(listed.sizes[0].size());
    return listed;
}

Listed whole(listed_kind kind, const std::string &name, Type type, std::vector<int> first, std::vector<int> second) {
    Listed listed = image(kind, name, type, std::move(first), std::move(second), {});
    listed.is_image = false;
    return listed;
}

/// A scalar of the value that it has now.
Listed scalar(const Argument &argument) {
    Listed listed;
    listed.kind = listed_scalar;
    listed.name = argument.name;
    listed.type = argument.type;
    listed.bits = argument.parameter->value_bits;
    return listed;
}

void add_apps(ObjectGenerator &generator) {
    size_t number = 0;
    for (const apps::RankedApp &app : apps::ranked_apps()) {
        // A grid in two dimensions, chosen for each number of ranks; of a prime number, strips.
        const apps::OnRanks made = app.make(97, 75, apps::Schedule::Hand, apps::Cut::Blocks);
        const apps::OnRanks other = app.make(61, 83, apps::Schedule::Hand, apps::Cut::Rows); // for its sizes
        const std::vector<Argument> arguments = made.output.infer_arguments();
        std::vector<Listed> inputs;
        for (const Argument &argument : arguments) {
            inputs.push_back(argument.is_buffer() ? image(listed_input, "input", made.input.type(), made.input_sizes,
                                                          other.input_sizes, {1})
                                                  : scalar(argument));
        }
        generator.add(app.name, made.output, {made.input}, arguments, inputs,
                      {image(listed_output, "output", made.output.types()[0], made.output_sizes, other.output_sizes,
                             number % 3 == 0 ? std::vector<int>{0, 1} : std::vector<int>{1})});
        number++;
    }
}

/// Scalars, a tile that is one, tuples, updates, a table that all ranks have, one that is part of the object.
void add_scalars(ObjectGenerator &generator) {
    Var x("x"), y("y"), yi("yi");
    ImageParam in(UInt(8), 2, "in"), table(Int(16), 1, "table");
    Param<int32_t> tile("tile"), shift("shift");
    Param<double> weight("weight");
    Buffer<uint8_t> own(5);
    own.for_each_element([&](int i) { own(i) = static_cast<uint8_t>(i * 11); });
    Func inside = BoundaryConditions::repeat_edge(in), pair("pair"), sum("sum"), result("scalars");
    RDom k(0, 5, "k"), all(0, in.width(), 0, in.height(), "all");
    sum() = cast<int64_t>(0);
    sum() += cast<int64_t>(in(all.x + in.dim(0).min(), all.y + in.dim(1).min()));
    const Expr entry = table(clamp(cast<int32_t>(inside(x, y)), 0, table.width() - 1));
    pair(x, y) = Tuple(cast<int32_t>(inside(x, y + shift)) + cast<int32_t>(entry), cast<double>(x) * weight);
    pair(x, y) = Tuple(pair(x, y)[0] + own(k), pair(x, y)[1] * 0.5 + cast<double>(k));
    result(x, y) =
        Tuple(pair(x, y - 2)[0] + pair(x + 1, y + 1)[0] + cast<int32_t>(sum() % 97), pair(in.width() - 1 - x, y)[1]);
    tile.set(3), shift.set(2), weight.set(0.75);
    sum.compute_root();
    pair.compute_root().distribute(y).vectorize(x, 8);
    result.split(y, y, yi, tile).distribute(y);
    generator.add("scalars", result, {in, table}, {in, tile, table, weight, shift},
                  {image(listed_input, "in", UInt(8), {41, 37}, {24, 50}, {1}, {4}), scalar(tile),
                   whole(listed_input, "table", Int(16), {200}, {31}), scalar(weight), scalar(shift)},
                  {image(listed_output, "first", Int(32), {41, 37}, {24, 50}, {0}),
                   image(listed_output, "second", Float(64), {41, 37}, {24, 50}, {0})});
}

/// Three dimensions that begin elsewhere, two outputs of which every rank gets one, recomputed and inlined Funcs.
void add_volume(ObjectGenerator &generator) {
    Var x("x"), y("y"), z("z");
    ImageParam in(Float(64), 3, "in"), mask(UInt(1), 2, "mask");
    Func inside = BoundaryConditions::constant_exterior(in, 0.25), first("first"), second("second"), third("volume"),
         total("total");
    first(x, y, z) = inside(x - 1, y, z) + inside(x + 1, y, z) * 0.5 + inside(x, y, z);
    second(x, y, z) = first(x, y - 1, z) + first(x, y + 2, z);
    third(x, y, z) = select(mask(x, y), second(x, y, z - 1) - second(x, y, z + 1), cast<double>(x + y * z));
    RDom r(in.dim(0).min(), in.width(), in.dim(1).min(), in.height(), in.dim(2).min(), in.channels(), "r");
    total(x) = cast<uint64_t>(0);
    total(clamp(cast<int32_t>(in(r.x, r.y, r.z) * 4.0), 0, 3)) += cast<uint64_t>(1);
    first.compute_root().distribute(y, z);
    second.compute_rank().vectorize(x, 4);
    third.distribute(x, y, z).vectorize(x, 4, TailStrategy::GuardWithIf);
    generator.add("volume", Pipeline({third, total}), {in, mask}, {in, mask},
                  {image(listed_input, "in", Float(64), {13, 12, 9}, {7, 10, 17}, {2}, {}, {-3, 5, 2}),
                   image(listed_input, "mask", UInt(1), {13, 12}, {7, 10}, {0}, {}, {-3, 5})},
                  {image(listed_output, "volume", Float(64), {13, 12, 9}, {7, 10, 17}, {1, 0}, {2, 3}, {-3, 5, 2}),
                   whole(listed_output, "total", UInt(64), {4}, {4})});
}

/// Time steps, of which one or several are computed for each exchange.
void add_steps(ObjectGenerator &generator, const std::string &name, Steps steps) {
    Var x("x"), y("y");
    ImageParam now(Float(32), 2, "now");
    Func around = BoundaryConditions::repeat_edge(now), flux("flux"), next(name);
    flux(x, y) = around(x + 1, y) - around(x, y);
    next(x, y) = around(x, y) + (flux(x, y) - flux(x - 1, y) + around(x, y + 1) - around(x, y - 1)) * 0.125f;
    flux.compute_root().distribute(y);
    next.distribute(y).vectorize(x, 8);
    generator.add(name, next, {now}, {now}, {image(listed_input, "now", Float(32), {40, 30}, {17, 45}, {1})},
                  {image(listed_output, "next", Float(32), {40, 30}, {17, 45}, {1})}, steps);
}

/// The simulations: fields in blocks of three dimensions.
void add_simulation(ObjectGenerator &generator, const apps::RankedSimulation &simulation, const std::string &name,
                    const std::vector<int> &first, const std::vector<int> &second, Steps steps) {
    const apps::Simulation made = simulation.make(apps::Schedule::Hand);
    const std::vector<Argument> arguments = made.step.infer_arguments();
    std::vector<Listed> inputs, outputs;
    std::vector<ImageParam> images;
    for (const Argument &argument : arguments) {
        if (!argument.is_buffer()) {
            inputs.push_back(scalar(argument));
            continue;
        }
        const auto field = std::find_if(made.fields.begin(), made.fields.end(),
                                        [&](const ImageParam &each) { return each.name() == argument.name; });
        const auto number = static_cast<int>(field - made.fields.begin());
        Listed input = image(listed_input, argument.name, field->type(), first, second, {0, 1, 2});
        input.base = std::floor(64 * simulation.start(number, 0.3, 0.2, 0.1)) / 64; // exact as a decimal text
        input.spread = 0.125;
        inputs.push_back(input);
        images.push_back(*field);
    }
    for (size_t f = 0; f < made.fields.size(); f++) {
        Listed output =
            image(listed_output, "next" + std::to_string(f), made.fields[f].type(), first, second, {0, 1, 2});
        output.next =
            static_cast<int>(std::find_if(inputs.begin(), inputs.end(),
                                          [&](const Listed &each) { return each.name == made.fields[f].name(); }) -
                             inputs.begin());
        outputs.push_back(output);
    }
    generator.add(name, made.step, images, arguments, inputs, outputs, steps);
}

} // namespace

int main(int argc, char **argv) {
    const std::string folder = argc > 1 ? argv[1] : ".";
    ObjectGenerator applications(folder), others(folder);
    // Two threads, because the build waits for nothing else at its end.
    auto others_are_made = std::async(std::launch::async, [&others] {
        add_scalars(others);
        add_volume(others);
        add_steps(others, "steps", {7, 1});
        add_steps(others, "deep_steps", {7, 3});
        const std::vector<apps::RankedSimulation> simulations = apps::ranked_simulations();
        add_simulation(others, simulations[0], "heat", {23, 17, 19}, {9, 31, 12}, {11, 1});
        add_simulation(others, simulations[0], "deep_heat", {23, 17, 19}, {9, 31, 12}, {11, 4});
        add_simulation(others, simulations[1], "navier_stokes", {12, 11, 10}, {9, 14, 16}, {3, 1});
    });
    add_apps(applications);
    others_are_made.get();
    applications.write_list(others);
    return 0;
}
