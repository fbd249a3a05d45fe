// SPDX-License-Identifier: MIT
// The vector copy of the recorded counters, run on the emulated device: what real MI200 and MI300X counted for 16 384 waves.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "engine/device/execute/launch/hardware_counters.h"
#include "tests/engine/device/execute/example_runs.h"
#include "tests/support/shared_data.h"

namespace rpl::emu {
namespace {

struct Recording {
  const char* arch;
  const char* folder;
};

class Silicon : public testing::TestWithParam<Recording> {};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  bool quoted = false;
  cells.emplace_back();
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '"' && c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

/// The counters of the first dispatch.
std::map<std::string, double> recorded(const std::string& path) {
  std::ifstream file(path);
  std::string head, first;
  std::getline(file, head);
  std::getline(file, first);
  const auto names = split(head), cells = split(first);
  std::map<std::string, double> counters;
  for (std::size_t i = 0; i < std::min(names.size(), cells.size()); ++i)
    counters[names[i]] = std::atof(cells[i].c_str());
  return counters;
}

TEST_P(Silicon, TheVectorCopyCountsWhatTheHardwareCounted) {
  const std::string path = testing_support::shared_data(std::string("rocpd/rocprof_compute/") +
                                                        GetParam().folder + "/pmc_perf.csv");
  if (path.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  const auto hardware = recorded(path);
  constexpr std::uint32_t kElements = 1'048'576;
  KernelRun run = vcopy(GetParam().arch, kElements);
  run.options.mode = Mode::modelled;
  run.options.count_boundary = true;
  std::size_t exact = 0;
  for (const HardwareCounter& counter : hardware_counters(run_ok(run).executed)) {
    const auto at = hardware.find(counter.name);
    if (at == hardware.end()) continue;
    // Cycles are far from exact, as docs/cycle-model.md says; those of the dispatch were recorded while counting slowed it down.
    if (counter.name == "GRBM_GUI_ACTIVE") continue;
    if (counter.name == "SQ_WAVE_CYCLES" || counter.name == "SQ_WAIT_ANY") {
      EXPECT_GT(static_cast<double>(counter.value), at->second / 5) << counter.name;
      EXPECT_LT(static_cast<double>(counter.value), at->second * 5) << counter.name;
      continue;
    }
    // What goes on to memory is modelled: code and page tables are fetched by hardware as well.
    if (counter.name.starts_with("TCC_")) {
      EXPECT_NEAR(static_cast<double>(counter.value), at->second, 0.01 * at->second)
          << counter.name;
      continue;
    }
    EXPECT_EQ(static_cast<double>(counter.value), at->second) << counter.name;
    ++exact;
  }
  EXPECT_GE(exact, 30U) << "the recording has these counters";
}

INSTANTIATE_TEST_SUITE_P(Recordings, Silicon,
                         testing::Values(Recording{"gfx90a", "vcopy_MI200"},
                                         Recording{"gfx942", "vcopy_MI300X_A1"}),
                         [](const auto& tested) { return tested.param.arch; });

}  // namespace
}  // namespace rpl::emu
