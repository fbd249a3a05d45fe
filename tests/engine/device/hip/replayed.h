// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "engine/capture/capture.h"
#include "engine/replay/images.h"
#include "engine/replay/replay.h"

namespace rpl {

/// One element of an image.
template <class T>
T value_at(const std::vector<std::byte>& bytes, std::size_t index) {
  T out;
  std::memcpy(&out, bytes.data() + index * sizeof(T), sizeof(T));
  return out;
}

/// A captured variable, or null.
inline const CapturedRegion* variable(const Capture& capture, const std::string& name) {
  for (const CapturedRegion& region : capture.regions) {
    if (region.variable == name) return &region;
  }
  return nullptr;
}

/// Reads a capture and expects that replaying it on the emulated device gives its post image byte by byte.
inline Capture expect_replays(const std::string& folder) {
  const auto capture = read_capture(folder);
  if (!capture) {
    ADD_FAILURE() << capture.error().message;
    return {};
  }
  const auto run = replay_once({.capture = &*capture, .execute = {.mode = emu::Mode::functional}});
  if (!run) {
    ADD_FAILURE() << capture->kernel << ": " << run.error().message;
    return *capture;
  }
  const auto compared = compare_with_post_image(*capture, run->memory);
  EXPECT_EQ(compared->match, ImageMatch::matched) << capture->kernel;
  return *capture;
}

}  // namespace rpl
