// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/state/machine.h"

/// Buffer descriptors and the addresses that buffer instructions make from them: AMD's "Vega" and "CDNA3" ISA documents, "Buffer
/// Resource Descriptor" and "Buffer Addressing".
namespace rpl::emu {

struct BufferDescriptor {
  std::uint64_t base = 0;
  std::uint32_t stride = 0;   ///< bytes
  std::uint32_t records = 0;  ///< bytes, or for accesses by index strides
  bool swizzled = false;      ///< elements of 4 bytes of index_stride neighbours lie side by side
  bool adds_lane = false;     ///< the lane's number in the wave is added to the index
  std::uint32_t index_stride = 0;
  std::uint32_t select = 0;  ///< DST_SEL: three bits for each of four results
  std::uint32_t data_format = 0, number_format = 0;
};

BufferDescriptor buffer_descriptor(const Wave& wave, unsigned first_sgpr);

/// The addresses of one buffer instruction.
struct BufferLanes {
  std::array<std::uint64_t, kLanes> address;
  std::array<std::uint8_t, kLanes>
      dwords;  ///< in range, from the first one on; of a smaller access all or nothing
};

/// Where the lanes of `op` go, `bytes` each. What is out of range is not accessed: loads give 0 and stores do nothing. Dwords of
/// loads and stores without a format are looked at one by one (`each_dword`), everything else as a whole. An index is compared with
/// the number of records where the stride is not zero and the instruction or the descriptor has one, otherwise the offset with their
/// bytes.
void place_buffer_lanes(const Machine& machine, Wave& wave, const Op& op,
                        const BufferDescriptor& buffer, std::uint32_t bytes, bool each_dword,
                        BufferLanes& lanes);

/// Fills machine.access, whose kind and bytes are set, with the lanes of which at least one dword is in range. False after a fault;
/// `region` is that of host_of().
bool begin_buffer(Machine& machine, Wave& wave, const Op& op, bool each_dword, BufferLanes& lanes,
                  const Region*& region);

}  // namespace rpl::emu
