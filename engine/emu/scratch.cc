// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/emu/handlers.h"

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

/// The offset of each lane within its own scratch. False after a fault.
bool offsets_of(Machine& machine, Wave& wave, const Op& op, std::uint32_t bytes, Offsets& offset) {
  machine.access.space = Access::Space::none;
  const bool has_vector = op.sources[0].kind == Source::Kind::vector;
  const std::uint32_t* lanes = has_vector ? wave.vector(op.sources[0].number) : nullptr;
  const auto fixed =
      static_cast<std::uint64_t>(static_cast<std::int64_t>(op.instruction->offset)) +
      (op.sources[1].kind == Source::Kind::none ? 0 : scalar_part(machine, wave, op));
  for (unsigned i = 0; i < kLanes; ++i) {
    offset[i] = fixed + (has_vector ? lanes[i] : 0);
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
  if (!offsets_of(machine, wave, op, op.dwords * 4U, offset)) return false;
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

template <class T, bool kStore>
bool narrow(Machine& machine, Wave& wave, const Op& op) {
  Offsets offset;
  if (!offsets_of(machine, wave, op, sizeof(T), offset)) return false;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((wave.exec() >> i & 1) == 0) continue;
    std::byte* memory = at(machine, wave, i, offset[i]);
    std::uint32_t& value = wave.vector(op.data)[i];
    auto part = static_cast<T>(value);
    if constexpr (kStore) {
      std::memcpy(memory, &part, sizeof(T));
    } else {
      std::memcpy(&part, memory, sizeof(T));
      value = static_cast<std::uint32_t>(static_cast<std::int32_t>(part));
    }
  }
  return true;
}

Handler handler_of(std::string_view what) {
  if (what.starts_with("load_dword")) return dwords<false>;
  if (what.starts_with("store_dword")) return dwords<true>;
  if (what == "load_ubyte") return narrow<std::uint8_t, false>;
  if (what == "load_sbyte") return narrow<std::int8_t, false>;
  if (what == "load_ushort") return narrow<std::uint16_t, false>;
  if (what == "load_sshort") return narrow<std::int16_t, false>;
  if (what == "store_byte") return narrow<std::uint8_t, true>;
  if (what == "store_short") return narrow<std::uint16_t, true>;
  return nullptr;
}

template <Handler kPlain>
bool on_private_buffer(Machine& machine, Wave& wave, const Op& op) {
  if (wave.sgprs[op.target + 1] != kPrivateBufferMark) {
    return machine.stop(wave, op, Errc::unsupported,
                        "buffer instructions are known for scratch memory alone");
  }
  return kPlain(machine, wave, op);
}

Handler buffer_handler(std::string_view what) {
  if (what.starts_with("load_dword")) return on_private_buffer<dwords<false>>;
  if (what.starts_with("store_dword")) return on_private_buffer<dwords<true>>;
  if (what == "load_ubyte") return on_private_buffer<narrow<std::uint8_t, false>>;
  if (what == "load_sbyte") return on_private_buffer<narrow<std::int8_t, false>>;
  if (what == "load_ushort") return on_private_buffer<narrow<std::uint16_t, false>>;
  if (what == "load_sshort") return on_private_buffer<narrow<std::int16_t, false>>;
  if (what == "store_byte") return on_private_buffer<narrow<std::uint8_t, true>>;
  if (what == "store_short") return on_private_buffer<narrow<std::uint16_t, true>>;
  return nullptr;
}

}  // namespace

Handler find_scratch_handler(const isa::Instruction& instruction) {
  const isa::Opcode& opcode = *instruction.opcode;
  const auto what = opcode.mnemonic.substr(opcode.mnemonic.find('_') + 1);
  if (opcode.encoding == Encoding::scratch) return handler_of(what);
  if (opcode.encoding != Encoding::mubuf || instruction.idxen || instruction.lds) return nullptr;
  return buffer_handler(what);
}

}  // namespace rpl::emu
