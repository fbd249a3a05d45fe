// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "engine/intercept/calls.h"

namespace rpl::intercept {

/// Asynchronous copies that were asked for and may still run. A copy ends by taking one from its completion signal, and begins when the signals
/// that it depends on are zero. Calls from any thread.
class CopyLog {
 public:
  explicit CopyLog(const Calls& calls) : calls_(calls) {}

  /// Before a copy is asked for: what its signal holds now. Nothing for copies without a signal, whose end nobody can see.
  void submitting(Signal completion, std::span<const Signal> dependencies);
  /// It was refused: it will take nothing from the signal.
  void refused(Signal completion);
  /// The application is about to destroy a signal, which is not looked at any more.
  void destroyed(Signal signal);
  /// How many have begun and not ended. Those that wait for other work count once that work has ended.
  std::size_t in_flight();

 private:
  struct Copy {
    std::uint64_t completion = 0;
    hsa::SignalValue end =
        0;  ///< what `completion` holds once this copy and those before it have ended
    std::vector<std::uint64_t> dependencies;
  };
  [[nodiscard]] bool has_begun(const Copy& copy) const;

  const Calls& calls_;
  std::mutex mutex_;
  std::vector<Copy> copies_;  ///< in the order in which they were asked for
};

}  // namespace rpl::intercept
