// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/state/machine.h"
#include "engine/device/execute/state/primitives.h"

/// How the lanes of one vector memory instruction reach memory, after machine.access says where they go.
namespace rpl::emu {

/// Notes the fault of `lane`, which names where its address lies, and returns false.
bool report_lane(Machine& machine, const Wave& wave, const Op& op, unsigned lane);

/// Whether each active lane may do what machine.access says, though lanes go to different allocations.
bool each_lane_allowed(Machine& machine, Wave& wave, const Op& op);

/// Says where the lanes of an access go whose shape is known.
inline void note_groups(Access& access, const Starts& starts, LaneShape shape,
                        const std::uint32_t* low) {
  access.starts = starts;
  if (shape == LaneShape::near) {
    primitives().spread(access.address.data(), starts.data(), shape, low);
  } else {
    access.shape = shape;
  }
}

inline bool allowed(const Region& region, const Access& access, std::uint64_t address) {
  return region.contains(address, access.bytes) && (!access.store || region.writable);
}

/// Asks the host's caches for what this operation reaches next if it goes on by the same step. A loop over a grid steps by many pages,
/// and all loads of all kernels are one load of the host: its own prefetching sees no pattern there.
inline void prefetch_next(const Region& region, LastAccess& last, Span span, std::uint32_t bytes) {
  constexpr std::uint64_t kLine = 64, kWidest = 16 * kLine;
  const std::uint64_t step = span.low - last.low, next = span.low + step;
  const std::uint64_t width = span.high - span.low + bytes;
  last.low = span.low;
  if (step < kLine || width > kWidest || !region.contains(next, width)) return;
  const std::byte* from = region.host + (next - region.base);
  for (std::uint64_t at = 0; at < width; at += kLine) __builtin_prefetch(from + at);
}

/// The allocation that holds the whole span, or null.
inline const Region* region_for(Machine& machine, const Op& op, Span span) {
  const auto index = static_cast<std::size_t>(&op - machine.program->ops.data());
  LastAccess& last = machine.last_access[index];
  const Access& access = machine.access;
  if (last.region == nullptr || !allowed(*last.region, access, span.low))
    last.region = machine.memory->find(span.low);
  if (last.region == nullptr || !allowed(*last.region, access, span.low) ||
      !allowed(*last.region, access, span.high))
    return nullptr;
  prefetch_next(*last.region, last, span, access.bytes);
  return last.region;
}

/// Finds the one allocation of all lanes. False after a fault; `region` is null when lanes go to several.
inline bool reach(Machine& machine, Wave& wave, const Op& op, Span span, const Region*& region) {
  region = region_for(machine, op, span);
  return region != nullptr || each_lane_allowed(machine, wave, op);
}

/// Where a flat address that means LDS or scratch lies, or null for any other and for one out of bounds.
inline std::byte* in_aperture(const Machine& machine, Wave& wave, unsigned lane) {
  constexpr unsigned kHighShift = 32;
  const std::uint64_t address = machine.access.address[lane];
  const std::uint64_t offset = address & 0xffffffffU, bytes = machine.access.bytes;
  if (address >> kHighShift == kSharedBaseHigh) {
    return offset + bytes <= machine.lds.size() ? machine.lds.data() + offset : nullptr;
  }
  if (address >> kHighShift != kPrivateBaseHigh || offset + bytes > machine.scratch_bytes)
    return nullptr;
  return wave.scratch.data() + std::size_t{lane} * machine.scratch_bytes + offset;
}

/// After reach(): the byte that a lane's address means.
inline std::byte* host_of(const Machine& machine, Wave& wave, const Region* region, unsigned lane) {
  const std::uint64_t address = machine.access.address[lane];
  if (region == nullptr) region = machine.memory->find(address);
  return region == nullptr ? in_aperture(machine, wave, lane)
                           : region->host + (address - region->base);
}

/// The 32 or 64 bits of a lane's memory data.
inline std::uint64_t lane_data(Wave& wave, unsigned number, unsigned dwords, unsigned lane) {
  const std::uint64_t low = wave.vector(number)[lane];
  return dwords == 1 ? low : low | std::uint64_t{wave.vector(number + 1)[lane]} << 32;
}

/// Writes what one lane loaded: the whole register, or half of it and the rest as it was (d16).
enum class Half16 : std::uint8_t { none, low, high };
template <Half16 kHalf>
inline void put_loaded(std::uint32_t& to, std::uint32_t value) {
  if constexpr (kHalf == Half16::none) to = value;
  if constexpr (kHalf == Half16::low) to = (to & 0xffff0000U) | (value & 0xffffU);
  if constexpr (kHalf == Half16::high) to = (to & 0xffffU) | value << 16;
}

}  // namespace rpl::emu
