// SPDX-License-Identifier: MIT
#include "engine/intercept/trigger.h"

namespace rpl::intercept {

Result<Trigger> Trigger::of(CaptureWish wish) {
  Trigger out;
  if (!wish.kernel.empty()) out.pattern_ = TRY(KernelPattern::of(wish.kernel));
  out.wish_ = std::move(wish);
  return out;
}

// Moved before anything else knows of it.
Trigger::Trigger(Trigger&& other) noexcept
    : wish_(std::move(other.wish_)), pattern_(std::move(other.pattern_)) {}

Trigger::Turn Trigger::see(const SeenDispatch& dispatch) {
  const std::scoped_lock lock(mutex_);
  ++dispatches_;
  ++report_.dispatches[dispatch.kernel];
  if (hold_pattern_ && !held_ && hold_pattern_->names(dispatch.kernel)) {
    hold_pattern_.reset();
    held_ = dispatch;
    release_ = Release::none;
    return Turn::to_hold;
  }
  const bool fits =
      pattern_ && (!wish_.grid || *wish_.grid == dispatch.grid) && pattern_->names(dispatch.kernel);
  if (!fits) return Turn::none;
  if (wish_.longer_us != 0) {
    const auto last = last_times_.find({dispatch.kernel_object, dispatch.grid});
    const bool long_enough =
        last != last_times_.end() && last->second >= std::chrono::microseconds(wish_.longer_us);
    // Timing holds the program up: not once there is what was wished.
    if (!long_enough) return report_.folder.empty() ? Turn::to_time : Turn::none;
  }
  return ++report_.matches == wish_.dispatch ? Turn::to_capture : Turn::none;
}

void Trigger::took(const SeenDispatch& dispatch, std::chrono::nanoseconds time) {
  const std::scoped_lock lock(mutex_);
  last_times_[{dispatch.kernel_object, dispatch.grid}] = time;
}

rpl::Status Trigger::arm(CaptureWish wish) {
  auto pattern = TRY(KernelPattern::of(wish.kernel));
  const std::scoped_lock lock(mutex_);
  wish_ = std::move(wish);
  pattern_ = std::move(pattern);
  report_.matches = 0;
  report_.failure.clear();
  report_.folder.clear();
  return {};
}

rpl::Status Trigger::hold_next(const std::string& kernel, std::chrono::seconds most) {
  auto pattern = TRY(KernelPattern::of(kernel));
  const std::scoped_lock lock(mutex_);
  hold_pattern_ = std::move(pattern);
  hold_most_ = most;
  return {};
}

rpl::Status Trigger::let_go(std::optional<CaptureWish> capture) {
  const std::scoped_lock lock(mutex_);
  if (!held_)
    return fail(Errc::not_found, "no dispatch is held",
                "hold the next one: capture live hold KERNEL");
  release_ = capture ? Release::capture : Release::go;
  if (capture) {
    capture->kernel = held_->kernel;
    wish_ = std::move(*capture);
    // Its turn has come already; later ones are not wished.
    pattern_.reset();
    report_.matches = 1;
    report_.failure.clear();
    report_.folder.clear();
  }
  changed_.notify_all();
  return {};
}

bool Trigger::wait_until_let_go(const SeenDispatch&) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, hold_most_, [this] { return release_ != Release::none; });
  held_.reset();
  return release_ == Release::capture;
}

CaptureWish Trigger::wish() const {
  const std::scoped_lock lock(mutex_);
  return wish_;
}

void Trigger::captured(const std::string& kernel, const std::string& agent,
                       const std::string& folder, std::uint64_t memory_bytes,
                       std::uint64_t tracked_bytes) {
  const std::scoped_lock lock(mutex_);
  report_.kernel = kernel;
  report_.agent = agent;
  report_.folder = folder;
  report_.memory_bytes = memory_bytes;
  report_.tracked_bytes = tracked_bytes;
}

void Trigger::failed(const std::string& reason) {
  const std::scoped_lock lock(mutex_);
  report_.failure = reason;
}

Report Trigger::report() const {
  const std::scoped_lock lock(mutex_);
  return report_;
}

std::optional<SeenDispatch> Trigger::held() const {
  const std::scoped_lock lock(mutex_);
  return held_;
}

std::uint64_t Trigger::dispatches() const {
  const std::scoped_lock lock(mutex_);
  return dispatches_;
}

}  // namespace rpl::intercept
