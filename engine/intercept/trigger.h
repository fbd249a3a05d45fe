// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "engine/capture/wish.h"
#include "engine/intercept/report.h"

namespace rpl::intercept {

/// A dispatch as the trigger sees it.
struct SeenDispatch {
  std::string kernel;  ///< mangled
  std::uint64_t kernel_object = 0;
  std::array<std::uint32_t, 3> grid{}, workgroup{};  ///< work-items
  std::uint64_t queue = 0;
};

/// Decides which dispatch is captured, and counts them all. What is wished may change while the program runs. Calls from any thread.
class Trigger {
 public:
  enum class Turn { none, to_time, to_hold, to_capture };

  /// Without a kernel in it nothing is captured until arm(). Fails with usage for a wrong pattern.
  static Result<Trigger> of(CaptureWish wish);
  Trigger(Trigger&& other) noexcept;

  /// What to do with a dispatch that comes now.
  Turn see(const SeenDispatch& dispatch);
  /// How long one that was to be timed took.
  void took(const SeenDispatch& dispatch, std::chrono::nanoseconds time);

  /// From now on this is what is wished; matches count again. Fails with usage.
  rpl::Status arm(CaptureWish wish);
  /// The next dispatch that the pattern names is held back until let_go(), or for `most`. Fails with usage.
  rpl::Status hold_next(const std::string& kernel, std::chrono::seconds most);
  /// What is held goes on; with a wish it is captured into that folder. Fails with not_found when nothing is held.
  rpl::Status let_go(std::optional<CaptureWish> capture);
  /// Blocks the caller, whose dispatch it is. True: to be captured now.
  bool wait_until_let_go(const SeenDispatch& dispatch);

  /// The wish in force.
  [[nodiscard]] CaptureWish wish() const;
  /// The outcome of a capture, or why there is none.
  void captured(const std::string& kernel, const std::string& agent, const std::string& folder,
                std::uint64_t memory_bytes, std::uint64_t tracked_bytes);
  void failed(const std::string& reason);

  /// Everything counted so far; `pid` and `runtime` are the owner's to set.
  [[nodiscard]] Report report() const;
  [[nodiscard]] std::optional<SeenDispatch> held() const;
  [[nodiscard]] std::uint64_t dispatches() const;

 private:
  Trigger() = default;
  using Shape = std::pair<std::uint64_t, std::array<std::uint32_t, 3>>;  ///< kernel object and grid

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  CaptureWish wish_;
  std::optional<KernelPattern> pattern_, hold_pattern_;
  std::chrono::seconds hold_most_{0};
  std::optional<SeenDispatch> held_;
  enum class Release { none, go, capture } release_ = Release::none;
  Report report_;
  std::uint64_t dispatches_ = 0;
  std::map<Shape, std::chrono::nanoseconds> last_times_;  ///< where the wish asks for it
};

}  // namespace rpl::intercept
