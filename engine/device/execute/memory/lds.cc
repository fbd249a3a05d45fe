// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include "engine/device/execute/memory/atomic.h"
#include "engine/device/execute/memory/lane_memory.h"
#include "engine/device/execute/memory/lds.h"
#include "engine/device/execute/state/float_mode.h"
#include "engine/device/execute/state/handlers.h"
#include "engine/device/execute/state/primitives.h"

namespace rpl::emu {
namespace {

using Addresses = LdsAddresses;

/// Where the lanes of an access go when all are active. False for any other, and for one out of bounds, which begin_lds() does. With `far` the second part of an access lies so many bytes behind the first.
bool begin_groups(Machine& machine, Wave& wave, const Op& op, std::uint32_t offset,
                  std::uint32_t far, Starts& starts, LaneShape& shape) {
  Access& access = machine.access;
  access.space = Access::Space::lds;
  access.active = wave.exec();
  if (access.active != kAllLanes) return false;
  const std::uint32_t* low = wave.vector(op.sources[0].number);
  shape = primitives().shape(starts.data(), low, nullptr, offset);
  const std::uint64_t last = shape == LaneShape::near ? offset + primitives().range(low).high
                                                      : *std::ranges::max_element(starts);
  if (last + far + group_bytes(shape, access.bytes) > machine.lds.size()) return false;
  if (machine.observed) note_groups(access, starts, shape, low);
  return true;
}

bool begin(Machine& machine, Wave& wave, const Op& op) {
  return begin_lds(machine, wave, op, op.target, machine.access.address);
}

void read_dwords(const Machine& machine, Wave& wave, unsigned to, unsigned dwords,
                 const Addresses& address) {
  constexpr unsigned kMostDwords = 4;
  const std::uint64_t active = machine.access.active;
  if (active == kAllLanes) {
    primitives().gather(wave.vector(to), machine.lds.data(), 0, address.data(), dwords);
    return;
  }
  alignas(64) std::array<std::uint32_t, kMostDwords * kLanes> values;
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

/// The first source still has the low dwords of the addresses.
void read_shaped(Wave& wave, const Op& op, unsigned to, const std::byte* from, const Starts& starts,
                 LaneShape shape) {
  if (shape == LaneShape::near) {
    primitives().read_near(wave.vector(to), from, starts[0], wave.vector(op.sources[0].number),
                           op.dwords);
  } else {
    primitives().read_groups(wave.vector(to), from, starts.data(), shape, op.dwords);
  }
}

bool read(Machine& machine, Wave& wave, const Op& op) {
  set_lds_kind(machine, false, false, op.dwords * 4U);
  Starts starts{};
  LaneShape shape;
  if (begin_groups(machine, wave, op, op.target, 0, starts, shape)) {
    read_shaped(wave, op, op.destination, machine.lds.data(), starts, shape);
    return true;
  }
  if (!begin(machine, wave, op)) return false;
  if (wave.exec() != 0)
    read_dwords(machine, wave, op.destination, op.dwords, machine.access.address);
  return true;
}

bool write(Machine& machine, Wave& wave, const Op& op) {
  set_lds_kind(machine, true, false, op.dwords * 4U);
  Starts starts{};
  LaneShape shape;
  if (begin_groups(machine, wave, op, op.target, 0, starts, shape)) {
    if (shape == LaneShape::rows && op.dwords == 1) {
      primitives().write_groups(machine.lds.data(), starts.data(), wave.vector(op.data));
      return true;
    }
    if (shape == LaneShape::near) {
      primitives().write_near(machine.lds.data(), starts[0], wave.vector(op.sources[0].number),
                              wave.vector(op.data), op.dwords);
      return true;
    }
  }
  if (!begin(machine, wave, op)) return false;
  write_dwords(machine, wave, op.data, op.dwords, machine.access.address);
  return true;
}

// The offsets count elements of Op::target bytes. The second part's faults come first.
bool begin_two(Machine& machine, Wave& wave, const Op& op) {
  Access& access = machine.access;
  return begin_lds(machine, wave, op, op.instruction->offset1 * op.target, access.second_address) &&
         begin_lds(machine, wave, op, op.instruction->offset0 * op.target, access.address);
}

bool read_two_groups(Machine& machine, Wave& wave, const Op& op) {
  const std::uint32_t first = op.instruction->offset0 * op.target,
                      second = op.instruction->offset1 * op.target;
  Access& access = machine.access;
  const std::uint32_t low = std::min(first, second);
  Starts starts{};
  LaneShape shape;
  const unsigned address = op.sources[0].number;
  const bool overwritten = address >= op.destination && address < op.destination + 2U * op.dwords;
  if (overwritten ||
      !begin_groups(machine, wave, op, low, std::max(first, second) - low, starts, shape))
    return false;
  const std::byte* from = machine.lds.data();
  read_shaped(wave, op, op.destination, from + (first - low), starts, shape);
  read_shaped(wave, op, op.destination + op.dwords, from + (second - low), starts, shape);
  access.two_parts = true;
  if (!machine.observed) return true;
  access.starts = access.second_starts = starts;
  for (std::uint64_t& start : access.starts) start += first - low;
  for (std::uint64_t& start : access.second_starts) start += second - low;
  if (shape != LaneShape::near) return true;
  for (unsigned i = 0; i < kLanes; ++i)
    access.second_address[i] = access.address[i] + (second - low);
  for (unsigned i = 0; i < kLanes; ++i) access.address[i] += first - low;
  return true;
}

// The destination may hold the address, so both parts' addresses are made before anything is read.
bool read_two(Machine& machine, Wave& wave, const Op& op) {
  set_lds_kind(machine, false, false, op.dwords * 4U);
  if (read_two_groups(machine, wave, op)) return true;
  if (!begin_two(machine, wave, op)) return false;
  Access& access = machine.access;
  if (access.active == 0) return true;
  read_dwords(machine, wave, op.destination + op.dwords, op.dwords, access.second_address);
  read_dwords(machine, wave, op.destination, op.dwords, access.address);
  access.two_parts = true;
  return true;
}

bool write_two(Machine& machine, Wave& wave, const Op& op) {
  set_lds_kind(machine, true, false, op.dwords * 4U);
  if (!begin_two(machine, wave, op)) return false;
  write_dwords(machine, wave, op.data, op.dwords, machine.access.address);
  write_dwords(machine, wave, op.data2, op.dwords, machine.access.second_address);
  machine.access.two_parts = true;
  return true;
}

template <class T, Half16 kHalf>
bool read_small(Machine& machine, Wave& wave, const Op& op) {
  set_lds_kind(machine, false, false, sizeof(T));
  if (!begin(machine, wave, op)) return false;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((machine.access.active >> i & 1) == 0) continue;
    T value;
    std::memcpy(&value, machine.lds.data() + machine.access.address[i], sizeof(T));
    put_loaded<kHalf>(wave.vector(op.destination)[i],
                      static_cast<std::uint32_t>(static_cast<std::int32_t>(value)));
  }
  return true;
}

template <class T, bool kHigh>
bool write_small(Machine& machine, Wave& wave, const Op& op) {
  set_lds_kind(machine, true, false, sizeof(T));
  if (!begin(machine, wave, op)) return false;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((machine.access.active >> i & 1) == 0) continue;
    const auto value = static_cast<T>(wave.vector(op.data)[i] >> (kHigh ? 16 : 0));
    std::memcpy(machine.lds.data() + machine.access.address[i], &value, sizeof(T));
  }
  return true;
}

bool begin_atomic(Machine& machine, Wave& wave, const Op& op) {
  set_lds_kind(machine, true, true, op.dwords * 4U);
  return begin_lds(machine, wave, op, static_cast<std::uint32_t>(op.instruction->offset),
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

// The LDS adds floats to nearest even whatever MODE rounds to, but makes zero of denormals where MODE asks for that (LLVM, D87864 and pull
// request 89468).
std::uint64_t add_by_mode(SizeMode mode, std::byte* at, std::uint64_t data) {
  const auto zeroed = [](std::uint32_t bits) {
    return (bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits;
  };
  std::uint32_t before, read, after;
  std::memcpy(&before, at, sizeof(before));
  read = mode.reads_denormals ? before : zeroed(before);
  std::memcpy(at, &read, sizeof(read));
  const auto added = static_cast<std::uint32_t>(data);
  apply_atomic(Atomic::float_add, 1, at, mode.reads_denormals ? added : zeroed(added), 0);
  std::memcpy(&after, at, sizeof(after));
  if (!mode.writes_denormals) after = zeroed(after);
  std::memcpy(at, &after, sizeof(after));
  return before;
}

bool lds_atomic(Machine& machine, Wave& wave, const Op& op) {
  if (!begin_atomic(machine, wave, op)) return false;
  const auto kind = static_cast<Atomic>(op.target);
  const bool two = has_second_operand(kind) || compares(kind);
  const bool returns = op.instruction->operand('D') != nullptr;
  const SizeMode mode = float_mode(wave.mode).f32;
  const bool by_mode = kind == Atomic::float_add && op.dwords == 1 &&
                       !(mode.reads_denormals && mode.writes_denormals);
  AtomicRounding rounding(wave, kind);
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((machine.access.active >> i & 1) == 0) continue;
    std::uint64_t first = lane_data(wave, op.data, op.dwords, i);
    std::uint64_t second = two ? lane_data(wave, op.data2, op.dwords, i) : 0;
    // ds_cmpst has what to compare with first and the new value second.
    if (compares(kind)) std::swap(first, second);
    std::byte* at = machine.lds.data() + machine.access.address[i];
    rounding.draw();
    const std::uint64_t before =
        by_mode ? add_by_mode(mode, at, first) : apply_atomic(kind, op.dwords, at, first, second);
    if (!returns) continue;
    wave.vector(op.destination)[i] = static_cast<std::uint32_t>(before);
    if (op.dwords == 2)
      wave.vector(op.destination + 1U)[i] = static_cast<std::uint32_t>(before >> 32);
  }
  return true;
}

// Both parts of a lane before the next lane, as lanes take their turns in atomics.
bool exchange_two(Machine& machine, Wave& wave, const Op& op) {
  set_lds_kind(machine, true, true, op.dwords * 4U);
  if (!begin_two(machine, wave, op)) return false;
  Access& access = machine.access;
  const auto exchange = [&](std::uint64_t address, std::uint64_t data) {
    return apply_atomic(Atomic::swap, op.dwords, machine.lds.data() + address, data, 0);
  };
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((access.active >> i & 1) == 0) continue;
    const std::uint64_t before[] = {
        exchange(access.address[i], lane_data(wave, op.data, op.dwords, i)),
        exchange(access.second_address[i], lane_data(wave, op.data2, op.dwords, i))};
    for (unsigned k = 0; k < 2U * op.dwords; ++k)
      wave.vector(op.destination + k)[i] =
          static_cast<std::uint32_t>(before[k / op.dwords] >> (32 * (k % op.dwords)));
  }
  access.two_parts = true;
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

constexpr int kFftMode = 0xe000;  ///< whose definition is not public enough to be sure of it

unsigned swizzle_source(unsigned offset, unsigned lane) {
  constexpr unsigned kRotateMode = 0xc000, kQuadMode = 0x8000, kGroup = 32;
  if ((offset & kRotateMode) == kRotateMode) {
    const unsigned amount = offset >> 5 & 31, mask = offset & 31;
    const unsigned moved = (offset >> 10 & 1) != 0 ? lane - amount : lane + amount;
    return lane / kGroup * kGroup + ((lane & mask) | (moved & ~mask & 31));
  }
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

Handler small_lds_handler(std::string_view what) {
  using std::int16_t, std::int8_t, std::uint16_t, std::uint8_t;
  if (what == "read_u8") return read_small<uint8_t, Half16::none>;
  if (what == "read_i8") return read_small<int8_t, Half16::none>;
  if (what == "read_u16") return read_small<uint16_t, Half16::none>;
  if (what == "read_i16") return read_small<int16_t, Half16::none>;
  if (what == "read_u8_d16") return read_small<uint8_t, Half16::low>;
  if (what == "read_u8_d16_hi") return read_small<uint8_t, Half16::high>;
  if (what == "read_i8_d16") return read_small<int8_t, Half16::low>;
  if (what == "read_i8_d16_hi") return read_small<int8_t, Half16::high>;
  if (what == "read_u16_d16") return read_small<uint16_t, Half16::low>;
  if (what == "read_u16_d16_hi") return read_small<uint16_t, Half16::high>;
  if (what == "write_b8") return write_small<uint8_t, false>;
  if (what == "write_b16") return write_small<uint16_t, false>;
  if (what == "write_b8_d16_hi") return write_small<uint8_t, true>;
  if (what == "write_b16_d16_hi") return write_small<uint16_t, true>;
  return nullptr;
}

}  // namespace

Handler find_lds_handler(const isa::Instruction& instruction) {
  auto what = instruction.opcode->mnemonic.substr(3);
  if (what.starts_with("gws_")) return find_wave_sync_handler(what);
  if (instruction.gds) return run_refused;
  if (what == "bpermute_b32") return bpermute;
  if (what == "permute_b32") return permute;
  if (what == "swizzle_b32") return instruction.offset >= kFftMode ? nullptr : swizzle;
  if (const Handler small = small_lds_handler(what); small != nullptr) return small;
  if (what.starts_with("read2")) return read_two;
  if (what.starts_with("write2")) return write_two;
  if (what.starts_with("wrxchg2")) return exchange_two;
  if (what.find("_tr_") != what.npos) return find_lds_transpose_handler(what);
  if (what.starts_with("read_b")) return read;
  if (what.starts_with("write_b")) return write;
  if (what == "add_u32") return add_without_result;
  std::string name(what);
  if (const auto rtn = name.find("_rtn"); rtn != name.npos) name.erase(rtn, 4);
  return find_atomic(name) ? lds_atomic : find_lds_base_handler(what);
}

}  // namespace rpl::emu
