// SPDX-License-Identifier: MIT
#include "engine/device/execute/memory/buffer.h"

#include "engine/device/execute/state/handlers.h"

namespace rpl::emu {
namespace {

constexpr std::uint32_t field(std::uint32_t word, unsigned first, unsigned count) {
  return word >> first & ((1U << count) - 1);
}

std::uint64_t swizzled_offset(const BufferDescriptor& buffer, std::uint64_t index,
                              std::uint64_t offset) {
  constexpr std::uint64_t kElement = 4;
  const std::uint64_t row =
      index / buffer.index_stride * buffer.stride + offset / kElement * kElement;
  return row * buffer.index_stride + index % buffer.index_stride * kElement + offset % kElement;
}

}  // namespace

BufferDescriptor buffer_descriptor(const Wave& wave, unsigned first_sgpr) {
  const std::uint32_t* word = &wave.sgprs[first_sgpr];
  BufferDescriptor buffer;
  buffer.base = word[0] | std::uint64_t{word[1] & 0xffffU} << 32;
  buffer.stride = field(word[1], 16, 14);
  buffer.swizzled = field(word[1], 31, 1) != 0;
  buffer.records = word[2];
  buffer.select = field(word[3], 0, 12);
  buffer.number_format = field(word[3], 12, 3);
  buffer.data_format = field(word[3], 15, 4);
  buffer.index_stride = 8U << field(word[3], 21, 2);
  buffer.adds_lane = field(word[3], 23, 1) != 0;
  // The format makes room for a longer stride then.
  if (buffer.adds_lane) buffer.stride |= buffer.data_format << 14;
  return buffer;
}

void place_buffer_lanes(const Machine& machine, Wave& wave, const Op& op,
                        const BufferDescriptor& buffer, std::uint32_t bytes, bool each_dword,
                        BufferLanes& lanes) {
  const isa::Instruction& in = *op.instruction;
  const bool has_vector = op.sources[0].kind == Source::Kind::vector;
  const std::uint32_t* first = has_vector ? wave.vector(op.sources[0].number) : nullptr;
  const std::uint32_t* indices = in.idxen ? first : nullptr;
  const std::uint32_t* offsets = !in.offen  ? nullptr
                                 : in.idxen ? wave.vector(op.sources[0].number + 1U)
                                            : first;
  const std::uint64_t scalar =
      op.sources[1].kind == Source::Kind::none ? 0 : scalar32(machine, wave, op.sources[1]);
  const bool by_index = buffer.stride != 0 && (in.idxen || buffer.adds_lane);
  const std::uint64_t limit = buffer.records;
  const auto most = static_cast<std::uint8_t>(std::max(1U, bytes / 4));
  for (unsigned i = 0; i < kLanes; ++i) {
    const std::uint64_t index =
        (indices != nullptr ? indices[i] : 0U) + std::uint64_t{buffer.adds_lane ? i : 0U};
    const std::uint64_t offset =
        static_cast<std::uint32_t>(in.offset) + std::uint64_t{offsets != nullptr ? offsets[i] : 0U};
    const std::uint64_t linear = buffer.stride * index + offset;
    const std::uint64_t within = buffer.swizzled ? swizzled_offset(buffer, index, offset) : linear;
    lanes.address[i] = buffer.base + scalar + within;
    const std::uint64_t end = scalar + linear;
    lanes.dwords[i] = 0;
    if (by_index) {
      lanes.dwords[i] = index < limit ? most : std::uint8_t{0};
    } else if (end + bytes <= limit) {
      lanes.dwords[i] = most;
    } else if (each_dword && end < limit) {
      lanes.dwords[i] = static_cast<std::uint8_t>((limit - end) / 4);
    }
  }
}

}  // namespace rpl::emu
