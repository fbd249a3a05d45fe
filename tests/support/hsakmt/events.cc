// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/events.h"

namespace rpl::hsakmt {

std::uint32_t Events::create(bool reset_by_hand, bool is_set, bool of_signals) {
  const std::lock_guard lock(mutex_);
  if (events_.size() + 1 >= kMost) return 0;
  while (events_.contains(next_)) next_ = next_ % (kMost - 1) + 1;
  const std::uint32_t id = next_;
  next_ = next_ % (kMost - 1) + 1;
  events_[id] = {.reset_by_hand = reset_by_hand, .is_set = is_set, .of_signals = of_signals};
  return id;
}

bool Events::destroy(std::uint32_t id) {
  const std::lock_guard lock(mutex_);
  const bool known = events_.erase(id) != 0;
  changed_.notify_all();
  return known;
}

bool Events::set(std::uint32_t id) {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(id);
  if (found == events_.end()) return false;
  found->second.is_set = true;
  changed_.notify_all();
  return true;
}

bool Events::reset(std::uint32_t id) {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(id);
  if (found == events_.end()) return false;
  found->second.is_set = false;
  return true;
}

std::optional<bool> Events::is_set(std::uint32_t id) const {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(id);
  if (found == events_.end()) return std::nullopt;
  return found->second.is_set;
}

void Events::set_signals() {
  const std::lock_guard lock(mutex_);
  for (auto& [id, event] : events_) event.is_set = event.is_set || event.of_signals;
  changed_.notify_all();
}

std::optional<Events::Outcome> Events::look(std::span<const std::uint32_t> ids, bool all) {
  std::size_t set = 0;
  for (const std::uint32_t id : ids) {
    const auto found = events_.find(id);
    if (found == events_.end()) return Outcome::invalid;
    set += found->second.is_set ? 1 : 0;
  }
  if (set == 0 || (all && set < ids.size())) return std::nullopt;
  for (const std::uint32_t id : ids) {
    if (!events_[id].reset_by_hand) events_[id].is_set = false;
  }
  return Outcome::set;
}

Events::Outcome Events::wait(std::span<const std::uint32_t> ids, bool all,
                             std::optional<std::chrono::milliseconds> timeout) {
  if (ids.empty()) return Outcome::invalid;
  std::unique_lock lock(mutex_);
  std::optional<Outcome> outcome;
  const auto seen = [&] { return (outcome = look(ids, all)).has_value(); };
  if (!timeout) {
    changed_.wait(lock, seen);
  } else if (!changed_.wait_for(lock, *timeout, seen)) {
    return Outcome::timeout;
  }
  return *outcome;
}

}  // namespace rpl::hsakmt
