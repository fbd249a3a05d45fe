// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/device/execute/memory/lane_memory.h"
#include "engine/device/execute/memory/lds.h"
#include "engine/device/execute/state/handlers.h"

namespace rpl::emu {
namespace {

using isa::Encoding;
using isa::Operand;

using Offsets = std::array<std::uint64_t, kLanes>;

// A stack pointer in a scalar register counts the bytes of all lanes of a wave for buffer instructions.
std::uint64_t scalar_part(const Machine& machine, const Wave& wave, const Op& op) {
  const std::uint64_t value = scalar32(machine, wave, op.sources[1]);
  return op.instruction->opcode->encoding == Encoding::mubuf ? value / kLanes : value;
}

/// The offset of each lane within its own scratch, which is what machine.access tells of it. False after a fault.
bool offsets_of(Machine& machine, Wave& wave, const Op& op, bool store, std::uint32_t bytes,
                Offsets& offset) {
  Access& access = machine.access;
  access.space = Access::Space::scratch;
  access.shape = LaneShape::any;
  access.store = store;
  access.atomic = access.two_parts = false;
  access.into_lds = 0;
  access.bytes = bytes;
  access.active = wave.exec();
  const bool has_vector = op.sources[0].kind == Source::Kind::vector;
  const std::uint32_t* lanes = has_vector ? wave.vector(op.sources[0].number) : nullptr;
  const auto fixed =
      static_cast<std::uint64_t>(static_cast<std::int64_t>(op.instruction->offset)) +
      (op.sources[1].kind == Source::Kind::none ? 0 : scalar_part(machine, wave, op));
  for (unsigned i = 0; i < kLanes; ++i) {
    offset[i] = access.address[i] = fixed + (has_vector ? lanes[i] : 0);
    const bool active = (wave.exec() >> i & 1) != 0;
    if (!active ||
        (offset[i] < machine.scratch_bytes && bytes <= machine.scratch_bytes - offset[i]))
      continue;
    return machine.stop(
        wave, op, Errc::verification_failed,
        fmt::format("lane {} touches {} bytes at scratch offset {}, but a work-item has {} bytes",
                    i, bytes, static_cast<std::int64_t>(offset[i]), machine.scratch_bytes));
  }
  return true;
}

std::byte* at(const Machine& machine, Wave& wave, unsigned lane, std::uint64_t offset) {
  return wave.scratch.data() + std::size_t{lane} * machine.scratch_bytes + offset;
}

template <bool kStore>
bool dwords(Machine& machine, Wave& wave, const Op& op) {
  Offsets offset;
  if (!offsets_of(machine, wave, op, kStore, op.dwords * 4U, offset)) return false;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((wave.exec() >> i & 1) == 0) continue;
    std::byte* memory = at(machine, wave, i, offset[i]);
    for (unsigned k = 0; k < op.dwords; ++k) {
      std::uint32_t& value = wave.vector(op.data + k)[i];
      if constexpr (kStore) {
        std::memcpy(memory + 4 * k, &value, 4);
      } else {
        std::memcpy(&value, memory + 4 * k, 4);
      }
    }
  }
  return true;
}

template <class T, Half16 kHalf>
bool load_narrow(Machine& machine, Wave& wave, const Op& op) {
  Offsets offset;
  if (!offsets_of(machine, wave, op, false, sizeof(T), offset)) return false;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((wave.exec() >> i & 1) == 0) continue;
    T part;
    std::memcpy(&part, at(machine, wave, i, offset[i]), sizeof(T));
    put_loaded<kHalf>(wave.vector(op.data)[i],
                      static_cast<std::uint32_t>(static_cast<std::int32_t>(part)));
  }
  return true;
}

template <class T, bool kHigh>
bool store_narrow(Machine& machine, Wave& wave, const Op& op) {
  Offsets offset;
  if (!offsets_of(machine, wave, op, true, sizeof(T), offset)) return false;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((wave.exec() >> i & 1) == 0) continue;
    const auto part = static_cast<T>(wave.vector(op.data)[i] >> (kHigh ? 16 : 0));
    std::memcpy(at(machine, wave, i, offset[i]), &part, sizeof(T));
  }
  return true;
}

template <class T>
bool load_to_lds(Machine& machine, Wave& wave, const Op& op) {
  Offsets offset;
  if (!offsets_of(machine, wave, op, false, sizeof(T), offset)) return false;
  machine.access.store = true;
  if (!begin_into_lds(machine, wave, op, machine.access.address)) return false;
  machine.access.space = Access::Space::lds;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((wave.exec() >> i & 1) == 0) continue;
    T part;
    std::memcpy(&part, at(machine, wave, i, offset[i]), sizeof(T));
    const auto value = static_cast<std::uint32_t>(static_cast<std::int32_t>(part));
    std::memcpy(machine.lds.data() + machine.access.address[i], &value, sizeof(value));
  }
  return true;
}

struct ScratchRow {
  std::string_view what;
  Handler handler;
};
using std::int16_t, std::int8_t, std::uint16_t, std::uint8_t;
constexpr ScratchRow kScratchRows[] = {
    {"load_ubyte", load_narrow<uint8_t, Half16::none>},
    {"load_sbyte", load_narrow<int8_t, Half16::none>},
    {"load_ushort", load_narrow<uint16_t, Half16::none>},
    {"load_sshort", load_narrow<int16_t, Half16::none>},
    {"load_ubyte_d16", load_narrow<uint8_t, Half16::low>},
    {"load_ubyte_d16_hi", load_narrow<uint8_t, Half16::high>},
    {"load_sbyte_d16", load_narrow<int8_t, Half16::low>},
    {"load_sbyte_d16_hi", load_narrow<int8_t, Half16::high>},
    {"load_short_d16", load_narrow<uint16_t, Half16::low>},
    {"load_short_d16_hi", load_narrow<uint16_t, Half16::high>},
    {"load_dword", dwords<false>},
    {"load_dwordx2", dwords<false>},
    {"load_dwordx3", dwords<false>},
    {"load_dwordx4", dwords<false>},
    {"store_byte", store_narrow<uint8_t, false>},
    {"store_byte_d16_hi", store_narrow<uint8_t, true>},
    {"store_short", store_narrow<uint16_t, false>},
    {"store_short_d16_hi", store_narrow<uint16_t, true>},
    {"store_dword", dwords<true>},
    {"store_dwordx2", dwords<true>},
    {"store_dwordx3", dwords<true>},
    {"store_dwordx4", dwords<true>},
    {"load_lds_ubyte", load_to_lds<uint8_t>},
    {"load_lds_sbyte", load_to_lds<int8_t>},
    {"load_lds_ushort", load_to_lds<uint16_t>},
    {"load_lds_sshort", load_to_lds<int16_t>},
    {"load_lds_dword", load_to_lds<std::uint32_t>},
};

Handler handler_of(std::string_view what) {
  for (const auto& row : kScratchRows) {
    if (row.what == what) return row.handler;
  }
  return nullptr;
}

}  // namespace

Handler find_scratch_handler(const isa::Instruction& instruction) {
  const auto name = instruction.opcode->mnemonic;
  return handler_of(name.substr(name.find('_') + 1));
}

// Stack accesses have the same names as those of scratch instructions.
bool run_on_private_buffer(Machine& machine, Wave& wave, const Op& op) {
  const isa::Instruction& in = *op.instruction;
  static const auto table = [] {
    std::array<Handler, 128> handlers{};
    for (const auto& opcode : isa::opcodes()) {
      if (opcode.encoding == Encoding::mubuf)
        handlers[opcode.code] = handler_of(opcode.mnemonic.substr(opcode.mnemonic.find('_') + 1));
    }
    return handlers;
  }();
  const Handler handler = in.idxen || in.lds ? nullptr : table[in.opcode->code];
  if (handler != nullptr) return handler(machine, wave, op);
  return machine.stop(wave, op, Errc::unsupported,
                      "on the private buffer loads and stores of a stack alone are known");
}

}  // namespace rpl::emu
