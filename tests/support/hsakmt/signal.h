// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>

#include "tests/support/hsakmt/address_map.h"

/// The words of an amd_signal_t that packet processors use (amd_hsa_signal.h of ROCr; offsets in bytes: value 8, event mailbox 16,
/// event id 24, start 32, end 40).
namespace rpl::hsakmt {

inline constexpr std::uint64_t kSignalBytes = 64;

/// Reads its value; nullopt when `signal` does not lie in memory of the device, aligned to 64 bytes.
std::optional<std::int64_t> signal_value(const DeviceView& view, std::uint64_t signal);

/// Writes the times of a dispatch, in ticks of the device's clock. False as signal_value().
bool set_signal_times(const DeviceView& view, std::uint64_t signal, std::uint64_t start,
                      std::uint64_t end);

/// What an interrupt is raised with: the event's number.
using Interrupt = std::function<void(std::uint32_t event)>;

/// Subtracts one and tells the event that the signal names, if any. False as signal_value().
bool complete_signal(const DeviceView& view, std::uint64_t signal, const Interrupt& interrupt);
/// The same with a value that is stored.
bool store_signal(const DeviceView& view, std::uint64_t signal, std::int64_t value,
                  const Interrupt& interrupt);

}  // namespace rpl::hsakmt
