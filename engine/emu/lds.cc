// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <bit>

#include "engine/emu/atomic.h"
#include "engine/emu/handlers.h"
#include "engine/emu/primitives.h"

namespace rpl::emu {
namespace {

using Addresses = std::array<std::uint64_t, kLanes>;

// Every LDS access is checked against what the workgroup has, though hardware would read zeros beyond it.
bool refuse(Machine& machine, const Wave& wave, const Op& op, const Addresses& address) {
  const Access& access = machine.access;
  unsigned lane = 0;
  while ((access.active >> lane & 1) == 0 || address[lane] + access.bytes <= machine.lds.size())
    ++lane;
  return machine.stop(
      wave, op, Errc::verification_failed,
      fmt::format("lane {} {} {} bytes at LDS address {}, but the workgroup has {} bytes", lane,
                  access.store ? "writes" : "reads", access.bytes, address[lane],
                  machine.lds.size()));
}

// Writes to `address`, which is one of machine.access. One look at the highest address clears all lanes.
bool begin(Machine& machine, Wave& wave, const Op& op, std::uint32_t offset, Addresses& address) {
  Access& access = machine.access;
  access.space = Access::Space::lds;
  access.active = wave.exec();
  const std::uint64_t highest = primitives().offsets(
      address.data(), wave.vector(op.sources[0].number), offset, access.active);
  if (access.active == 0 || highest + access.bytes <= machine.lds.size()) return true;
  return refuse(machine, wave, op, address);
}

bool begin(Machine& machine, Wave& wave, const Op& op) {
  return begin(machine, wave, op, op.target, machine.access.address);
}

void set_kind(Machine& machine, bool store, bool atomic, std::uint32_t bytes) {
  machine.access.store = store;
  machine.access.atomic = atomic;
  machine.access.bytes = bytes;
  machine.access.two_parts = false;
}

void read_dwords(const Machine& machine, Wave& wave, unsigned to, unsigned dwords,
                 const Addresses& address) {
  constexpr unsigned kMaxDwords = 4;
  const std::uint64_t active = machine.access.active;
  if (active == kAllLanes) {
    primitives().gather(wave.vector(to), machine.lds.data(), 0, address.data(), dwords);
    return;
  }
  alignas(64) std::array<std::uint32_t, kMaxDwords * kLanes> values;
  primitives().gather(values.data(), machine.lds.data(), 0, address.data(), dwords);
  for (unsigned k = 0; k < dwords; ++k)
    primitives().blend(wave.vector(to + k), values.data() + std::size_t{k} * kLanes, active);
}

void write_dwords(Machine& machine, Wave& wave, unsigned from, unsigned dwords,
                  const Addresses& address) {
  const std::uint64_t active = machine.access.active;
  if (dwords == 1 && active == kAllLanes &&
      primitives().write_rows(machine.lds.data(), 0, address.data(), wave.vector(from)))
    return;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((active >> i & 1) == 0) continue;
    std::byte* to = machine.lds.data() + address[i];
    for (unsigned k = 0; k < dwords; ++k) std::memcpy(to + 4 * k, &wave.vector(from + k)[i], 4);
  }
}

bool read(Machine& machine, Wave& wave, const Op& op) {
  set_kind(machine, false, false, op.dwords * 4U);
  if (!begin(machine, wave, op)) return false;
  if (wave.exec() != 0)
    read_dwords(machine, wave, op.destination, op.dwords, machine.access.address);
  return true;
}

bool write(Machine& machine, Wave& wave, const Op& op) {
  set_kind(machine, true, false, op.dwords * 4U);
  if (!begin(machine, wave, op)) return false;
  write_dwords(machine, wave, op.data, op.dwords, machine.access.address);
  return true;
}

// The offsets count elements of Op::target bytes. The second part's faults come first.
bool begin_two(Machine& machine, Wave& wave, const Op& op) {
  Access& access = machine.access;
  return begin(machine, wave, op, op.instruction->offset1 * op.target, access.second_address) &&
         begin(machine, wave, op, op.instruction->offset0 * op.target, access.address);
}

// The destination may hold the address, so both parts' addresses are made before anything is read.
bool read_two(Machine& machine, Wave& wave, const Op& op) {
  set_kind(machine, false, false, op.dwords * 4U);
  if (!begin_two(machine, wave, op)) return false;
  Access& access = machine.access;
  if (access.active == 0) return true;
  read_dwords(machine, wave, op.destination + op.dwords, op.dwords, access.second_address);
  read_dwords(machine, wave, op.destination, op.dwords, access.address);
  access.two_parts = true;
  return true;
}

bool write_two(Machine& machine, Wave& wave, const Op& op) {
  set_kind(machine, true, false, op.dwords * 4U);
  if (!begin_two(machine, wave, op)) return false;
  write_dwords(machine, wave, op.data, op.dwords, machine.access.address);
  write_dwords(machine, wave, op.data2, op.dwords, machine.access.second_address);
  machine.access.two_parts = true;
  return true;
}

template <class T>
bool read_small(Machine& machine, Wave& wave, const Op& op) {
  set_kind(machine, false, false, sizeof(T));
  if (!begin(machine, wave, op)) return false;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((machine.access.active >> i & 1) == 0) continue;
    T value;
    std::memcpy(&value, machine.lds.data() + machine.access.address[i], sizeof(T));
    wave.vector(op.destination)[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
  }
  return true;
}

template <class T>
bool write_small(Machine& machine, Wave& wave, const Op& op) {
  set_kind(machine, true, false, sizeof(T));
  if (!begin(machine, wave, op)) return false;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((machine.access.active >> i & 1) == 0) continue;
    const auto value = static_cast<T>(wave.vector(op.data)[i]);
    std::memcpy(machine.lds.data() + machine.access.address[i], &value, sizeof(T));
  }
  return true;
}

std::uint64_t data_of(Wave& wave, unsigned number, unsigned dwords, unsigned lane) {
  const std::uint64_t low = wave.vector(number)[lane];
  return dwords == 1 ? low : low | std::uint64_t{wave.vector(number + 1)[lane]} << 32;
}

bool begin_atomic(Machine& machine, Wave& wave, const Op& op) {
  set_kind(machine, true, true, op.dwords * 4U);
  return begin(machine, wave, op, static_cast<std::uint32_t>(op.instruction->offset),
               machine.access.address);
}

// Sums and counts in LDS are by far the most frequent.
bool add_without_result(Machine& machine, Wave& wave, const Op& op) {
  if (!begin_atomic(machine, wave, op)) return false;
  const std::uint32_t* data = wave.vector(op.data);
  std::byte* const lds = machine.lds.data();
  const auto add = [&](unsigned lane) {
    std::byte* at = lds + machine.access.address[lane];
    std::uint32_t sum;
    std::memcpy(&sum, at, sizeof(sum));
    sum += data[lane];
    std::memcpy(at, &sum, sizeof(sum));
  };
  if (machine.access.active == kAllLanes) {
    for (unsigned i = 0; i < kLanes; ++i) add(i);
    return true;
  }
  for (std::uint64_t left = machine.access.active; left != 0; left &= left - 1)
    add(static_cast<unsigned>(std::countr_zero(left)));
  return true;
}

bool atomic(Machine& machine, Wave& wave, const Op& op) {
  if (!begin_atomic(machine, wave, op)) return false;
  const auto kind = static_cast<Atomic>(op.target);
  // ds_cmpst has what to compare with first and the new value second.
  const bool compares = kind == Atomic::compare_swap,
             returns = op.instruction->operand('D') != nullptr;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((machine.access.active >> i & 1) == 0) continue;
    const std::uint64_t first = data_of(wave, op.data, op.dwords, i);
    const std::uint64_t second = compares ? data_of(wave, op.data2, op.dwords, i) : 0;
    std::byte* at = machine.lds.data() + machine.access.address[i];
    const std::uint64_t before =
        apply_atomic(kind, op.dwords, at, compares ? second : first, compares ? first : 0);
    if (!returns) continue;
    wave.vector(op.destination)[i] = static_cast<std::uint32_t>(before);
    if (op.dwords == 2)
      wave.vector(op.destination + 1U)[i] = static_cast<std::uint32_t>(before >> 32);
  }
  return true;
}

// Lane i takes the data of lane address / 4; a source lane that is not active gives zero.
bool bpermute(Machine& machine, Wave& wave, const Op& op) {
  machine.access.space = Access::Space::none;
  const std::uint32_t* address = wave.vector(op.sources[0].number);
  const std::uint32_t* data = wave.vector(op.data);
  const std::uint64_t exec = wave.exec();
  alignas(64) std::array<std::uint32_t, kLanes> values{};
  for (unsigned i = 0; i < kLanes; ++i) {
    const unsigned from = (address[i] + op.target) / 4 % kLanes;
    values[i] = (exec >> from & 1) != 0 ? data[from] : 0;
  }
  primitives().blend(wave.vector(op.destination), values.data(), exec);
  return true;
}

bool permute(Machine& machine, Wave& wave, const Op& op) {
  machine.access.space = Access::Space::none;
  const std::uint32_t* address = wave.vector(op.sources[0].number);
  const std::uint32_t* data = wave.vector(op.data);
  alignas(64) std::array<std::uint32_t, kLanes> values{};
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((wave.exec() >> i & 1) != 0) values[(address[i] + op.target) / 4 % kLanes] = data[i];
  }
  primitives().blend(wave.vector(op.destination), values.data(), wave.exec());
  return true;
}

unsigned swizzle_source(unsigned offset, unsigned lane) {
  constexpr unsigned kQuadMode = 0x8000, kGroup = 32;
  if ((offset & kQuadMode) != 0) return (lane & ~3U) | (offset >> (2 * (lane & 3U)) & 3U);
  const unsigned within = lane % kGroup;
  const unsigned source = ((within & (offset & 31)) | (offset >> 5 & 31)) ^ (offset >> 10 & 31);
  return lane - within + source;
}

bool swizzle(Machine& machine, Wave& wave, const Op& op) {
  machine.access.space = Access::Space::none;
  const std::uint32_t* data = wave.vector(op.sources[0].number);
  alignas(64) std::array<std::uint32_t, kLanes> values{};
  for (unsigned i = 0; i < kLanes; ++i) {
    const unsigned from = swizzle_source(op.target, i);
    values[i] = (wave.exec() >> from & 1) != 0 ? data[from] : 0;
  }
  primitives().blend(wave.vector(op.destination), values.data(), wave.exec());
  return true;
}

}  // namespace

Handler find_lds_handler(const isa::Instruction& instruction) {
  if (instruction.gds) return nullptr;
  auto what = instruction.opcode->mnemonic.substr(3);
  if (what == "bpermute_b32") return bpermute;
  if (what == "permute_b32") return permute;
  if (what == "swizzle_b32") return swizzle;
  if (what == "read_u8") return read_small<std::uint8_t>;
  if (what == "read_i8") return read_small<std::int8_t>;
  if (what == "read_u16") return read_small<std::uint16_t>;
  if (what == "read_i16") return read_small<std::int16_t>;
  if (what == "write_b8") return write_small<std::uint8_t>;
  if (what == "write_b16") return write_small<std::uint16_t>;
  if (what.starts_with("read2")) return read_two;
  if (what.starts_with("write2")) return write_two;
  if (what.starts_with("read_b")) return read;
  if (what.starts_with("write_b") && what.find("d16") == what.npos) return write;
  if (what == "add_u32") return add_without_result;
  std::string name(what);
  if (const auto rtn = name.find("_rtn"); rtn != name.npos) name.erase(rtn, 4);
  return find_atomic(name) ? atomic : nullptr;
}

}  // namespace rpl::emu
