// SPDX-License-Identifier: MIT
#include "engine/device/debug/points.h"

#include <fmt/format.h>

#include <algorithm>

namespace rpl::debug {
namespace {

Error no_point(int number) {
  return {Errc::not_found, fmt::format("no breakpoint or watchpoint {}", number),
          "info breakpoints"};
}

}  // namespace

int Points::add(Breakpoint breakpoint) {
  ++version_;
  breakpoint.number = ++last_;
  breakpoints_[last_] = std::move(breakpoint);
  return last_;
}

int Points::add(Watchpoint watchpoint) {
  ++version_;
  watchpoint.number = ++last_;
  watchpoints_[last_] = std::move(watchpoint);
  return last_;
}

Status Points::remove(int number) {
  if (breakpoints_.erase(number) + watchpoints_.erase(number) == 0)
    return Failure(no_point(number));
  ++version_;
  return {};
}

Status Points::enable(int number, bool enabled) {
  ++version_;
  if (const auto found = breakpoints_.find(number); found != breakpoints_.end()) {
    found->second.enabled = enabled;
    found->second.stops_left = 0;
  } else if (const auto watch = watchpoints_.find(number); watch != watchpoints_.end()) {
    watch->second.enabled = enabled;
  } else {
    return Failure(no_point(number));
  }
  return {};
}

Status Points::make_temporary(int number) {
  const auto found = breakpoints_.find(number);
  if (found == breakpoints_.end()) return Failure(no_point(number));
  found->second.temporary = true;
  return {};
}

Status Points::disable_after(int number, std::uint64_t stops) {
  const auto found = breakpoints_.find(number);
  if (found == breakpoints_.end()) return Failure(no_point(number));
  found->second.stops_left = stops;
  return {};
}

Status Points::set_condition(int number, std::string condition) {
  std::string* text = nullptr;
  if (const auto found = breakpoints_.find(number); found != breakpoints_.end())
    text = &found->second.condition;
  if (const auto watch = watchpoints_.find(number); watch != watchpoints_.end())
    text = &watch->second.condition;
  if (text == nullptr) return Failure(no_point(number));
  *text = std::move(condition);
  ++version_;
  return {};
}

Status Points::set_ignore(int number, std::uint64_t count) {
  if (const auto found = breakpoints_.find(number); found != breakpoints_.end()) {
    found->second.ignore = count;
  } else if (const auto watch = watchpoints_.find(number); watch != watchpoints_.end()) {
    watch->second.ignore = count;
  } else {
    return Failure(no_point(number));
  }
  return {};
}

bool Points::ignores(int number) {
  const auto one = [](auto& point) {
    if (point.ignore == 0) return false;
    --point.ignore;
    ++point.hits;
    return true;
  };
  if (const auto found = breakpoints_.find(number); found != breakpoints_.end())
    return one(found->second);
  const auto watch = watchpoints_.find(number);
  return watch != watchpoints_.end() && one(watch->second);
}

void Points::clear() {
  ++version_;
  breakpoints_.clear();
  watchpoints_.clear();
}

bool Points::any_enabled() const {
  const auto enabled = [](const auto& entry) { return entry.second.enabled; };
  return std::ranges::any_of(breakpoints_, enabled) || std::ranges::any_of(watchpoints_, enabled);
}

void Points::hit(int number) {
  if (const auto watch = watchpoints_.find(number); watch != watchpoints_.end())
    ++watch->second.hits;
  const auto found = breakpoints_.find(number);
  if (found == breakpoints_.end()) return;
  ++found->second.hits;
  if (found->second.stops_left > 0 && --found->second.stops_left == 0) {
    found->second.enabled = false;
    ++version_;
  }
  if (!found->second.temporary) return;
  breakpoints_.erase(found);
  ++version_;
}

}  // namespace rpl::debug
