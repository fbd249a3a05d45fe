// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstring>

#include "engine/replay/hsa/hsa_memory.h"

namespace rpl {
namespace {

/// Of the memory that copies go through: larger ones go in steps.
constexpr std::size_t kBetweenBytes = std::size_t{4} << 20;

}  // namespace

HsaCopies::~HsaCopies() {
  if (done_.handle != 0) calls_.release(calls_.api.signal_destroy, "the signal of copies", done_);
}

Status HsaCopies::begin() {
  if (done_.handle != 0) return {};
  TRY(between_.make(device_.kernarg, kBetweenBytes, "memory for copies"));
  TRY(between_.share_with(device_.gpu));
  return calls_.call(calls_.api.signal_create, "the signal of copies", hsa::SignalValue{1},
                     std::uint32_t{0}, static_cast<const hsa::Agent*>(nullptr), &done_);
}

Status HsaCopies::copy(void* to, hsa::Agent to_agent, const void* from, hsa::Agent from_agent,
                       std::size_t bytes, std::string_view about) {
  using Clock = std::chrono::steady_clock;
  constexpr double kSliceS = 0.02;
  constexpr std::chrono::minutes kLongest{1};
  calls_.api.signal_store_screlease.call(done_, 1);
  TRY(calls_.call(calls_.api.memory_async_copy, about, to, to_agent, from, from_agent, bytes,
                  std::uint32_t{0}, static_cast<const hsa::Signal*>(nullptr), done_));
  const auto slice = static_cast<std::uint64_t>(device_.ticks_per_s * kSliceS);
  const auto end = Clock::now() + kLongest;
  hsa::SignalValue left = 1;
  while ((left = calls_.api.signal_wait_scacquire.call(done_, hsa::Condition::less, 1, slice,
                                                       hsa::WaitState::blocked)) >= 1) {
    if (Clock::now() > end)
      return fail(Errc::timeout, fmt::format("a copy of {} does not end", about));
  }
  if (left == 0) return {};
  return fail(Errc::io,
              fmt::format("{} of {} failed on the GPU", calls_.api.memory_async_copy.name, about));
}

Status HsaCopies::write(std::uint64_t address, std::span<const std::byte> bytes,
                        std::string_view about) {
  if (bytes.empty()) return {};
  TRY(begin());
  for (std::size_t at = 0; at < bytes.size(); at += kBetweenBytes) {
    const auto step = bytes.subspan(at, std::min(kBetweenBytes, bytes.size() - at));
    std::memcpy(between_.get(), step.data(), step.size());
    TRY(copy(reinterpret_cast<void*>(address + at), device_.gpu, between_.get(), device_.cpu,
             step.size(), about));
  }
  return {};
}

Status HsaCopies::read(std::uint64_t address, std::span<std::byte> bytes, std::string_view about) {
  if (bytes.empty()) return {};
  TRY(begin());
  for (std::size_t at = 0; at < bytes.size(); at += kBetweenBytes) {
    const auto step = bytes.subspan(at, std::min(kBetweenBytes, bytes.size() - at));
    TRY(copy(between_.get(), device_.cpu, reinterpret_cast<const void*>(address + at), device_.gpu,
             step.size(), about));
    std::memcpy(step.data(), between_.get(), step.size());
  }
  return {};
}

}  // namespace rpl
