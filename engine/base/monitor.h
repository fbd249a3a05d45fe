// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace rpl {

/// How long work tells its caller where it stands. Both may be empty. Called from the thread that runs the work; the
/// caller decides whether and how often to draw.
struct Monitor {
  /// `done` of `total` units of `what` ("reading dispatches"); total 0 when unknown.
  std::function<void(std::string_view what, std::uint64_t done, std::uint64_t total)> progress;
  /// Something the user must know and that is not an error ("3 kernels have no name").
  std::function<void(std::string note)> note;

  void report(std::string_view what, std::uint64_t done, std::uint64_t total) const {
    if (progress) progress(what, done, total);
  }
};

}  // namespace rpl
