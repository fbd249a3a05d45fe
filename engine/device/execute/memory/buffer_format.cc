// SPDX-License-Identifier: MIT
#include <bit>

#include "engine/base/half.h"
#include "engine/device/execute/memory/buffer.h"
#include "engine/device/execute/memory/component_format.h"
#include "engine/device/execute/memory/lane_memory.h"
#include "engine/device/execute/state/handlers.h"

/// buffer_*_format_* and tbuffer_*: the format is that of the descriptor, or of the instruction.
namespace rpl::emu {
namespace {

/// How many components an instruction names, and where they lie in registers.
struct Shape {
  unsigned components = 1;
  bool d16 = false;  ///< two components in a register
  bool high = false;
};

Shape shape_of(std::string_view name) {
  Shape shape;
  shape.d16 = name.find("_d16") != name.npos;
  shape.high = name.find("_hi_") != name.npos;
  shape.components = static_cast<unsigned>(name.size() - 1 - name.rfind('_'));
  return shape;
}

std::optional<ElementFormat> format_of(const isa::Instruction& in, const BufferDescriptor& buffer) {
  if (in.opcode->encoding == isa::Encoding::mtbuf)
    return element_format(in.format & 15U, in.format >> 4U);
  return element_format(buffer.data_format, buffer.number_format);
}

std::uint16_t narrowed(std::uint32_t component, bool integer) {
  return integer ? static_cast<std::uint16_t>(component)
                 : to_half(std::bit_cast<float>(component)).bits;
}
std::uint32_t widened(std::uint32_t half, const ElementFormat& format) {
  if (format.number == NumberFormat::sint)
    return static_cast<std::uint32_t>(std::int32_t{static_cast<std::int16_t>(half)});
  if (format.is_integer()) return half & 0xffffU;
  return std::bit_cast<std::uint32_t>(to_float({static_cast<std::uint16_t>(half)}));
}

// DST_SEL: 0 and 1 are constants, 4 to 7 the components of the element.
std::uint32_t selected(const std::array<std::uint32_t, 4>& components, unsigned select,
                       const ElementFormat& format) {
  if (select >= 4) return components[select - 4];
  return select != 1 ? 0 : format.is_integer() ? 1 : std::bit_cast<std::uint32_t>(1.0F);
}

void put_component(Wave& wave, const Op& op, const Shape& shape, unsigned lane, unsigned index,
                   std::uint32_t value, bool integer) {
  if (!shape.d16) {
    wave.vector(op.data + index)[lane] = value;
    return;
  }
  std::uint32_t& to = wave.vector(op.data + index / 2)[lane];
  const std::uint32_t half = narrowed(value, integer);
  if (shape.high || index % 2 == 1) {
    put_loaded<Half16::high>(to, half);
  } else if (shape.components > index + 1) {
    to = half;
  } else {
    put_loaded<Half16::low>(to, half);
  }
}

bool no_format(Machine& machine, const Wave& wave, const Op& op) {
  return machine.stop(wave, op, Errc::unsupported,
                      "the data format of the buffer is none that the emulator knows");
}

bool format_load(Machine& machine, Wave& wave, const Op& op) {
  const Shape shape = shape_of(op.instruction->opcode->mnemonic);
  const BufferDescriptor buffer = buffer_descriptor(wave, op.target);
  const auto format = format_of(*op.instruction, buffer);
  if (!format) return no_format(machine, wave, op);
  machine.access.store = machine.access.atomic = false;
  machine.access.bytes = format->bytes;
  BufferLanes lanes;
  const Region* region = nullptr;
  if (!begin_buffer(machine, wave, op, false, lanes, region)) return false;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((wave.exec() >> i & 1) == 0) continue;
    std::array<std::uint32_t, 4> components{};
    if ((machine.access.active >> i & 1) != 0)
      components = unpacked(*format, host_of(machine, wave, region, i));
    for (unsigned c = 0; c < shape.components; ++c)
      put_component(wave, op, shape, i, c,
                    selected(components, buffer.select >> (3 * c) & 7, *format),
                    format->is_integer());
  }
  return true;
}

bool format_store(Machine& machine, Wave& wave, const Op& op) {
  const Shape shape = shape_of(op.instruction->opcode->mnemonic);
  const auto format = format_of(*op.instruction, buffer_descriptor(wave, op.target));
  if (!format) return no_format(machine, wave, op);
  machine.access.store = true;
  machine.access.atomic = false;
  machine.access.bytes = format->bytes;
  BufferLanes lanes;
  const Region* region = nullptr;
  if (!begin_buffer(machine, wave, op, false, lanes, region)) return false;
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((machine.access.active >> i & 1) == 0) continue;
    std::array<std::uint32_t, 4> components{};
    for (unsigned c = 0; c < shape.components; ++c) {
      if (!shape.d16) {
        components[c] = wave.vector(op.data + c)[i];
        continue;
      }
      const std::uint32_t word = wave.vector(op.data + c / 2)[i];
      components[c] = widened(shape.high || c % 2 == 1 ? word >> 16 : word, *format);
    }
    const auto element = packed(*format, std::span(components).first(shape.components));
    std::memcpy(host_of(machine, wave, region, i), element.data(), format->bytes);
  }
  return true;
}

}  // namespace

Handler find_buffer_format_handler(const isa::Instruction& instruction) {
  if (instruction.lds) return nullptr;
  const bool load = instruction.opcode->mnemonic.find("_load_") != std::string_view::npos;
  return load ? format_load : format_store;
}

}  // namespace rpl::emu
