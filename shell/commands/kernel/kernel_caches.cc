// SPDX-License-Identifier: MIT
// kernel caches: which caches had what the last run on the emulated device asked for, by place.
#include <fmt/format.h>

#include <algorithm>

#include "shell/commands/capture/kernel_report.h"
#include "shell/commands/kernel/counted_run.h"
#include "shell/core/command/define.h"

namespace rpl {
namespace {

struct CachesArgs {
  std::string capture, by;
};

/// In the order of what they cost; by pc in that of the code.
std::vector<CountedPlace> touching(Places places) {
  std::erase_if(places.rows, [](const CountedPlace& place) { return place.counts.lines == 0; });
  if (places.by != "pc") {
    std::ranges::stable_sort(places.rows, std::ranges::greater(), [](const CountedPlace& place) {
      return std::pair(place.counts.memory_lines, place.counts.lines);
    });
  }
  return std::move(places.rows);
}

std::optional<std::string> named(const CountedPlace& place) {
  const std::string& what = place.mnemonic.empty() ? place.instruction : place.mnemonic;
  return what.empty() ? std::nullopt : std::optional(what);
}
double l1_share(const InstructionCounts& counts) {
  return static_cast<double>(counts.l1_lines) / static_cast<double>(counts.lines);
}
constexpr auto kCacheColumns = bound_to<CountedPlace>(
    kPlaceColumn,
    column<&named>("instruction", "the mnemonic, its class, or the function of the line"),
    counted<&InstructionCounts::lines>("lines", "asked for by loads, stores and atomics"),
    counted<&InstructionCounts::l1_lines>("l1_lines",
                                          "of them, found in the vector L1 or the scalar cache"),
    kL2Column, kMemoryColumn, counted<&l1_share>("l1_share", "l1_lines of lines").if_room(),
    kBytesColumn,
    counted<&InstructionCounts::executed>("executed", "times, counted once for a wave").if_room());

std::string how(const emu::Executed& executed) {
  return executed.modelled ? executed.modelled->model : "counted, without times";
}
using emu::Counts;
using emu::Executed;
constexpr auto kCacheFields = bound_to<Executed>(
    column<&how>("how", "the cycle model, or the simpler caches of --counted"),
    column<&Executed::counts, &Counts::lines>("lines", "of the whole run; exact"),
    column<&Executed::counts, &Counts::l1_lines>("l1_lines",
                                                 "of them, found in a compute unit's own caches"),
    column<&Executed::counts, &Counts::l2_lines>("l2_lines", "of them, found in the L2"),
    column<&Executed::counts, &Counts::memory_lines>("memory_lines", "of them, found in neither"));

Result<Document> run_caches(const CachesArgs& args, Inputs inputs) {
  const auto run = TRY(counted_run(inputs, args.capture));
  Places places = TRY(places_of(*run, args.by));
  Document out;
  out.put(kCountedRunFields, *run);
  out.put(kByField, places);
  out.put(kCacheFields, run->executed);
  out.table(kCacheColumns, touching(std::move(places)));
  add_sample_note(run->executed, out);
  out.provenance = Provenance::modelled;
  out.next = {"kernel counters", "disassemble"};
  return out;
}

Command caches_command() {
  return Command{
      .path = "kernel caches",
      .does = kReads,
      .chapter = Class::capture,
      .summary = "Which caches had what an emulated run asked for, by place.",
      .help =
          "Of CAPTURE, which is run once, or of the last `kernel run`. A line is one of the vector "
          "L1 (`info arch GPU` tells its size, `line.vl1d`); every distinct line of every "
          "global and scalar access is in exactly one of `l1_lines`, `l2_lines` and "
          "`memory_lines`, and the rows add up to the run. Stores and atomics pass by the L1. "
          "What goes to memory may still be in the Infinity Cache. Places come with what went to "
          "memory most first, by pc in the order of the code; those that touch no "
          "memory are left out. With --modelled the L1 is that of the simulated compute unit, its "
          "waves in the order of the cycle model; with --counted "
          "workgroups go through the caches one after the other. docs/emulator.md says what that "
          "leaves out.",
      .fields = described({kCountedRunFields, kByField, kCacheFields}),
      .columns = described(kCacheColumns),
      .scalar = "memory_lines",
      .examples = {"kernel caches CAPTURE", "kernel caches CAPTURE --by pc"}};
}

}  // namespace

void add_kernel_cache_commands(Registry& registry) {
  add(registry, command(caches_command(),
                        {arg("capture", &CachesArgs::capture, "capture to run: c1 or a folder")
                             .completes(Complete::capture),
                         option("by", &CachesArgs::by, "how to divide the run")
                             .named("WHAT")
                             .one_of({"line", "pc", "mnemonic"})},
                        run_caches));
}

}  // namespace rpl
