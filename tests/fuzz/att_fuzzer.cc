// SPDX-License-Identifier: MIT
// A folder with a thread trace: the input holds the text of one file behind a byte that says which; the other files are whole.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/att/analyse/diff.h"
#include "engine/att/analyse/hidden.h"
#include "engine/att/analyse/legacy.h"
#include "engine/att/analyse/perf_counters.h"
#include "engine/plot/svg.h"
#include "tests/support/generate_att.h"

namespace {

using namespace rpl;
namespace fs = std::filesystem;

constexpr const char* kFiles[] = {
    "code.json",      "filenames.json",  "occupancy.json",       "realtime.json",
    "snapshots.json", "wstates2.json",   "se0_sm1_sl0_wv0.json", "../stats.csv",
    "../samples.csv", "../samples.json", "se0_perfcounter.json", "modelled_dispatch.json"};

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

/// Everything that can be asked of a trace.
void ask(const std::string& path) {
  const auto trace = att::open_trace(path);
  if (!trace) return;
  const auto facts = att::read_waves(**trace, {}, {.strip = true, .threads = 1});
  require(facts.has_value(), "reading waves never fails as a whole");
  require(facts->equal_waits <= facts->stored_waits && facts->stored_waits <= facts->waves,
          "waits are counted by wave");
  const att::Summary summary = att::summarise(**trace, &*facts);
  require(summary.totals.stall <= summary.totals.latency, "stall is a part of latency");
  for (const att::EngineOccupancy& engine : summary.occupancy)
    require(engine.final_waves >= 0, "waves are not negative");
  static_cast<void>(att::stall_facts(**trace, summary));
  static_cast<void>(att::legacy_numbers((*trace)->code));
  att::Cost sum;
  for (const att::LineCost& line : att::lines_of((*trace)->code, att::Inlining::leaf))
    sum += line.cost;
  if (!(*trace)->code.rows.empty()) require(sum.latency == summary.totals.latency, "lines add up");
  static_cast<void>(att::lines_of((*trace)->code, att::Inlining::all));
  static_cast<void>(
      att::state_strip_svg((*trace)->kernel(), att::state_strip((*trace)->states, 20), {}));
  if ((*trace)->occupancy)
    static_cast<void>(att::occupancy_strip(*(*trace)->occupancy, summary.clock_offsets, 20));
  for (const auto& [file, copy] : (*trace)->snapshots) {
    require(copy.find('/') == std::string::npos && !copy.starts_with('.'),
            "copies stay in the folder");
    static_cast<void>((*trace)->source_text(file));
  }
  std::vector<std::string> notes;
  const auto streamed = att::read_perf_of(**trace, notes);
  for (const att::PerfCounter& counter :
       att::summarise_perf(streamed, {"SQ_BUSY_CU_CYCLES", "SQ_INST_LEVEL_VMEM"}).counters)
    require(counter.samples == 0 || counter.per_sample <= counter.largest,
            "a mean is not above the largest");
  static_cast<void>(att::latencies_by_level(**trace, streamed));
  const auto hidden = att::hidden_cycles(**trace);
  require(hidden.has_value() && hidden->stall.hidden <= hidden->stall.all &&
              hidden->idle.hidden <= hidden->idle.all,
          "no more is hidden than there is");
  static_cast<void>(att::diff_traces(**trace, **trace));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fs::path folder = [] {
    const fs::path made =
        fs::temp_directory_path() / ("rpl-fuzz-att-" + std::to_string(::getpid()));
    rpl::testing_support::write_att((made / "whole").string(), {.engines = 2});
    return made;
  }();
  if (size == 0) return 0;
  const char* name = kFiles[data[0] % std::size(kFiles)];
  const fs::path copy = folder / "copy";
  fs::remove_all(copy);
  fs::copy(folder / "whole", copy);
  const fs::path target = copy / name;
  std::ofstream(target, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data) + 1, static_cast<std::streamsize>(size - 1));
  // Only a trace that says that it is modelled has one, which the whole one does not.
  if (name == att::kModelledDispatchFile) {
    const auto dispatch = att::read_modelled_dispatch(target.string());
    require(!dispatch || (dispatch->cycles > 0 && dispatch->time_ns > 0), "what ran took time");
    if (dispatch)
      require(att::to_json(*dispatch).size() < (1U << 20), "it is no larger written again");
  }
  ask(name[0] == '.' ? target.lexically_normal().string() : copy.string());
  return 0;
}
