// SPDX-License-Identifier: MIT
#include "engine/device/hip/api/properties.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace rpl::emu::hip {
namespace {

constexpr int kMaxGrid = std::numeric_limits<int>::max();
constexpr std::uint32_t kFeatures =
    0x7ffff & ~(1U << 18);  ///< hipDeviceArch_t: all but dynamic parallelism
constexpr int kFirstBus = 3, kAlignment = 256;

/// 942 of gfx942, 910 of gfx90a: the last digit of the name is hexadecimal.
int gcn_arch(const DeviceKind& kind) {
  const char last = isa::traits(kind.arch).name.back();
  return binary_version(kind) * 10 + (last >= 'a' ? last - 'a' + 10 : last - '0');
}

/// Of the vector units' peaks.
int single_to_double(const DeviceKind& kind) {
  const double one = kind.gpu.number("flops.vector.f32").value_or(0),
               two = kind.gpu.number("flops.vector.f64").value_or(0);
  return two > 0 ? static_cast<int>(one / two) : 0;
}

template <std::size_t kSize>
void put(char (&field)[kSize], const std::string& text) {
  std::memcpy(field, text.data(), std::min(text.size(), kSize - 1));
}

/// The members that both layouts have under one name.
template <class P>
void fill(P& p, const DeviceKind& kind, int ordinal) {
  put(p.name, kind.name);
  put(p.gcn_arch_name, kind.target);
  p.total_global_memory = kind.memory_bytes;
  p.shared_per_block = kind.lds_bytes;
  p.shared_per_multiprocessor = kind.lds_bytes;
  p.registers_per_block = static_cast<int>(kind.registers_per_unit);
  p.warp_size = static_cast<int>(kind.wave_size);
  p.max_threads_per_block = static_cast<int>(kind.max_workgroup);
  for (int i = 0; i < 3; ++i) {
    p.max_threads_dim[i] = static_cast<int>(kind.max_workgroup);
    // Work-items of a grid are counted in 32 bits, and y and z of workgroups in 16.
    p.max_grid_size[i] = i == 0 ? kMaxGrid : 65536;
  }
  p.clock_khz = static_cast<int>(kind.clock_mhz) * 1000;
  p.total_constant_memory = std::size_t{1} << 31;
  p.major = isa::traits(kind.arch).version.major;
  p.minor = isa::traits(kind.arch).version.minor;
  p.multiprocessors = static_cast<int>(kind.compute_units);
  p.l2_bytes = static_cast<int>(kind.l2_bytes);
  p.max_threads_per_multiprocessor = static_cast<int>(kind.waves_per_unit * kind.wave_size);
  p.wall_clock_khz = isa::traits(kind.arch).wall_clock_khz;
  p.features = kFeatures;
  p.concurrent_kernels = 1;
  p.cooperative_launch = 1;
  p.pci_bus = kFirstBus + ordinal;
  p.can_map_host_memory = 1;
  p.memory_pitch = std::numeric_limits<int>::max();
  p.texture_alignment = p.texture_pitch_alignment = kAlignment;
  p.managed_memory = 1;
  // With XNACK on a kernel's page faults are served, from the page tables of the host.
  p.pageable_access = p.pageable_uses_host_tables = kind.xnack ? 1 : 0;
  p.concurrent_managed_access = 1;
  p.large_bar = 1;
}

}  // namespace

abi::PropertiesR0000 properties_r0000(const DeviceKind& kind, int ordinal) {
  abi::PropertiesR0000 p{};
  fill(p, kind, ordinal);
  p.gcn_arch = gcn_arch(kind);
  return p;
}

abi::PropertiesR0600 properties_r0600(const DeviceKind& kind, int ordinal) {
  abi::PropertiesR0600 p{};
  fill(p, kind, ordinal);
  p.shared_per_multiprocessor_amd = kind.lds_bytes;
  p.shared_per_block_optin = kind.lds_bytes;
  p.registers_per_multiprocessor = static_cast<int>(kind.registers_per_unit);
  p.surface_alignment = kAlignment;
  p.global_l1 = p.local_l1 = p.host_native_atomics = p.host_pointer_for_registered = 1;
  p.single_to_double = single_to_double(kind);
  p.device_overlap = p.unified_addressing = p.host_register = p.stream_priorities = p.memory_pools =
      1;
  p.async_engines = 2;
  p.max_blocks_per_multiprocessor = static_cast<int>(kind.waves_per_unit);
  p.uuid[0] = static_cast<char>(ordinal + 1);
  return p;
}

std::optional<int> attribute(const DeviceKind& kind, int ordinal, int number) {
  const isa::Traits& traits = isa::traits(kind.arch);
  constexpr int kLast = 91, kAmdFirst = 10000, kAmdLast = 10020;
  const auto whole = [](auto value) {
    return static_cast<int>(std::min<std::uint64_t>(value, kMaxGrid));
  };
  switch (number) {
    case 3:
    case 4:
    case 8:
    case 9:
    case 10:
    case 12:
    case 14:
    case 15:
    case 20:
    case 24:
    case 78:
    case 85:
    case 88:
    case 90:
      return 1;
    case 65:
    case 66:
      return kind.xnack ? 1 : 0;
    case 77:
      return single_to_double(kind);
    case 10003:
      return gcn_arch(kind);
    case 10019:
      return whole(kind.registers_per_item);
    case 2:
      return 2;
    case 5:
      return whole(kind.clock_mhz * 1000U);
    case 19:
      return whole(kind.l2_bytes);
    case 23:
      return traits.version.major;
    case 25:
      return whole(kind.waves_per_unit);
    case 26:
    case 27:
    case 28:
    case 55:
    case 56:
      return whole(kind.max_workgroup);
    case 29:
      return kMaxGrid;
    case 30:
    case 31:
      return 65536;
    case 57:
      return whole(kind.waves_per_unit * kind.wave_size);
    case 58:
      return kMaxGrid;
    case 61:
      return traits.version.minor;
    case 63:
    case 10015:
      return whole(kind.compute_units);
    case 67:
      return kFirstBus + ordinal;
    case 71:
    case 72:
      return whole(kind.registers_per_unit);
    case 74:
    case 75:
    case 76:
    case 10002:
      return whole(kind.lds_bytes);
    case 79:
    case 81:
    case 82:
      return kAlignment;
    case 83:
    case 84:
      return kMaxGrid;
    case 87:
      return whole(kind.wave_size);
    case 10000:
    case 10017:
      return traits.wall_clock_khz;
    case 10011:
    case 10016:
      return 1;
    case 10018:
      return whole(kind.dies);
    case 10020:
      return whole(kind.device_id);
    default:
      break;
  }
  if ((number >= 0 && number <= kLast) || (number >= kAmdFirst && number <= kAmdLast)) return 0;
  return std::nullopt;
}

}  // namespace rpl::emu::hip
