// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/arch/gpu.h"
#include "engine/isa/object/code_object.h"
#include "engine/isa/traits/architecture.h"

namespace rpl::emu::hip {

/// One kind of emulated device: what the HIP interface says about it. Numbers come from the architecture files (engine/arch/data).
struct DeviceKind {
  arch::Gpu gpu;
  isa::Arch arch{};
  std::string product;  ///< "MI300X"
  std::string name;     ///< "AMD Instinct MI300X (emulated)"
  std::string target;   ///< "gfx942:sramecc+:xnack-"
  bool xnack = false;   ///< kernels may use all memory of the host
  std::uint32_t compute_units = 0;
  std::uint32_t dies = 1;  ///< XCDs
  std::uint32_t clock_mhz = 0;
  std::uint64_t memory_bytes = 0;
  double link_bytes_per_ns = 0;  ///< between host and device
  std::uint64_t l2_bytes = 0;
  std::uint32_t device_id = 0;  ///< PCI
  std::uint32_t lds_bytes = 0, max_workgroup = 0, wave_size = 0, waves_per_unit = 0,
                registers_per_unit = 0, registers_per_item = 0;
};

/// "MI300X", "gfx942", "MI250X" …, letter case aside; an architecture alone is its usual product.
/// Fails with not_found for an unknown name, and with unsupported for an architecture whose code the emulator does not execute.
Result<DeviceKind> device_kind(std::string_view name);

/// The same device with XNACK on: page faults of kernels are served, and its target says so.
DeviceKind with_xnack(DeviceKind kind);

/// The product that stands for an architecture when none is named: "MI300X".
std::string usual_product(isa::Arch arch);

/// What HIP calls the version of its code: 94 of gfx942.
int binary_version(const DeviceKind& kind);

}  // namespace rpl::emu::hip
