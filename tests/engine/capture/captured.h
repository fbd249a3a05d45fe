// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include "engine/replay/emulated.h"
#include "tests/engine/device/execute/example_runs.h"
#include "tests/support/temp_dir.h"

namespace rpl::test {

/// A dispatch of an example kernel, frozen. Ends the test program when it cannot run.
inline Capture captured(const emu::KernelRun& run) {
  auto capture = capture_run(run);
  if (!capture) {
    std::fputs((capture.error().message + '\n').c_str(), stderr);
    std::abort();
  }
  capture->tool = "a test";
  return std::move(*capture);
}

/// Three regions, one of which changes.
inline Capture small_capture() { return captured(emu::vector_add("gfx942", 100)); }

/// `text` with `from` replaced by `to`, which must be there.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " is not in " << text;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace rpl::test
