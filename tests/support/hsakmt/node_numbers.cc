// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/node_numbers.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "engine/device/execute/state/machine.h"

namespace rpl::hsakmt {
namespace {

// The last two characters of an architecture's name are minor version and stepping, in hexadecimal.
std::uint32_t digits(std::string_view text, int base) {
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

std::uint64_t positive(long value) { return static_cast<std::uint64_t>(std::max(0L, value)); }

}  // namespace

NodeNumbers node_numbers(const emu::hip::DeviceKind& kind) {
  constexpr std::uint32_t kSimds = 4, kUsualUnits = 14, kEnginesOfDie = 4;
  NodeNumbers out;
  out.simds_per_unit = kSimds;
  // A die of several has four shader engines; one that is alone has eight.
  out.engines = kind.dies > 1 ? kind.dies * kEnginesOfDie
                              : std::max(1U, (kind.compute_units + kUsualUnits - 1) / kUsualUnits);
  out.units_per_array = (kind.compute_units + out.engines - 1) / out.engines;
  out.waves_per_simd = kind.waves_per_unit / kSimds;
  out.copy_engines = 2;
  out.copy_queues = 8;
  out.compute_queues = 24;
  out.memory_width_bits = 4096;
  out.memory_mhz = 1600;
  out.l1_bytes = 16384;
  out.line_bytes = 128;
  out.location = 0x100;
  out.unique_id = 0x52504c00;
  const std::string_view name = isa::traits(kind.arch).name, version = name.substr(3);
  out.major = digits(version.substr(0, version.size() - 2), 10);
  out.minor = digits(version.substr(version.size() - 2, 1), 16);
  out.stepping = digits(version.substr(version.size() - 1), 16);
  out.address_config = 0x2a114042;
  return out;
}

HostNumbers host_numbers() {
  return {.processors = static_cast<std::uint32_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN))),
          .memory_bytes = positive(::sysconf(_SC_PHYS_PAGES)) * positive(::sysconf(_SC_PAGESIZE)),
          .l2_bytes = positive(::sysconf(_SC_LEVEL2_CACHE_SIZE))};
}

std::uint64_t lds_aperture() { return std::uint64_t{emu::kSharedBaseHigh} << 32; }
std::uint64_t scratch_aperture() { return std::uint64_t{emu::kPrivateBaseHigh} << 32; }

}  // namespace rpl::hsakmt
