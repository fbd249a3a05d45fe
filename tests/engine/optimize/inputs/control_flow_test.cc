// SPDX-License-Identifier: MIT
#include "engine/optimize/inputs/control_flow.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/engine/optimize/inputs/kernel_code.h"

namespace rpl {
namespace {

/// Whether an end can be reached from `from` without coming by `avoided`: what the definition asks, by trying.
bool ends_without(const emu::Program& program, std::size_t from, std::size_t avoided) {
  std::vector<bool> seen(program.ops.size());
  std::vector<std::size_t> open = {from};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    bool goes_on = false;
    for_each_next(program.ops, at, [&](std::size_t next) {
      goes_on = true;
      if (next != avoided) open.push_back(next);
    });
    if (!goes_on) return true;
  }
  return false;
}

TEST(ControlFlow, WaysJoinAtTheFirstOperationThatAllComeBy) {
  const std::pair<const char*, const char*> kKernels[] = {{"loops", "summed"},
                                                          {"loops", "best"},
                                                          {"groups", "prefix"},
                                                          {"rewritten", "mandel"},
                                                          {"rewritten", "scaled_root_small_grids"}};
  for (const auto& [source, kernel] : kKernels) {
    const auto program = program_of(source, kernel);
    const std::vector<std::size_t> join = joins(*program);
    const std::vector<bool> can_run = reached_from_entry(*program);
    for (std::size_t at = 0; at < can_run.size(); ++at) {
      if (!can_run[at] || !name_of(program->ops[at]).starts_with("s_cbranch")) continue;
      // What every way comes by, besides the join itself, comes behind it.
      std::vector<std::size_t> all_come_by;
      for (std::size_t other = 0; other < can_run.size(); ++other) {
        if (can_run[other] && other != at && !ends_without(*program, at, other))
          all_come_by.push_back(other);
      }
      if (join[at] == program->ops.size()) {
        EXPECT_TRUE(all_come_by.empty()) << kernel << " at " << at;
        continue;
      }
      EXPECT_TRUE(std::ranges::count(all_come_by, join[at]) == 1) << kernel << " at " << at;
      for (const std::size_t other : all_come_by) {
        EXPECT_TRUE(other == join[at] || !ends_without(*program, join[at], other))
            << kernel << " at " << at << ": " << other << " comes before " << join[at];
      }
    }
  }
}

// A program without calls is its kernel's function and what stops who runs off its end.
TEST(ControlFlow, WhatStopsBehindTheKernelIsNotReached) {
  const auto program = program_of("loops", "summed");
  const std::vector<bool> can_run = reached_from_entry(*program);
  EXPECT_TRUE(can_run[program->entry]);
  EXPECT_EQ(std::ranges::count(can_run, false), 1);
  EXPECT_FALSE(can_run.back());
}

}  // namespace
}  // namespace rpl
