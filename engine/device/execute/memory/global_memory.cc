// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include "engine/device/execute/memory/lane_memory.h"
#include "engine/device/execute/memory/lds.h"
#include "engine/device/execute/state/handlers.h"
#include "engine/device/execute/state/primitives.h"

namespace rpl::emu {
namespace {

using isa::Encoding;

/// Prepares machine.access. False after a fault; `region` stays null when lanes go to several allocations.
bool begin(Machine& machine, Wave& wave, const Op& op, const Region*& region) {
  Access& access = machine.access;
  access.space = Access::Space::global;
  access.two_parts = false;
  access.into_lds = 0;
  access.shape = LaneShape::any;
  access.active = wave.exec();
  const bool has_scalar = op.sources[1].kind == Source::Kind::scalar;
  const auto offset = static_cast<std::uint64_t>(std::int64_t{op.instruction->offset});
  // Inactive lanes get the address of the first active one, so that bounds and gathers need no mask.
  const Span span = primitives().addresses(
      access.address.data(), wave.vector(op.sources[0].number),
      has_scalar ? nullptr : wave.vector(op.sources[0].number + 1U),
      offset + (has_scalar ? wave.pair(op.sources[1].number) : 0), access.active);
  return reach(machine, wave, op, span, region);
}

/// Tiles are some lines of many rows, more than the host's prefetching follows; the next tile is most often the one beside.
void prefetch_beside(const Region& region, const Starts& starts) {
  constexpr std::uint64_t kRow = kOfGroup * sizeof(std::uint32_t);
  if (starts[kGroups - 1] == starts[0] + (kGroups - 1) * kRow) return;
  const std::uint64_t width = starts[1] == starts[0] + kRow ? 2 * kRow : kRow;
  for (const std::uint64_t start : starts) {
    if (start + width < region.size) __builtin_prefetch(region.host + start + width);
  }
}

/// The same where all lanes are active and go to one allocation. Null for any
/// other, which begin() does; else `starts` are places in the allocation.
const Region* begin_groups(Machine& machine, Wave& wave, const Op& op, Starts& starts,
                           LaneShape& shape) {
  Access& access = machine.access;
  access.space = Access::Space::global;
  access.two_parts = false;
  access.into_lds = 0;
  access.shape = LaneShape::any;
  access.active = wave.exec();
  if (access.active != kAllLanes) return nullptr;
  const bool has_scalar = op.sources[1].kind == Source::Kind::scalar;
  const auto offset = static_cast<std::uint64_t>(std::int64_t{op.instruction->offset});
  const std::uint32_t* low = wave.vector(op.sources[0].number);
  shape = primitives().shape(starts.data(), low, has_scalar ? nullptr : low + kLanes,
                             offset + (has_scalar ? wave.pair(op.sources[1].number) : 0));
  if (shape == LaneShape::any) return nullptr;
  Span span;
  if (shape == LaneShape::near) {
    span = primitives().range(low);
    span = {.low = starts[0] + span.low, .high = starts[0] + span.high};
  } else {
    const auto [least, most] = std::ranges::minmax_element(starts);
    span = {.low = *least, .high = *most + group_bytes(shape, 0)};
  }
  const Region* region = region_for(machine, op, span);
  if (region == nullptr) return nullptr;
  if (machine.observed) note_groups(access, starts, shape, low);
  for (std::uint64_t& start : starts) start -= region->base;
  if (shape == LaneShape::rows) prefetch_beside(*region, starts);
  return region;
}

constexpr unsigned kMaxDwords = 4;

void gather(const Machine& machine, Wave& wave, const Region* region, unsigned dwords,
            std::uint32_t* data) {
  const auto& address = machine.access.address;
  if (region == nullptr) {
    for (unsigned i = 0; i < kLanes; ++i) {
      if ((machine.access.active >> i & 1) == 0) continue;
      const std::byte* from = host_of(machine, wave, nullptr, i);
      for (unsigned k = 0; k < dwords; ++k)
        std::memcpy(&data[std::size_t{k} * kLanes + i], from + 4 * k, 4);
    }
    return;
  }
  primitives().gather(data, region->host, region->base, address.data(), dwords);
}

bool load_dwords(Machine& machine, Wave& wave, const Op& op) {
  Access& access = machine.access;
  access.store = access.atomic = false;
  access.bytes = op.dwords * 4U;
  if (wave.exec() == 0) return access.active = 0, true;
  Starts starts{};
  LaneShape shape;
  const Region* region = begin_groups(machine, wave, op, starts, shape);
  if (region != nullptr) {
    if (shape == LaneShape::near) {
      primitives().read_near(wave.vector(op.data), region->host, starts[0],
                             wave.vector(op.sources[0].number), op.dwords);
    } else {
      primitives().read_groups(wave.vector(op.data), region->host, starts.data(), shape, op.dwords);
    }
    return true;
  }
  if (!begin(machine, wave, op, region)) return false;
  if (access.active == kAllLanes) {
    gather(machine, wave, region, op.dwords, wave.vector(op.data));
    return true;
  }
  alignas(64) std::array<std::uint32_t, kMaxDwords * kLanes> data;
  gather(machine, wave, region, op.dwords, data.data());
  for (unsigned k = 0; k < op.dwords; ++k)
    primitives().blend(wave.vector(op.data + k), &data[std::size_t{k} * kLanes], access.active);
  return true;
}

bool store_dwords(Machine& machine, Wave& wave, const Op& op) {
  Access& access = machine.access;
  access.store = true;
  access.atomic = false;
  access.bytes = op.dwords * 4U;
  if (wave.exec() == 0) return access.active = 0, true;
  Starts starts{};
  LaneShape shape;
  const Region* region = begin_groups(machine, wave, op, starts, shape);
  if (region != nullptr && shape == LaneShape::rows && op.dwords == 1) {
    primitives().write_groups(region->host, starts.data(), wave.vector(op.data));
    return true;
  }
  if (region != nullptr && shape == LaneShape::near) {
    primitives().write_near(region->host, starts[0], wave.vector(op.sources[0].number),
                            wave.vector(op.data), op.dwords);
    return true;
  }
  if (!begin(machine, wave, op, region)) return false;
  if (op.dwords == 1 && access.active == kAllLanes && region != nullptr &&
      primitives().write_rows(region->host, region->base, access.address.data(),
                              wave.vector(op.data)))
    return true;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((access.active >> i & 1) == 0) continue;
    std::byte* to = host_of(machine, wave, region, i);
    for (unsigned k = 0; k < op.dwords; ++k)
      std::memcpy(to + 4 * k, &wave.vector(op.data + k)[i], 4);
  }
  return true;
}

template <class T, Half16 kHalf>
bool load_small(Machine& machine, Wave& wave, const Op& op) {
  Access& access = machine.access;
  access.store = access.atomic = false;
  access.bytes = sizeof(T);
  if (wave.exec() == 0) return access.active = 0, true;
  const Region* region = nullptr;
  if (!begin(machine, wave, op, region)) return false;
  std::uint32_t* to = wave.vector(op.data);
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((access.active >> i & 1) == 0) continue;
    T value;
    std::memcpy(&value, host_of(machine, wave, region, i), sizeof(T));
    put_loaded<kHalf>(to[i], static_cast<std::uint32_t>(static_cast<std::int32_t>(value)));
  }
  return true;
}

template <class T>
bool load_to_lds(Machine& machine, Wave& wave, const Op& op) {
  Access& access = machine.access;
  access.store = access.atomic = false;
  access.bytes = sizeof(T);
  if (wave.exec() == 0) return access.active = 0, true;
  const Region* region = nullptr;
  if (!begin(machine, wave, op, region)) return false;
  if (!begin_into_lds(machine, wave, op, access.second_address)) return false;
  access.into_lds = 4;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((access.active >> i & 1) == 0) continue;
    T value;
    std::memcpy(&value, host_of(machine, wave, region, i), sizeof(T));
    put_into_lds(machine, i, static_cast<std::uint32_t>(static_cast<std::int32_t>(value)));
  }
  return true;
}

// Several dwords for each lane.
bool load_dwords_to_lds(Machine& machine, Wave& wave, const Op& op) {
  Access& access = machine.access;
  access.store = access.atomic = false;
  access.bytes = op.dwords * 4U;
  if (wave.exec() == 0) return access.active = 0, true;
  const Region* region = nullptr;
  if (!begin(machine, wave, op, region)) return false;
  if (!begin_into_lds(machine, wave, op, access.second_address, op.dwords)) return false;
  access.into_lds = static_cast<std::uint8_t>(access.bytes);
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((access.active >> i & 1) == 0) continue;
    std::memcpy(machine.lds.data() + access.second_address[i], host_of(machine, wave, region, i),
                access.bytes);
  }
  return true;
}

template <class T, bool kHigh>
bool store_small(Machine& machine, Wave& wave, const Op& op) {
  Access& access = machine.access;
  access.store = true;
  access.atomic = false;
  access.bytes = sizeof(T);
  if (wave.exec() == 0) return access.active = 0, true;
  const Region* region = nullptr;
  if (!begin(machine, wave, op, region)) return false;
  const std::uint32_t* from = wave.vector(op.data);
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((access.active >> i & 1) == 0) continue;
    const auto value = static_cast<T>(kHigh ? from[i] >> 16 : from[i]);
    std::memcpy(host_of(machine, wave, region, i), &value, sizeof(T));
  }
  return true;
}

// Lanes take their turns in ascending order, so that sums of floats are the same in every run.
bool atomic(Machine& machine, Wave& wave, const Op& op) {
  Access& access = machine.access;
  access.store = access.atomic = true;
  const auto kind = static_cast<Atomic>(op.target);
  const unsigned width = op.dwords;
  access.bytes = width * 4;
  if (wave.exec() == 0) return access.active = 0, true;
  const Region* region = nullptr;
  if (!begin(machine, wave, op, region)) return false;
  AtomicRounding rounding(wave, kind);
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((access.active >> i & 1) == 0) continue;
    std::byte* at = host_of(machine, wave, region, i);
    const std::uint64_t data = lane_data(wave, op.data, width, i);
    const std::uint64_t expected =
        kind == Atomic::compare_swap ? lane_data(wave, op.data + width, width, i) : 0;
    const auto apply = machine.shared ? apply_shared_atomic : apply_atomic;
    rounding.draw();
    const std::uint64_t before = apply(kind, width, at, data, expected);
    if (!op.instruction->glc) continue;
    wave.vector(op.destination)[i] = static_cast<std::uint32_t>(before);
    if (width == 2) wave.vector(op.destination + 1U)[i] = static_cast<std::uint32_t>(before >> 32);
  }
  return true;
}

Handler small_handler(std::string_view what) {
  if (what == "load_ubyte") return load_small<std::uint8_t, Half16::none>;
  if (what == "load_sbyte") return load_small<std::int8_t, Half16::none>;
  if (what == "load_ushort") return load_small<std::uint16_t, Half16::none>;
  if (what == "load_sshort") return load_small<std::int16_t, Half16::none>;
  if (what == "load_ubyte_d16") return load_small<std::uint8_t, Half16::low>;
  if (what == "load_ubyte_d16_hi") return load_small<std::uint8_t, Half16::high>;
  if (what == "load_sbyte_d16") return load_small<std::int8_t, Half16::low>;
  if (what == "load_sbyte_d16_hi") return load_small<std::int8_t, Half16::high>;
  if (what == "load_short_d16") return load_small<std::uint16_t, Half16::low>;
  if (what == "load_short_d16_hi") return load_small<std::uint16_t, Half16::high>;
  if (what == "store_byte") return store_small<std::uint8_t, false>;
  if (what == "store_short") return store_small<std::uint16_t, false>;
  if (what == "store_byte_d16_hi") return store_small<std::uint8_t, true>;
  if (what == "store_short_d16_hi") return store_small<std::uint16_t, true>;
  return nullptr;
}

}  // namespace

Handler find_load_to_lds_handler(const isa::Instruction& instruction) {
  const auto name = instruction.opcode->mnemonic;
  if (!name.starts_with("global_load_lds_")) return nullptr;
  const auto what = name.substr(name.rfind('_') + 1);
  if (what == "ubyte") return load_to_lds<std::uint8_t>;
  if (what == "sbyte") return load_to_lds<std::int8_t>;
  if (what == "ushort") return load_to_lds<std::uint16_t>;
  if (what == "sshort") return load_to_lds<std::int16_t>;
  if (what == "dword") return load_to_lds<std::uint32_t>;
  return what == "dwordx3" || what == "dwordx4" ? load_dwords_to_lds : nullptr;
}

Handler find_memory_handler(const isa::Instruction& instruction) {
  const isa::Opcode& opcode = *instruction.opcode;
  if (opcode.encoding != Encoding::global && opcode.encoding != Encoding::flat) return nullptr;
  if (instruction.lds) return nullptr;
  const auto what = opcode.mnemonic.substr(opcode.mnemonic.find('_') + 1);
  if (what.starts_with("load_dword")) return load_dwords;
  if (what.starts_with("store_dword")) return store_dwords;
  if (what.starts_with("atomic_")) return find_atomic(what.substr(7)) ? atomic : nullptr;
  return small_handler(what);
}

}  // namespace rpl::emu
