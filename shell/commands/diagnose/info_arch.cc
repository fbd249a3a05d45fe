// SPDX-License-Identifier: MIT
// info arch: what is known of a GPU, and who says so.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "engine/arch/peaks.h"
#include "engine/document/bound.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/loaded.h"

namespace rpl {
namespace {

struct ArchArgs : HardwareArgs {
  std::string gpu;
};

/// Whole numbers as such, so that 65536 does not read 65536.0.
Value plain(double number) {
  if (number == std::floor(number) && std::abs(number) < 1e15)
    return Value(static_cast<std::int64_t>(number));
  return Value(number);
}

struct KnownRow {
  std::string name;
  Value value;
  std::string_view unit, origin, note;
  std::string source;
};

constexpr auto kFactColumns = bound_to<KnownRow>(
    column<&KnownRow::name>("name", "what it is"),
    column<&KnownRow::value>("value", "a number, or a word"),
    column<&KnownRow::unit>("unit", "null for counts and words").or_null(),
    column<&KnownRow::origin>("origin", "file, recording, user, or formula"),
    column<&KnownRow::source>("source",
                              "line of the file, field of the agent, option, or the formula"),
    column<&KnownRow::note>("note", "what the file says of it").or_null().if_room());

constexpr auto kGpuFields = bound_to<arch::Gpu>(
    column<&arch::Gpu::arch>("arch", "architecture, as compilers name it"),
    column<&arch::Gpu::product>("product", "null when it is unknown").or_null());

void add_peak(std::vector<KnownRow>& out, const Result<Derivation>& peak, std::string_view unit) {
  if (!peak || peak->inputs.empty()) return;  // unknown, or a fact that has its row
  out.push_back({peak->name, plain(std::round(*peak->value)), unit, "formula", {}, peak->formula});
}

void add_peaks(std::vector<KnownRow>& out, const arch::Gpu& gpu) {
  for (const arch::Pipe pipe : {arch::Pipe::vector, arch::Pipe::matrix}) {
    for (const arch::DataType type : arch::kDataTypes) {
      const bool whole = type == arch::DataType::i8 || type == arch::DataType::i4;
      add_peak(out, arch::peak_flops(gpu, type, pipe), whole ? "GOP/s" : "GFLOP/s");
    }
  }
  for (const arch::Level level : arch::kLevels)
    add_peak(out, arch::peak_bandwidth(gpu, level), "GB/s");
}

Result<arch::Gpu> gpu_of(const Inputs& inputs, const ArchArgs& args) {
  const bool agent = args.gpu.size() > 1 && args.gpu[0] == 'a' &&
                     args.gpu.find_first_not_of("0123456789", 1) == std::string::npos;
  if (!args.gpu.empty() && !agent) return hardware_named(inputs, args.gpu, args);
  auto now = loaded(inputs);
  if (!now && args.gpu.empty()) {
    std::vector<std::string> names;
    const arch::Catalogue catalogue = TRY(arch_catalogue(inputs));
    for (const arch::Identity& known : catalogue.all())
      names.push_back(known.product.empty() ? known.arch : known.product);
    return fail(Errc::usage, "no trace is open whose GPU could be shown; name one",
                fmt::format("info arch NAME; known: {}", fmt::join(names, ", ")));
  }
  const Loaded current = TRY(std::move(now));
  const std::uint32_t index =
      agent ? TRY(resolve_entity(*current.trace, 'a', args.gpu)) : busiest_agent(*current.trace);
  return hardware_of(inputs, *current.trace, index, args);
}

Result<Document> info_arch(const ArchArgs& args, Inputs inputs) {
  const arch::Gpu gpu = TRY(gpu_of(inputs, args));
  Document out;
  out.put(kGpuFields, gpu);
  std::vector<KnownRow> rows;
  for (const arch::Fact* fact : gpu.facts()) {
    if (arch::find_key(fact->key)->is_listed)
      rows.push_back({fact->key, fact->is_number() ? plain(fact->number) : Value(fact->text),
                      fact->unit, to_string(fact->origin), fact->note, fact->source});
  }
  add_peaks(rows, gpu);
  out.table(kFactColumns, rows);
  out.notes = gpu.notes;
  out.provenance = Provenance::estimated;
  out.next = {"occupancy", "show arch"};
  return out;
}

}  // namespace

void add_hardware_commands(Registry& registry) {
  add(registry,
      command<ArchArgs>(
          Command{.path = "info arch",
                  .does = kReads,
                  .chapter = Class::status,
                  .summary = "Show what is known of a GPU, and who says so.",
                  .help = "Units, limits, peaks and memory levels of the GPU on which most of the "
                          "trace ran, of an agent (`a4`), or of a name (`" +
                          example_names("`, `") +
                          "`). What the user says (`set arch …`, options, files in "
                          "~/.config/rpl/arch) goes over what the recording says of its agent, and "
                          "that over the program's architecture files. Rows from a formula follow "
                          "from the others. What is unknown has no row.",
                  .fields = described(kGpuFields),
                  .columns = described(kFactColumns),
                  .scalar = "arch",
                  .examples = {"info arch MI300X", "info arch TRACE"}},
          with_hardware<ArchArgs>(
              {arg("gpu", &ArchArgs::gpu,
                   "agent of the trace, architecture or product; the trace's GPU without")}),
          info_arch));
}

}  // namespace rpl
