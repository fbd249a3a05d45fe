// SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/replay/hsa/hsa_replay.h"
#include "tests/engine/capture/captured.h"
#include "tests/support/hsa/calls.h"

namespace rpl::test {

/// A replay in this process, on the double.
struct OnDouble {
  explicit OnDouble(hsa_double::Options with = {}) : options(std::move(with)) {}

  Result<ReplaySeries> run(const ReplayPlan& plan) {
    hsa_double::configure(options);
    Steering steering;
    held = steering.hold(page_ranges(*plan.capture, plan.host_regions, kHostPage));
    return replay_on_hsa(hsa_double::api(), plan, steering, placement,
                         [this](std::string_view function, std::string_view about) {
                           stages.push_back(std::string(function) + " of " + std::string(about));
                         });
  }

  /// Calls and packets, one a line.
  static std::vector<std::string> journal() { return hsa_double::journal().lines(); }
  /// The lines that begin with `start`.
  static std::vector<std::string> lines(std::string_view start) {
    std::vector<std::string> out;
    for (const std::string& line : journal()) {
      if (line.starts_with(start)) out.push_back(line);
    }
    return out;
  }
  /// Where the first such line is.
  static std::size_t place(std::string_view start) {
    const auto all = journal();
    const auto found =
        std::ranges::find_if(all, [&](const std::string& line) { return line.starts_with(start); });
    EXPECT_NE(found, all.end()) << start;
    return static_cast<std::size_t>(found - all.begin());
  }

  hsa_double::Options options;
  Placement placement;
  std::vector<PlaceConflict> held;
  std::vector<std::string> stages;
};

/// Nothing of the runtime is left, and nothing lies where the capture's memory lay.
inline void expect_clean(const Capture& capture, const std::vector<std::size_t>& host = {}) {
  EXPECT_EQ(hsa_double::machine(), nullptr);
  EXPECT_TRUE(OnDouble::lines("left:").empty()) << OnDouble::lines("left:").front();
  for (const PageRange& range : page_ranges(capture, host, kHostPage)) {
    EXPECT_TRUE(mappings_in(range.base, range.bytes).empty())
        << mappings_in(range.base, range.bytes).front();
  }
}

}  // namespace rpl::test
