// SPDX-License-Identifier: MIT
#include "engine/isa/object/kernel_descriptor.h"

#include "engine/isa/object/byte_view.h"
#include "engine/isa/traits/architecture.h"

namespace rpl::isa {

namespace {

struct Raw {
  std::uint32_t group, scratch, kernarg, reserved0;
  std::int64_t entry;
  std::uint8_t reserved1[20];
  std::uint32_t rsrc3, rsrc1, rsrc2;
  std::uint16_t properties, preload;
  std::uint8_t reserved2[4];
};
static_assert(sizeof(Raw) == KernelDescriptor::kSize);

void read_registers(const Raw& raw, KernelDescriptor& out) {
  constexpr std::uint32_t kVgprGranule = shared(&Traits::vgpr_granule),
                          kAccumGranule = shared(&Traits::accum_granule);
  out.vgprs = (bits(raw.rsrc1, 0, 6) + 1) * kVgprGranule;
  out.first_agpr = (bits(raw.rsrc3, 0, 6) + 1) * kAccumGranule;
  out.split_threads = bit(raw.rsrc3, 16);
  out.round_mode = static_cast<std::uint8_t>(bits(raw.rsrc1, 12, 4));
  out.denormal_mode = static_cast<std::uint8_t>(bits(raw.rsrc1, 16, 4));
  out.dx10_clamp = bit(raw.rsrc1, 21);
  out.ieee_mode = bit(raw.rsrc1, 23);
}

void read_inputs(const Raw& raw, KernelDescriptor& out) {
  out.scratch_enabled = bit(raw.rsrc2, 0);
  out.user_sgprs = bits(raw.rsrc2, 1, 5);
  out.workgroup_id_x = bit(raw.rsrc2, 7);
  out.workgroup_id_y = bit(raw.rsrc2, 8);
  out.workgroup_id_z = bit(raw.rsrc2, 9);
  out.workgroup_info = bit(raw.rsrc2, 10);
  out.workitem_ids = static_cast<std::uint8_t>(bits(raw.rsrc2, 11, 2));
  out.private_buffer = bit(raw.properties, 0);
  out.dispatch_pointer = bit(raw.properties, 1);
  out.queue_pointer = bit(raw.properties, 2);
  out.kernarg_pointer = bit(raw.properties, 3);
  out.dispatch_id = bit(raw.properties, 4);
  out.flat_scratch_init = bit(raw.properties, 5);
  out.private_size = bit(raw.properties, 6);
  out.wave32 = bit(raw.properties, 10);
  out.dynamic_stack = bit(raw.properties, 11);
  out.preload_length = static_cast<std::uint8_t>(bits(raw.preload, 0, 7));
  out.preload_offset = static_cast<std::uint16_t>(bits(raw.preload, 7, 9));
}

}  // namespace

Result<KernelDescriptor> read_kernel_descriptor(ByteView bytes, std::uint64_t offset) {
  const auto raw = bytes.read<Raw>(offset);
  if (!raw) return fail(Errc::corrupt, "a kernel descriptor is outside the code object");
  KernelDescriptor out;
  out.lds_bytes = raw->group;
  out.scratch_bytes = raw->scratch;
  out.kernarg_bytes = raw->kernarg;
  out.entry_offset = raw->entry;
  read_registers(*raw, out);
  read_inputs(*raw, out);
  return out;
}

}  // namespace rpl::isa
