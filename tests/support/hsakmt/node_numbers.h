// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "engine/device/hip/device.h"

/// What drivers say of an emulated device beyond what its architecture file has, and of the host beside it. One answer for every front.
namespace rpl::hsakmt {

struct NodeNumbers {
  std::uint32_t simds_per_unit = 0, engines = 0;  ///< engines: of all dies together
  std::uint32_t units_per_array = 0;              ///< of compute units, rounded up
  std::uint32_t waves_per_simd = 0;
  std::uint32_t copy_engines = 0, copy_queues = 0, compute_queues = 0;
  std::uint64_t memory_width_bits = 0, memory_mhz = 0;
  std::uint32_t l1_bytes = 0, line_bytes = 0;
  std::uint32_t location = 0;  ///< on the PCI bus: bus << 8 | device << 3 | function
  std::uint64_t unique_id = 0;
  std::uint32_t major = 0, minor = 0, stepping = 0;  ///< of the architecture: 9, 0 and 10 of gfx90a
  std::uint32_t address_config = 0;                  ///< the register GB_ADDR_CONFIG
};
NodeNumbers node_numbers(const emu::hip::DeviceKind& kind);

struct HostNumbers {
  std::uint32_t processors = 0;
  std::uint64_t memory_bytes = 0, l2_bytes = 0;
};
HostNumbers host_numbers();

/// The first address of the device's window on its LDS, and of that on its scratch memory; each has 4 GiB.
std::uint64_t lds_aperture();
std::uint64_t scratch_aperture();
inline constexpr std::uint64_t kApertureBytes = std::uint64_t{1} << 32;

/// How far a link between host and device is; AMD's drivers give it to one that crosses PCIe.
inline constexpr std::uint32_t kLinkWeight = 20;
/// AMD's, on the PCI bus.
inline constexpr std::uint32_t kVendor = 0x1002;
/// What the SIMD numbers of a device begin with.
inline constexpr std::uint32_t kFirstSimd = 0x80000000U;

}  // namespace rpl::hsakmt
