// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/isa/object/byte_view.h"

namespace rpl::isa {

/// The 64 bytes that the packet processor reads to start a kernel, decoded for gfx90a, gfx942 and gfx950.
/// Format: llvm.org/docs/AMDGPUUsage.html, "Kernel Descriptor" and its COMPUTE_PGM_RSRC1..3.
struct KernelDescriptor {
  static constexpr std::uint64_t kSize = 64;  ///< bytes

  std::uint32_t lds_bytes = 0;      ///< for a workgroup, without dynamic LDS
  std::uint32_t scratch_bytes = 0;  ///< for a work-item
  std::uint32_t kernarg_bytes = 0;
  std::int64_t entry_offset = 0;  ///< from the descriptor to the first instruction

  std::uint32_t vgprs = 0;  ///< allocated for a wave: architectural and accumulation ones together
  std::uint32_t first_agpr = 0;  ///< where accumulation registers begin among them
  std::uint32_t user_sgprs = 0;
  bool split_threads = false;      ///< TG_SPLIT: waves of a workgroup on several units, no LDS
  std::uint8_t round_mode = 0;     ///< FP32 bits 0-1, FP16/64 bits 2-3; 0 = nearest even
  std::uint8_t denormal_mode = 0;  ///< FP32 bits 0-1, FP16/64 bits 2-3; 3 = kept
  bool dx10_clamp = false;
  bool ieee_mode = false;

  bool scratch_enabled = false;
  bool workgroup_id_x = false, workgroup_id_y = false, workgroup_id_z = false;
  bool workgroup_info = false;
  std::uint8_t workitem_ids = 0;  ///< 0 = x, 1 = x and y, 2 = x, y and z

  bool private_buffer = false;    ///< 4 SGPRs
  bool dispatch_pointer = false;  ///< 2 SGPRs, as the next four
  bool queue_pointer = false;
  bool kernarg_pointer = false;
  bool dispatch_id = false;
  bool flat_scratch_init = false;
  bool private_size = false;  ///< 1 SGPR
  bool wave32 = false;
  bool dynamic_stack = false;
  std::uint8_t preload_length = 0;   ///< kernarg dwords put into SGPRs
  std::uint16_t preload_offset = 0;  ///< dwords from the start of the kernarg segment
};

/// Reads the descriptor at `offset` of `bytes`. Fails with corrupt when it is cut short.
Result<KernelDescriptor> read_kernel_descriptor(ByteView bytes, std::uint64_t offset);

}  // namespace rpl::isa
