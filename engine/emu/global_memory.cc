// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <bit>

#include "engine/emu/atomic.h"
#include "engine/emu/handlers.h"
#include "engine/emu/primitives.h"

namespace rpl::emu {
namespace {

using isa::Encoding;
using isa::Operand;

constexpr unsigned first_lane(std::uint64_t exec) {
  return static_cast<unsigned>(std::countr_zero(exec));
}

// Inactive lanes get the address of the first active one, so that bounds and gathers need no mask.
void fill_inactive(std::array<std::uint64_t, kLanes>& address, std::uint64_t exec) {
  if (exec == kAllLanes) return;
  const std::uint64_t safe = address[first_lane(exec)];
  for (unsigned i = 0; i < kLanes; ++i) address[i] = (exec >> i & 1) != 0 ? address[i] : safe;
}

void make_addresses(Wave& wave, const isa::Instruction& in,
                    std::array<std::uint64_t, kLanes>& address) {
  const Operand& vector = *in.operand('A');
  const Operand* scalar = in.operand('O');
  const auto offset = static_cast<std::uint64_t>(static_cast<std::int64_t>(in.offset));
  const bool has_scalar = scalar != nullptr && scalar->kind == Operand::Kind::scalar;
  const std::uint64_t base = offset + (has_scalar ? wave.pair(scalar->number) : 0);
  const std::uint32_t* low = wave.vector(vector.number);
  if (has_scalar) {
    for (unsigned i = 0; i < kLanes; ++i) address[i] = base + low[i];
    return;
  }
  const std::uint32_t* high = wave.vector(vector.number + 1U);
  for (unsigned i = 0; i < kLanes; ++i) address[i] = base + (low[i] | std::uint64_t{high[i]} << 32);
}

struct Span {
  std::uint64_t low, high;
};

Span span_of(const std::array<std::uint64_t, kLanes>& address) {
  std::uint64_t low = ~std::uint64_t{0}, high = 0;
  for (const std::uint64_t a : address) {
    low = a < low ? a : low;
    high = a > high ? a : high;
  }
  return {low, high};
}

bool report(Machine& machine, const Wave& wave, const Op& op, unsigned lane) {
  const Access& access = machine.access;
  const std::uint64_t address = access.address[lane];
  const Region* region = machine.memory->find(address);
  const bool read_only = region != nullptr && region->contains(address, access.bytes);
  const std::string place = machine.memory->describe(
      region != nullptr && !read_only ? region->base + region->size : address);
  return machine.stop(
      wave, op, Errc::verification_failed,
      fmt::format("lane {} {} {} bytes at 0x{:x}: {}{}", lane, access.store ? "writes" : "reads",
                  access.bytes, address, place, read_only ? ", which is read-only" : ""));
}

bool allowed(const Region& region, const Access& access, std::uint64_t address) {
  return region.contains(address, access.bytes) && (!access.store || region.writable);
}

const Region* region_for(Machine& machine, const Op& op, Span span) {
  const auto index = static_cast<std::size_t>(&op - machine.program->ops.data());
  const Region*& last = machine.last_region[index];
  const Access& access = machine.access;
  if (last == nullptr || !allowed(*last, access, span.low)) last = machine.memory->find(span.low);
  if (last == nullptr || !allowed(*last, access, span.low) || !allowed(*last, access, span.high))
    return nullptr;
  return last;
}

// Where a flat address that means LDS or scratch lies, or null for any other and for one out of bounds.
std::byte* in_aperture(const Machine& machine, Wave& wave, unsigned lane) {
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

// Lanes may go to different allocations; then every lane is looked up.
bool each_lane_allowed(Machine& machine, Wave& wave, const Op& op) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((machine.access.active >> lane & 1) == 0) continue;
    const bool is_flat = op.instruction->opcode->encoding == Encoding::flat;
    if (is_flat && in_aperture(machine, wave, lane) != nullptr) continue;
    const std::uint64_t address = machine.access.address[lane];
    const Region* region = machine.memory->find(address);
    if (region == nullptr || !allowed(*region, machine.access, address))
      return report(machine, wave, op, lane);
  }
  return true;
}

std::byte* host_of(const Machine& machine, Wave& wave, const Region* region, unsigned lane) {
  const std::uint64_t address = machine.access.address[lane];
  if (region == nullptr) region = machine.memory->find(address);
  return region == nullptr ? in_aperture(machine, wave, lane)
                           : region->host + (address - region->base);
}

/// Prepares machine.access. False after a fault; `region` stays null when lanes go to several allocations.
bool begin(Machine& machine, Wave& wave, const Op& op, const Region*& region) {
  Access& access = machine.access;
  access.space = Access::Space::global;
  access.active = wave.exec();
  make_addresses(wave, *op.instruction, access.address);
  fill_inactive(access.address, access.active);
  region = region_for(machine, op, span_of(access.address));
  return region != nullptr || each_lane_allowed(machine, wave, op);
}

bool is_contiguous(const std::array<std::uint64_t, kLanes>& address, std::uint64_t step) {
  std::uint64_t differences = 0;
  for (unsigned i = 0; i < kLanes; ++i) differences |= (address[i] - address[0]) ^ (i * step);
  return differences == 0;
}

constexpr unsigned kMaxDwords = 4;
using Offsets = std::array<std::uint64_t, kLanes>;
using Data = std::array<std::array<std::uint32_t, kLanes>, kMaxDwords>;

void gather(const Machine& machine, Wave& wave, const Region* region, unsigned dwords, Data& data) {
  const auto& address = machine.access.address;
  if (region == nullptr) {
    for (unsigned i = 0; i < kLanes; ++i) {
      if ((machine.access.active >> i & 1) == 0) continue;
      const std::byte* from = host_of(machine, wave, nullptr, i);
      for (unsigned k = 0; k < dwords; ++k) std::memcpy(&data[k][i], from + 4 * k, 4);
    }
    return;
  }
  Offsets offset;
  for (unsigned i = 0; i < kLanes; ++i) offset[i] = address[i] - region->base;
  for (unsigned k = 0; k < dwords; ++k)
    primitives().gather(data[k].data(), region->host + 4 * k, offset.data());
}

bool load_dwords(Machine& machine, Wave& wave, const Op& op) {
  Access& access = machine.access;
  access.store = access.atomic = false;
  access.bytes = op.dwords * 4U;
  if (wave.exec() == 0) return access.active = 0, true;
  const Region* region = nullptr;
  if (!begin(machine, wave, op, region)) return false;
  const bool all = access.active == kAllLanes;
  if (op.dwords == 1 && all && region != nullptr && is_contiguous(access.address, 4)) {
    std::memcpy(wave.vector(op.data), region->host + (access.address[0] - region->base),
                4 * kLanes);
    return true;
  }
  alignas(64) Data data;
  gather(machine, wave, region, op.dwords, data);
  for (unsigned k = 0; k < op.dwords; ++k) {
    if (all) {
      std::memcpy(wave.vector(op.data + k), data[k].data(), 4 * kLanes);
    } else {
      primitives().blend(wave.vector(op.data + k), data[k].data(), access.active);
    }
  }
  return true;
}

bool store_dwords(Machine& machine, Wave& wave, const Op& op) {
  Access& access = machine.access;
  access.store = true;
  access.atomic = false;
  access.bytes = op.dwords * 4U;
  if (wave.exec() == 0) return access.active = 0, true;
  const Region* region = nullptr;
  if (!begin(machine, wave, op, region)) return false;
  if (op.dwords == 1 && access.active == kAllLanes && region != nullptr &&
      is_contiguous(access.address, 4)) {
    std::memcpy(region->host + (access.address[0] - region->base), wave.vector(op.data),
                4 * kLanes);
    return true;
  }
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((access.active >> i & 1) == 0) continue;
    std::byte* to = host_of(machine, wave, region, i);
    for (unsigned k = 0; k < op.dwords; ++k)
      std::memcpy(to + 4 * k, &wave.vector(op.data + k)[i], 4);
  }
  return true;
}

/// A load of T into the low half, or with kHigh into the high half; kKeep leaves the other half as it was.
template <class T, bool kKeep, bool kHigh>
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
    const auto wide = static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
    if (!kKeep) to[i] = wide;
    if (kKeep && kHigh) to[i] = (to[i] & 0xffffU) | wide << 16;
    if (kKeep && !kHigh) to[i] = (to[i] & 0xffff0000U) | (wide & 0xffffU);
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

std::uint64_t data_of(Wave& wave, unsigned number, unsigned dwords, unsigned lane) {
  const std::uint64_t low = wave.vector(number)[lane];
  return dwords == 1 ? low : low | std::uint64_t{wave.vector(number + 1)[lane]} << 32;
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
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((access.active >> i & 1) == 0) continue;
    std::byte* at = host_of(machine, wave, region, i);
    const std::uint64_t data = data_of(wave, op.data, width, i);
    const std::uint64_t expected =
        kind == Atomic::compare_swap ? data_of(wave, op.data + width, width, i) : 0;
    const std::uint64_t before = apply_atomic(kind, width, at, data, expected);
    if (!op.instruction->glc) continue;
    wave.vector(op.destination)[i] = static_cast<std::uint32_t>(before);
    if (width == 2) wave.vector(op.destination + 1U)[i] = static_cast<std::uint32_t>(before >> 32);
  }
  return true;
}

Handler small_handler(std::string_view what) {
  if (what == "load_ubyte") return load_small<std::uint8_t, false, false>;
  if (what == "load_sbyte") return load_small<std::int8_t, false, false>;
  if (what == "load_ushort") return load_small<std::uint16_t, false, false>;
  if (what == "load_sshort") return load_small<std::int16_t, false, false>;
  if (what == "load_ubyte_d16") return load_small<std::uint8_t, true, false>;
  if (what == "load_ubyte_d16_hi") return load_small<std::uint8_t, true, true>;
  if (what == "load_sbyte_d16") return load_small<std::int8_t, true, false>;
  if (what == "load_sbyte_d16_hi") return load_small<std::int8_t, true, true>;
  if (what == "load_short_d16") return load_small<std::uint16_t, true, false>;
  if (what == "load_short_d16_hi") return load_small<std::uint16_t, true, true>;
  if (what == "store_byte") return store_small<std::uint8_t, false>;
  if (what == "store_short") return store_small<std::uint16_t, false>;
  if (what == "store_byte_d16_hi") return store_small<std::uint8_t, true>;
  if (what == "store_short_d16_hi") return store_small<std::uint16_t, true>;
  return nullptr;
}

}  // namespace

Handler find_memory_handler(const isa::Instruction& instruction) {
  const isa::Opcode& opcode = *instruction.opcode;
  if (opcode.encoding != Encoding::global && opcode.encoding != Encoding::flat) return nullptr;
  if (instruction.lds) return nullptr;
  const auto what = opcode.mnemonic.substr(opcode.mnemonic.find('_') + 1);
  if (what.starts_with("load_lds")) return nullptr;
  if (what.starts_with("load_dword")) return load_dwords;
  if (what.starts_with("store_dword")) return store_dwords;
  if (what.starts_with("atomic_")) return find_atomic(what.substr(7)) ? atomic : nullptr;
  return small_handler(what);
}

bool run_scalar_load(Machine& machine, Wave& wave, const Op& op) {
  const isa::Instruction& in = *op.instruction;
  Access& access = machine.access;
  const std::uint64_t base = scalar64(machine, wave, op.sources[0]);
  const std::uint32_t register_offset = in.has_soffset ? wave.sgprs[in.soffset & 127] : 0;
  const auto offset =
      static_cast<std::uint64_t>(static_cast<std::int64_t>(in.offset)) + register_offset;
  access.space = Access::Space::scalar;
  access.store = access.atomic = false;
  access.active = 1;
  access.bytes = op.dwords * 4U;
  access.address[0] = (base + offset) & ~std::uint64_t{3};
  const Region* region = region_for(machine, op, {access.address[0], access.address[0]});
  if (region == nullptr) return report(machine, wave, op, 0);
  std::memcpy(&wave.sgprs[op.destination], region->host + (access.address[0] - region->base),
              access.bytes);
  return true;
}

}  // namespace rpl::emu
