// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/emu/atomic.h"
#include "engine/emu/handlers.h"
#include "engine/emu/primitives.h"

namespace rpl::emu {
namespace {

// Every LDS access is checked against what the workgroup has, though hardware would read zeros beyond it.
bool begin(Machine& machine, Wave& wave, const Op& op, std::uint32_t offset) {
  Access& access = machine.access;
  access.space = Access::Space::lds;
  access.active = wave.exec();
  const std::uint32_t* address = wave.vector(op.sources[0].number);
  std::uint64_t highest = 0;
  for (unsigned i = 0; i < kLanes; ++i) {
    const std::uint32_t lane_address = (access.active >> i & 1) != 0 ? address[i] + offset : 0;
    access.address[i] = lane_address;
    highest = lane_address > highest ? lane_address : highest;
  }
  if (access.active == 0 || highest + access.bytes <= machine.lds.size()) return true;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((access.active >> i & 1) == 0 || access.address[i] + access.bytes <= machine.lds.size())
      continue;
    return machine.stop(
        wave, op, Errc::verification_failed,
        fmt::format("lane {} {} {} bytes at LDS address {}, but the workgroup has {} bytes", i,
                    access.store ? "writes" : "reads", access.bytes, access.address[i],
                    machine.lds.size()));
  }
  return true;
}

void set_kind(Machine& machine, bool store, bool atomic, std::uint32_t bytes) {
  machine.access.store = store;
  machine.access.atomic = atomic;
  machine.access.bytes = bytes;
  machine.access.two_parts = false;
}

void read_dwords(const Machine& machine, Wave& wave, unsigned to, unsigned dwords) {
  const Access& access = machine.access;
  for (unsigned k = 0; k < dwords; ++k) {
    const std::byte* base = machine.lds.data() + 4 * k;
    if (access.active == kAllLanes) {
      primitives().gather(wave.vector(to + k), base, access.address.data());
      continue;
    }
    alignas(64) std::array<std::uint32_t, kLanes> values;
    primitives().gather(values.data(), base, access.address.data());
    primitives().blend(wave.vector(to + k), values.data(), access.active);
  }
}

void write_dwords(Machine& machine, Wave& wave, unsigned from, unsigned dwords) {
  const Access& access = machine.access;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((access.active >> i & 1) == 0) continue;
    std::byte* to = machine.lds.data() + access.address[i];
    for (unsigned k = 0; k < dwords; ++k) std::memcpy(to + 4 * k, &wave.vector(from + k)[i], 4);
  }
}

bool read(Machine& machine, Wave& wave, const Op& op) {
  set_kind(machine, false, false, op.dwords * 4U);
  if (!begin(machine, wave, op, op.target)) return false;
  if (wave.exec() != 0) read_dwords(machine, wave, op.destination, op.dwords);
  return true;
}

bool write(Machine& machine, Wave& wave, const Op& op) {
  set_kind(machine, true, false, op.dwords * 4U);
  if (!begin(machine, wave, op, op.target)) return false;
  write_dwords(machine, wave, op.data, op.dwords);
  return true;
}

// The offsets of read2 and write2 count elements, those of the st64 forms 64 elements.
std::uint32_t step_of(const Op& op) {
  const bool far = op.instruction->opcode->mnemonic.find("st64") != std::string_view::npos;
  return op.dwords * 4U * (far ? 64U : 1U);
}

bool read_two(Machine& machine, Wave& wave, const Op& op) {
  set_kind(machine, false, false, op.dwords * 4U);
  const std::uint32_t first = op.instruction->offset0 * step_of(op),
                      second = op.instruction->offset1 * step_of(op);
  // The destination may hold the address, so the second part is read before the first is written.
  if (!begin(machine, wave, op, second)) return false;
  const auto second_address = machine.access.address;
  if (!begin(machine, wave, op, first)) return false;
  if (wave.exec() == 0) return true;
  const auto first_address = machine.access.address;
  machine.access.address = second_address;
  read_dwords(machine, wave, op.destination + op.dwords, op.dwords);
  machine.access.address = first_address;
  read_dwords(machine, wave, op.destination, op.dwords);
  machine.access.second_address = second_address;
  machine.access.two_parts = true;
  return true;
}

bool write_two(Machine& machine, Wave& wave, const Op& op) {
  set_kind(machine, true, false, op.dwords * 4U);
  if (!begin(machine, wave, op, op.instruction->offset1 * step_of(op))) return false;
  const auto second_address = machine.access.address;
  if (!begin(machine, wave, op, op.instruction->offset0 * step_of(op))) return false;
  write_dwords(machine, wave, op.data, op.dwords);
  const auto first_address = machine.access.address;
  machine.access.address = second_address;
  write_dwords(machine, wave, op.data2, op.dwords);
  machine.access.address = first_address;
  machine.access.second_address = second_address;
  machine.access.two_parts = true;
  return true;
}

template <class T>
bool read_small(Machine& machine, Wave& wave, const Op& op) {
  set_kind(machine, false, false, sizeof(T));
  if (!begin(machine, wave, op, op.target)) return false;
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
  if (!begin(machine, wave, op, op.target)) return false;
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

bool atomic(Machine& machine, Wave& wave, const Op& op) {
  set_kind(machine, true, true, op.dwords * 4U);
  if (!begin(machine, wave, op, static_cast<std::uint32_t>(op.instruction->offset))) return false;
  const auto kind = static_cast<Atomic>(op.target);
  // ds_cmpst has what to compare with first and the new value second.
  const bool compares = kind == Atomic::compare_swap;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((machine.access.active >> i & 1) == 0) continue;
    const std::uint64_t first = data_of(wave, op.data, op.dwords, i);
    const std::uint64_t second = compares ? data_of(wave, op.data2, op.dwords, i) : 0;
    std::byte* at = machine.lds.data() + machine.access.address[i];
    const std::uint64_t before =
        apply_atomic(kind, op.dwords, at, compares ? second : first, compares ? first : 0);
    if (op.instruction->operand('D') == nullptr) continue;
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
  std::string name(what);
  if (const auto rtn = name.find("_rtn"); rtn != name.npos) name.erase(rtn, 4);
  return find_atomic(name) ? atomic : nullptr;
}

}  // namespace rpl::emu
