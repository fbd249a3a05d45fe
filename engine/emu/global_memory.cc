// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <bit>

#include "engine/emu/handlers.h"
#include "engine/emu/primitives.h"
#include "engine/emu/shared_atomic.h"

namespace rpl::emu {
namespace {

using isa::Encoding;

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
  const bool has_scalar = op.sources[1].kind == Source::Kind::scalar;
  const auto offset = static_cast<std::uint64_t>(std::int64_t{op.instruction->offset});
  // Inactive lanes get the address of the first active one, so that bounds and gathers need no mask.
  const Span span = primitives().addresses(
      access.address.data(), wave.vector(op.sources[0].number),
      has_scalar ? nullptr : wave.vector(op.sources[0].number + 1U),
      offset + (has_scalar ? wave.pair(op.sources[1].number) : 0), access.active);
  region = region_for(machine, op, span);
  return region != nullptr || each_lane_allowed(machine, wave, op);
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
  const Region* region = nullptr;
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
  const Region* region = nullptr;
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
    const auto apply = machine.shared ? apply_shared_atomic : apply_atomic;
    const std::uint64_t before = apply(kind, width, at, data, expected);
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
