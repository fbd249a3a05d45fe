// SPDX-License-Identifier: MIT
#include "engine/device/hip/device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "engine/arch/catalogue.h"
#include "engine/arch/resolve.h"

namespace rpl::emu::hip {
namespace {

/// PCIe 5.0 x16 less its overhead, GB/s; where the architecture file knows no better.
constexpr double kUsualLink = 50;

std::uint32_t whole(const arch::Gpu& gpu, std::string_view key) {
  return gpu.whole(key).value_or(0);
}

std::uint32_t first_device_id(const arch::Gpu& gpu) {
  const arch::Fact* ids = gpu.find("device_ids");
  if (ids == nullptr) return 0;
  if (ids->is_number()) return static_cast<std::uint32_t>(ids->number);
  return static_cast<std::uint32_t>(std::strtoul(ids->text.c_str(), nullptr, 10));
}

}  // namespace

std::string usual_product(isa::Arch arch) {
  return std::string(arch::Catalogue::builtin_usual_product(isa::to_string(arch)));
}

DeviceKind with_xnack(DeviceKind kind) {
  if (std::exchange(kind.xnack, true)) return kind;
  kind.target.back() = '+';
  return kind;
}

int binary_version(const DeviceKind& kind) {
  const isa::Version& version = isa::traits(kind.arch).version;
  return version.major * 10 + version.minor;
}

Result<DeviceKind> device_kind(std::string_view name) {
  const arch::Catalogue& catalogue = arch::Catalogue::builtin();
  arch::Identity identity = TRY(catalogue.named(name));
  if (identity.product.empty()) identity.product = catalogue.usual_product(identity.arch);
  DeviceKind kind;
  kind.gpu = TRY(
      arch::resolve(catalogue, identity.product.empty() ? identity.arch : identity.product, {}));
  const auto known = isa::find_architecture(identity.arch);
  if (!known) {
    std::vector<std::string> emulated;
    for (const isa::Arch arch : isa::by_preference())
      emulated.push_back(fmt::format("{} ({})", usual_product(arch), isa::to_string(arch)));
    return fail(Errc::unsupported, fmt::format("code of {} is not emulated", identity.arch),
                fmt::format("that of {} is", fmt::join(emulated, ", ")));
  }
  kind.arch = *known;
  kind.product = identity.product;
  kind.name = fmt::format("AMD Instinct {} (emulated)", kind.product);
  kind.target = fmt::format("{}:sramecc+:xnack-", identity.arch);
  kind.compute_units = whole(kind.gpu, "compute_units");
  kind.dies = std::max(1U, whole(kind.gpu, "xcds"));
  kind.clock_mhz = whole(kind.gpu, "clock_mhz");
  kind.memory_bytes = static_cast<std::uint64_t>(kind.gpu.number("memory_bytes").value_or(0));
  kind.link_bytes_per_ns = kind.gpu.number("link_gbps").value_or(kUsualLink);
  kind.l2_bytes = static_cast<std::uint64_t>(kind.gpu.number("l2_bytes").value_or(0));
  kind.device_id = first_device_id(kind.gpu);
  kind.lds_bytes = whole(kind.gpu, "lds_workgroup_bytes");
  kind.max_workgroup = whole(kind.gpu, "max_workgroup_size");
  kind.wave_size = whole(kind.gpu, "wave_size");
  const std::uint32_t simds = whole(kind.gpu, "simds_per_cu");
  kind.waves_per_unit = simds * whole(kind.gpu, "waves_per_simd");
  kind.registers_per_item = whole(kind.gpu, "vgprs.wave64");
  kind.registers_per_unit = simds * whole(kind.gpu, "vgprs.wave64") * kind.wave_size;
  return kind;
}

}  // namespace rpl::emu::hip
