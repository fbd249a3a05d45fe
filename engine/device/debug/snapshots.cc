// SPDX-License-Identifier: MIT
#include "engine/device/debug/snapshots.h"

#include <algorithm>

namespace rpl::debug {
namespace {

// A comparison reads some gigabytes in the time that ten million instructions take: memory is compared as often as lets it be a small part of both.
constexpr std::uint64_t kBytesPerInstruction = 64;

}  // namespace

Snapshots::Snapshots(const emu::Memory& memory, const Schedule& schedule)
    : memory_(memory),
      interval_(std::max(kFirstInterval, memory_.watched_bytes() / kBytesPerInstruction)) {
  moments_.push_back({0, schedule});
}

void Snapshots::keep(std::uint64_t time, const Schedule& schedule) {
  if (time <= moments_.back().time) return;
  memory_.push();
  moments_.push_back({time, schedule});
  if (moments_.size() > kMost || bytes() > kMostBytes) thin();
}

void Snapshots::thin() {
  // The newest ones are those that a person goes back to.
  constexpr std::size_t kNewest = 4;
  for (std::size_t i = 1; i + kNewest < moments_.size(); ++i) {
    memory_.forget(i);
    moments_.erase(moments_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  interval_ *= 2;
}

std::uint64_t Snapshots::bytes() const {
  std::uint64_t sum = memory_.bytes();
  for (const Moment& moment : moments_) sum += moment.schedule.bytes();
  return sum;
}

std::size_t Snapshots::last_before(std::uint64_t time) const {
  const auto after = std::ranges::lower_bound(moments_, time, {}, &Moment::time);
  return after == moments_.begin() ? 0 : static_cast<std::size_t>(after - moments_.begin()) - 1;
}

const Schedule& Snapshots::restore(std::size_t number) {
  memory_.restore(number);
  moments_.erase(moments_.begin() + static_cast<std::ptrdiff_t>(number) + 1, moments_.end());
  return moments_.back().schedule;
}

}  // namespace rpl::debug
