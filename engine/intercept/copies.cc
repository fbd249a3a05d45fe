// SPDX-License-Identifier: MIT
#include "engine/intercept/copies.h"

#include <algorithm>

namespace rpl::intercept {

void CopyLog::submitting(Signal completion, std::span<const Signal> dependencies) {
  if (completion.handle == 0) return;
  const hsa::SignalValue now = calls_.signal_load(completion);
  const std::scoped_lock lock(mutex_);
  hsa::SignalValue least = now;
  for (const Copy& copy : copies_) {
    if (copy.completion == completion.handle) least = std::min(least, copy.end);
  }
  // Copies that share a signal end one after another, the last at zero, for which programs wait. Where that leaves no room for this one, the
  // signal was used up and set again by its owner.
  if (least <= 0 || least > now) {
    std::erase_if(copies_, [&](const Copy& copy) { return copy.completion == completion.handle; });
    least = now;
  }
  Copy copy{.completion = completion.handle, .end = least - 1, .dependencies = {}};
  for (const Signal signal : dependencies) copy.dependencies.push_back(signal.handle);
  copies_.push_back(std::move(copy));
}

void CopyLog::refused(Signal completion) {
  const std::scoped_lock lock(mutex_);
  const auto last = std::find_if(copies_.rbegin(), copies_.rend(), [&](const Copy& copy) {
    return copy.completion == completion.handle;
  });
  if (last != copies_.rend()) copies_.erase(std::next(last).base());
}

void CopyLog::destroyed(Signal signal) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(copies_, [&](const Copy& copy) { return copy.completion == signal.handle; });
  for (Copy& copy : copies_) std::erase(copy.dependencies, signal.handle);
}

bool CopyLog::has_begun(const Copy& copy) const {
  return std::ranges::all_of(copy.dependencies, [this](std::uint64_t signal) {
    return signal == 0 || calls_.signal_load(Signal{signal}) == 0;
  });
}

std::size_t CopyLog::in_flight() {
  const std::scoped_lock lock(mutex_);
  std::erase_if(copies_, [this](const Copy& copy) {
    return calls_.signal_load(Signal{copy.completion}) <= copy.end;
  });
  return static_cast<std::size_t>(
      std::ranges::count_if(copies_, [this](const Copy& copy) { return has_begun(copy); }));
}

}  // namespace rpl::intercept
