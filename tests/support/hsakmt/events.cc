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
  found->second.set();
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
  for (auto& [id, event] : events_) {
    if (event.of_signals) event.set();
  }
  changed_.notify_all();
}

std::optional<Events::Outcome> Events::look(std::span<const std::uint32_t> ids,
                                            std::span<std::uint64_t> ages, bool all) {
  const auto is_news = [&](const Event& event, std::size_t i) {
    return event.of_signals && !ages.empty() && ages[i] != 0 && ages[i] != event.age;
  };
  std::size_t set = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto found = events_.find(ids[i]);
    if (found == events_.end()) return Outcome::invalid;
    set += found->second.is_set || is_news(found->second, i) ? 1 : 0;
  }
  if (set == 0 || (all && set < ids.size())) return std::nullopt;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    Event& event = events_[ids[i]];
    if (!event.reset_by_hand) event.is_set = false;
    if (!ages.empty() && event.of_signals && ages[i] != 0) ages[i] = event.age;
  }
  return Outcome::set;
}

Events::Outcome Events::wait(std::span<const std::uint32_t> ids, std::span<std::uint64_t> ages,
                             bool all, std::optional<std::chrono::milliseconds> timeout) {
  if (ids.empty()) return Outcome::invalid;
  std::unique_lock lock(mutex_);
  std::optional<Outcome> outcome;
  const auto seen = [&] { return (outcome = look(ids, ages, all)).has_value(); };
  if (!timeout) {
    changed_.wait(lock, seen);
  } else if (!changed_.wait_for(lock, *timeout, seen)) {
    return Outcome::timeout;
  }
  return *outcome;
}

}  // namespace rpl::hsakmt
