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

double lane_share(const InstructionCounts& counts) {
  return static_cast<double>(counts.active_lanes) /
         static_cast<double>(counts.executed * emu::kLanes);
}

constexpr auto kCountsColumns = bound_to<CountedPlace>(
    kPlaceColumn,
    column<&CountedPlace::instruction>("instruction",
                                       "the instruction, its class, or the function of the line")
        .whole()
        .or_null(),
    counted<&InstructionCounts::executed>("executed", "times, counted once for a wave"),
    column<&CountedPlace::share>("share", "of all instructions executed"),
    counted<&lane_share>("lane_share", "active lanes of all lanes").if_room(), kBytesColumn,
    counted<&InstructionCounts::transactions>("transactions",
                                              "64-byte lines touched by each global access, summed")
        .if_room(),
    counted<&InstructionCounts::lds_conflicts>("lds_conflicts",
                                               "extra LDS cycles because of bank conflicts")
        .in(Unit::cycles)
        .if_room(),
    counted<&InstructionCounts::stall_caused>(
        "stall_caused", "wave-cycles that waves waited because of it, wherever they did, modelled")
        .in(Unit::cycles)
        .if_room(),
    counted<&InstructionCounts::stall>("stall",
                                       "wave-cycles in which waves could not go on here, modelled")
        .in(Unit::cycles)
        .never(),
    column<&CountedPlace::fidelity>("fidelity", "exact or approximate").if_room(),
    counted<&InstructionCounts::lines>("lines",
                                       "lines that global and scalar accesses asked the caches for")
        .never(),
    counted<&InstructionCounts::l1_lines>("l1_lines",
                                          "of them, found in a compute unit's own caches")
        .never(),
    kL2Column.never(), kMemoryColumn.never());

using emu::HardwareCounter;
constexpr auto kCounterColumns = bound_to<HardwareCounter>(
    column<&HardwareCounter::name>("counter", "its name, summed over instances"),
    column<&HardwareCounter::value>("value", "of the whole run"),
    column<+[](const HardwareCounter& counter) { return counter.modelled ? "modelled" : "exact"; }>(
        "how", "exact or modelled"),
    column<&HardwareCounter::meaning>("meaning", "what it counts").if_room());

Result<Document> run_counts(const CountsArgs& args, Inputs inputs) {
  const auto run = TRY(counted_run(inputs, args.capture));
  const Places places = TRY(places_of(*run, args.by));
  Document out;
  out.put(kCountedRunFields, *run);
  out.put(kByField, places);
  out.table(kCountsColumns, places.rows);
  add_fidelity_notes(run->executed, out);
  add_sample_note(run->executed, out);
  out.provenance = Provenance::modelled;
  out.next = {"kernel counters", "kernel caches", "disassemble"};
  return out;
}

Result<Document> run_counters(const CountersArgs& args, Inputs inputs) {
  const auto run = TRY(counted_run(inputs, args.capture));
  Document out;
  out.put(kCountedRunFields, *run);
  out.table(kCounterColumns, emu::hardware_counters(run->executed));
  if (!run->executed.modelled)
    out.notes.emplace_back("without the cycle model there are no counters of the caches");
  add_sample_note(run->executed, out);
  out.provenance = Provenance::modelled;
  out.next = {"kernel counts", "kernel caches"};
  return out;
}

Command counts_command() {
  return Command{
      .path = "kernel counts",
      .does = kReads,
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
      .fields = described({kCountedRunFields, kByField}),
      .columns = described(kCountsColumns),
      .scalar = "instructions",
      .examples = {"kernel counts CAPTURE", "kernel counts CAPTURE --by pc"}};
}

Command counters_command() {
  return Command{
      .path = "kernel counters",
      .does = kReads,
      .chapter = Class::capture,
      .summary = "What an emulated run counted, under the hardware's names.",
      .help =
          "Of CAPTURE, which is run once, or of the last `kernel run`. Only counters of the same "
          "meaning are here. `exact` ones are counted; `modelled` ones come from the "
          "cycle model's caches and bank conflicts. Run with --modelled, the default, for the "
          "caches.",
      .fields = described(kCountedRunFields),
      .columns = described(kCounterColumns),
      .scalar = "instructions",
      .examples = {"kernel counters CAPTURE"}};
}

}  // namespace

void add_kernel_count_commands(Registry& registry) {
  add(registry, command(counts_command(),
                        {arg("capture", &CountsArgs::capture, "capture to run: c1 or a folder")
                             .completes(Complete::capture),
                         option("by", &CountsArgs::by, "how to divide the run")
                             .named("WHAT")
                             .one_of({"line", "pc", "mnemonic"})},
                        run_counts));
  add(registry, command(counters_command(),
                        {arg("capture", &CountersArgs::capture, "capture to run: c1 or a folder")
                             .completes(Complete::capture)},
                        run_counters));
}

}  // namespace rpl
