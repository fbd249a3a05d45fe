// SPDX-License-Identifier: MIT
// kernel counts and kernel counters: what the last run on the emulated device executed, by place and by the hardware's names.
#include <fmt/format.h>

#include <algorithm>

#include "engine/device/execute/launch/hardware_counters.h"
#include "shell/commands/capture/kernel_report.h"
#include "shell/commands/kernel/counted_run.h"
#include "shell/core/command/define.h"

namespace rpl {
namespace {

struct CountsArgs {
  std::string capture, by;
};

struct CountersArgs {
  std::string capture;
};

Result<Document> run_counts(const CountsArgs& args, Inputs inputs) {
  const auto run = TRY(counted_run(inputs, args.capture));
  const Places places = TRY(places_of(*run, args.by));
  Document out;
  set_run(*run, out);
  out.set("by", places.by);
  const double all =
      static_cast<double>(std::max<std::uint64_t>(run->executed.counts.instructions, 1));
  for (const CountedPlace& place : places.rows) {
    const emu::InstructionCounts& counts = place.counts;
    out.rows.push_back(
        {Value(place.name), place.instruction.empty() ? Value() : Value(place.instruction),
         Value(counts.executed), Value(static_cast<double>(counts.executed) / all),
         Value(static_cast<double>(counts.active_lanes) /
               static_cast<double>(counts.executed * emu::kLanes)),
         Value(counts.bytes), Value(counts.transactions), Value(counts.lds_conflicts),
         Value(to_string(place.fidelity)), Value(counts.lines), Value(counts.l1_lines),
         Value(counts.l2_lines), Value(counts.memory_lines)});
  }
  add_fidelity_notes(run->executed, out);
  add_sample_note(run->executed, out);
  out.provenance = Provenance::modelled;
  out.next = {"kernel counters", "kernel caches", "disassemble"};
  return out;
}

Result<Document> run_counters(const CountersArgs& args, Inputs inputs) {
  const auto run = TRY(counted_run(inputs, args.capture));
  Document out;
  set_run(*run, out);
  for (const emu::HardwareCounter& counter : emu::hardware_counters(run->executed)) {
    out.rows.push_back({Value(counter.name), Value(counter.value),
                        Value(counter.modelled ? "modelled" : "exact"), Value(counter.meaning)});
  }
  if (!run->executed.modelled)
    out.notes.emplace_back("without the cycle model there are no counters of the caches");
  add_sample_note(run->executed, out);
  out.provenance = Provenance::modelled;
  out.next = {"kernel counts", "kernel caches"};
  return out;
}

Command counts_command() {
  std::vector<Column> fields = counted_run_columns();
  fields.push_back({"by", Type::string, Unit::none, "line, pc or mnemonic"});
  return Command{
      .path = "kernel counts",
      .chapter = Class::capture,
      .summary = "What an emulated run executed, by line, instruction or mnemonic.",
      .help =
          "Of CAPTURE, which is run once, or of the last `kernel run`. Every executed instruction "
          "is in exactly one row. `fidelity` says how the emulator's results compare with "
          "hardware: `exact`, or `approximate` where the last bits may differ; what it does not "
          "know ends a run. Rows come "
          "with the most executed first, by pc in the order of the code. Without `--by`, by line "
          "where the code object has a "
          "line table, else by mnemonic. Which caches had the lines is in `kernel caches`.",
      .fields = std::move(fields),
      .columns = {{"place", Type::string, Unit::none, "source line, address or mnemonic"},
                  {"instruction", Type::string, Unit::none,
                   "the instruction, its class, or the function of the line", InText::whole},
                  {"executed", Type::integer, Unit::count, "times, counted once for a wave"},
                  {"share", Type::number, Unit::share, "of all instructions executed"},
                  {"lane_share", Type::number, Unit::share, "active lanes of all lanes",
                   InText::if_room},
                  {"global_bytes", Type::integer, Unit::bytes,
                   "loaded or stored in global memory, as the lanes asked for it", InText::if_room},
                  {"transactions", Type::integer, Unit::count,
                   "64-byte lines touched by each global access, summed", InText::if_room},
                  {"lds_conflicts", Type::integer, Unit::cycles,
                   "extra LDS cycles because of bank conflicts", InText::if_room},
                  {"fidelity", Type::string, Unit::none, "exact or approximate", InText::if_room},
                  {"lines", Type::integer, Unit::count,
                   "lines that global and scalar accesses asked the caches for", InText::never},
                  {"l1_lines", Type::integer, Unit::count,
                   "of them, found in a compute unit's own caches", InText::never},
                  {"l2_lines", Type::integer, Unit::count, "of them, found in the L2",
                   InText::never},
                  {"memory_lines", Type::integer, Unit::count, "of them, found in neither",
                   InText::never}},
      .scalar = "instructions",
      .examples = {"kernel counts CAPTURE", "kernel counts CAPTURE --by pc"}};
}

Command counters_command() {
  return Command{
      .path = "kernel counters",
      .chapter = Class::capture,
      .summary = "What an emulated run counted, under the hardware's names.",
      .help =
          "Of CAPTURE, which is run once, or of the last `kernel run`. Only counters of the same "
          "meaning are here. `exact` ones are counted; `modelled` ones come from the "
          "cycle model's caches and bank conflicts. Run with --modelled, the default, for the "
          "caches.",
      .fields = counted_run_columns(),
      .columns = {{"counter", Type::string, Unit::none, "its name, summed over instances"},
                  {"value", Type::integer, Unit::count, "of the whole run"},
                  {"how", Type::string, Unit::none, "exact or modelled"},
                  {"meaning", Type::string, Unit::none, "what it counts", InText::if_room}},
      .scalar = "instructions",
      .examples = {"kernel counters CAPTURE"}};
}

}  // namespace

void add_kernel_count_commands(Registry& registry) {
  add(registry, command(counts_command(),
                        {arg("capture", &CountsArgs::capture, "capture to run: c1 or a folder")
                             .completes(Complete::file),
                         option("by", &CountsArgs::by, "how to divide the run")
                             .named("WHAT")
                             .one_of({"line", "pc", "mnemonic"})},
                        run_counts));
  add(registry, command(counters_command(),
                        {arg("capture", &CountersArgs::capture, "capture to run: c1 or a folder")
                             .completes(Complete::file)},
                        run_counters));
}

}  // namespace rpl
