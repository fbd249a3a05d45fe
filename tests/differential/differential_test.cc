// SPDX-License-Identifier: MIT
// Random functions, compiled for the host and for both devices, must compute the same bits.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/differential/campaign.h"

namespace rpl::differential {
namespace {

/// One function in so many may be beyond LLVM 19.
constexpr std::size_t kFew = 100;
/// One in so many, at most, is one that LLVM 19 compiles wrongly for a target.
constexpr std::size_t kRarely = 5000;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// Everything that differs, and of kernels that stopped those which were reduced, with how often each instruction stopped one.
std::string report(const Tally& tally) {
  std::string text;
  for (const Finding& finding : tally.findings) {
    if (finding.reduced.empty() && finding.stopped()) continue;
    text += fmt::format("\nseed {} on {} at -O{}: {}\n", finding.seed, to_string(finding.target),
                        finding.level, finding.message);
    if (!finding.reduced.empty()) text += "reduced: " + finding.reduced;
  }
  for (const Refused& refused : tally.refused)
    text += fmt::format("seed {} was not compiled\n", refused.seed);
  for (const auto& [stop, count] : tally.stops) text += fmt::format("{} x {}\n", count, stop);
  return text;
}

TEST(Differential, RandomFunctionsComputeWhatTheHostComputes) {
  if (!clang_is_there())
    GTEST_SKIP() << "clang-19 with its AMDGPU target and lld-19 is missing (scripts/setup --full)";
  char folder[] = "/tmp/rpl-differential-XXXXXX";
  ASSERT_NE(::mkdtemp(folder), nullptr);
  Plan plan;
  plan.folder = folder;
  plan.first_seed = from_environment("RPL_DIFFERENTIAL_SEED", 1);
  plan.functions = from_environment("RPL_DIFFERENTIAL_FUNCTIONS", 600);
  plan.functions_of_batch = from_environment("RPL_DIFFERENTIAL_BATCH", plan.functions_of_batch);
  plan.features.half_arithmetic = from_environment("RPL_DIFFERENTIAL_HALF", 1) != 0;
  plan.most_findings = from_environment("RPL_DIFFERENTIAL_REDUCE", plan.most_findings);
  if (std::getenv("RPL_DIFFERENTIAL_LEVEL") != nullptr)
    plan.level = static_cast<int>(from_environment("RPL_DIFFERENTIAL_LEVEL", 0));
  const auto started = std::chrono::steady_clock::now();
  const bool chatty = std::getenv("RPL_DIFFERENTIAL_FUNCTIONS") != nullptr;
  if (chatty) {
    plan.progress = [&](std::size_t done, std::size_t findings) {
      const std::chrono::duration<double> so_far = std::chrono::steady_clock::now() - started;
      fmt::print(stderr, "{} functions, {} findings, {:.0f} s\n", done, findings, so_far.count());
    };
  }
  const Tally tally = run_plan(plan);
  if (std::getenv("RPL_DIFFERENTIAL_KEEP") == nullptr) std::filesystem::remove_all(folder);
  EXPECT_EQ(tally.functions + tally.refused.size(), plan.functions);
  EXPECT_LE(tally.refused.size(), plan.functions / kFew)
      << tally.refused[0].seed << ' ' << tally.refused[0].message;
  EXPECT_TRUE(tally.findings.empty()) << report(tally);
  for (const auto& [fault, seeds] : tally.miscompiled) {
    // Many would be the emulator's doing, or would hide that.
    EXPECT_LE(seeds.size(), 2 + plan.functions / kRarely) << fault;
    fmt::print("seeds on which LLVM is wrong, by {}: {}\n", fault, fmt::join(seeds, ", "));
  }
  fmt::print("{} functions on {} inputs at two levels each; {} that LLVM could not compile\n",
             tally.functions, tally.items / 2, tally.refused.size());
}

}  // namespace
}  // namespace rpl::differential
