// SPDX-License-Identifier: MIT
// Equal launches are modelled equally: with any number of threads, and any time of one process. Cycles, counts, results, and every byte of the trace.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "engine/device/record/write_trace.h"
#include "tests/engine/device/execute/every_example.h"
#include "tests/support/temp_dir.h"

namespace rpl::calibrate {
namespace {

namespace fs = std::filesystem;

/// Among them one with atomics, one with barriers and LDS, one whose waves part ways, one that a compute unit cannot hold at once.
constexpr emu::Example kTwice[] = {
    {"vector_add", [](const std::string& arch) { return emu::vector_add(arch, 2'000'000); }},
    {"matmul_mfma", [](const std::string& arch) { return emu::matmul_mfma(arch, 128, 128, 64); }},
    {"softmax", [](const std::string& arch) { return emu::softmax(arch, 1024, 60); }},
    {"reduce", [](const std::string& arch) { return emu::reduce(arch, 50'000, 64); }},
    {"histogram", [](const std::string& arch) { return emu::histogram(arch, 40'000, 32); }},
    {"layer_norm", [](const std::string& arch) { return emu::layer_norm(arch, 256, 200, 256); }},
    {"pointer_chase",
     [](const std::string& arch) { return emu::pointer_chase(arch, 4096, 1024, 32); }},
    {"divergent", [](const std::string& arch) { return emu::divergent(arch, 8192); }},
};

/// Everything that a run leaves behind, but the time it took to emulate.
struct Left {
  std::vector<std::vector<std::byte>> buffers;
  std::map<std::string, std::string> numbers;
  std::map<std::string, std::string> files;  ///< of the trace: content by name
};

std::map<std::string, std::string> files_below(const std::string& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    out[fs::relative(entry.path(), folder).string()] = text.str();
  }
  return out;
}

void put_counts(const emu::Counts& counts, std::map<std::string, std::string>& out) {
  out["counts"] = fmt::format("{} {} {} {} {} {} {} {} {} {} {}", counts.workgroups, counts.waves,
                              counts.instructions, counts.active_lanes, counts.vector_instructions,
                              counts.load_bytes, counts.store_bytes, counts.transactions,
                              counts.lds_accesses, counts.lds_conflicts, counts.atomics);
  std::string rows;
  for (const emu::InstructionCounts& row : counts.by_instruction)
    rows += fmt::format("{} {} {} {} {}\n", row.executed, row.active_lanes, row.bytes,
                        row.transactions, row.lds_conflicts);
  out["by instruction"] = rows;
}

void put_model(const emu::Modelled& modelled, std::map<std::string, std::string>& out) {
  const emu::CacheCounts& caches = modelled.caches;
  out["cycles"] = fmt::format("{} {}", modelled.cycles, modelled.time_ns);
  out["waits"] = fmt::format("{} {} {}", modelled.vmem_wait_cycles, modelled.lds_wait_cycles,
                             modelled.wave_cycles);
  out["simulated"] =
      fmt::format("{} {}", modelled.simulated_workgroups, modelled.simulated_instructions);
  out["caches"] =
      fmt::format("{} {} {} {} {} {} {} {} {}", caches.l1_lookups, caches.l1_misses,
                  caches.l2_writes, caches.l2_atomics, caches.scalar_misses, caches.l2_hits,
                  caches.l2_misses, caches.memory_read_bytes, caches.hbm_bytes);
}

Left run_once(emu::KernelRun run, unsigned threads) {
  const testing_support::TempDir folder;
  run.options.mode = emu::Mode::modelled;
  run.options.keep_trace = true;
  run.options.threads = threads;
  emu::KernelOutcome outcome = emu::run_ok(run);
  Left left;
  left.buffers = std::move(outcome.buffers);
  put_counts(outcome.executed.counts, left.numbers);
  put_model(outcome.executed.modelled.value_or(emu::Modelled()), left.numbers);
  const auto trace = modelled_trace(outcome.executed);
  EXPECT_TRUE(trace.has_value()) << trace.error().message;
  const std::string path = folder.path() + "/traced";
  if (trace) {
    EXPECT_TRUE(att::write_trace(path, *trace).has_value());
  }
  left.files = files_below(path);
  return left;
}

void expect_equal(const Left& a, const Left& b) {
  EXPECT_EQ(a.buffers, b.buffers);
  EXPECT_EQ(a.numbers, b.numbers);
  ASSERT_EQ(a.files.size(), b.files.size());
  for (const auto& [name, text] : a.files) {
    const auto other = b.files.find(name);
    ASSERT_NE(other, b.files.end()) << name;
    EXPECT_TRUE(text == other->second) << name << " differs";
  }
}

class Equality : public testing::TestWithParam<std::tuple<emu::Example, const char*>> {};

TEST_P(Equality, OfOneAndTwoThreadsAndOfTwoRuns) {
  const emu::KernelRun run = std::get<0>(GetParam()).run(std::get<1>(GetParam()));
  const Left one = run_once(run, 1);
  EXPECT_GT(one.files.size(), 6U) << "a listing, a manifest, occupancy, clocks, the dispatch, the "
                                     "device, and a file for each wave";
  EXPECT_NE(one.numbers.at("cycles"), "0 0");
  {
    SCOPED_TRACE("two threads");
    expect_equal(one, run_once(run, 2));
  }
  {
    SCOPED_TRACE("again");
    expect_equal(one, run_once(run, 1));
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, Equality,
                         testing::Combine(testing::ValuesIn(kTwice),
                                          testing::ValuesIn(isa::kArchitectures)),
                         [](const auto& tested) {
                           return std::string(std::get<0>(tested.param).name) + "_" +
                                  std::get<1>(tested.param);
                         });

}  // namespace
}  // namespace rpl::calibrate
