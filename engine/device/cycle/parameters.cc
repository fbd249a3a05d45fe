// SPDX-License-Identifier: MIT
#include "engine/device/cycle/parameters.h"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "engine/arch/peaks.h"
#include "engine/arch/resolve.h"

namespace rpl::cycle {
namespace {

/// Takes values of a GPU, and keeps the first that is missing.
class Values {
 public:
  explicit Values(const arch::Gpu& gpu) : gpu_(gpu) {}

  double number(std::string_view key) {
    const arch::Fact* fact = gpu_.find(key);
    if (fact != nullptr && fact->origin != arch::Origin::file) changed_ = true;
    if (fact != nullptr && fact->is_number()) return fact->number;
    if (missing_.empty()) missing_ = key;
    return 1;
  }
  std::uint32_t whole(std::string_view key) { return static_cast<std::uint32_t>(number(key)); }
  std::uint64_t bytes(std::string_view key) { return static_cast<std::uint64_t>(number(key)); }
  [[nodiscard]] bool has(std::string_view key) const { return gpu_.find(key) != nullptr; }
  std::uint32_t whole_or_zero(std::string_view key) { return has(key) ? whole(key) : 0; }
  /// Bytes a cycle of the whole device.
  double bandwidth(arch::Level level) {
    const std::string key = fmt::format("bandwidth.{}", arch::to_string(level));
    number(key);
    const auto peak = arch::peak_bandwidth(gpu_, level);
    return peak ? peak->value.value_or(0) * 1e3 / number("clock_mhz") : 1;
  }

  [[nodiscard]] Status status() const {
    if (missing_.empty()) return {};
    return fail(Errc::not_found,
                fmt::format("the cycle model needs {} of {}, which no architecture file has",
                            missing_, gpu_.title()),
                "docs/architectures.md says how to add it; 'info arch' shows what there is");
  }
  [[nodiscard]] bool changed() const { return changed_; }

 private:
  const arch::Gpu& gpu_;
  std::string missing_;
  bool changed_ = false;
};

void take_limits(Values& v, Parameters& p) {
  p.clock_mhz = v.number("clock_mhz");
  p.compute_units = v.whole("compute_units");
  p.xcds = std::max(1U, v.whole("xcds"));
  p.simds = v.whole("simds_per_cu");
  p.waves_per_simd = v.whole("waves_per_simd");
  p.vgprs = v.whole("vgprs.wave64");
  p.vgpr_granule = v.whole("vgpr_granule.wave64");
  p.lds_bytes = v.whole("lds_bytes");
  p.lds_granule = v.whole("lds_granule");
  p.workgroups_per_cu = v.whole("workgroups_per_cu");
}

void take_instructions(Values& v, Parameters& p) {
  p.issue = v.whole("cycle.issue");
  p.transcendental = v.whole("cycle.transcendental");
  p.wide_multiply = v.whole("cycle.wide_multiply");
  p.lane_swap = v.whole("cycle.lane_swap");
  p.lds_write = v.whole("cycle.lds_write");
  p.matrix_pass = v.whole("cycle.matrix_pass");
  p.matrix_result = v.whole("cycle.matrix_result");
  p.gap_vector_memory = v.whole("cycle.gap.vector_memory");
  p.gap_scalar_branch = v.whole("cycle.gap.scalar_branch");
  p.gap_vector_scalar = v.whole("cycle.gap.vector_scalar");
  p.gap_branch_taken = v.whole("cycle.gap.branch_taken");
  p.wave_start = v.whole("cycle.wave_start");
  p.wave_launch = v.whole("cycle.wave_launch");
  p.launch = v.whole("cycle.launch");
  p.drain = v.whole("cycle.drain");
  if (v.has("cycle.workgroup_launch")) p.workgroup_launch = v.number("cycle.workgroup_launch");
  p.vmem_queue = v.whole("cycle.queue.vmem");
  p.lds_queue = v.whole("cycle.queue.lds");
  p.assumed_load = v.whole_or_zero("cycle.assumed.load");
  p.assumed_store = v.whole_or_zero("cycle.assumed.store");
  p.assumed_scalar = v.whole_or_zero("cycle.assumed.scalar");
  p.assumed_service = v.whole_or_zero("cycle.assumed.service");
  p.assumed_mall = v.whole_or_zero("cycle.assumed.mall");
}

void take_bands(Values& v, const arch::Gpu& gpu, Bands& out) {
  const auto known = [&](std::string_view what, TimeClass one) {
    const std::string key = fmt::format("band.{}.{}", what, to_string(one));
    return gpu.find(key) == nullptr ? 0 : v.number(key);
  };
  for (std::size_t i = 0; i < kTimeClasses; ++i) {
    out.low[i] = known("low", static_cast<TimeClass>(i));
    out.high[i] = known("high", static_cast<TimeClass>(i));
    out.ratio[i] = known("ratio", static_cast<TimeClass>(i));
  }
}

void take_memory(Values& v, const arch::Gpu& gpu, Parameters& p) {
  using arch::Level;
  p.lds_latency = v.whole("cycle.latency.lds");
  p.scalar_latency = v.whole("cycle.latency.scalar");
  p.l1_latency = v.whole("cycle.latency.vl1d");
  p.l2_latency = v.whole("cycle.latency.l2");
  p.store_latency = v.whole("cycle.latency.store");
  p.hbm_latency = v.whole("cycle.latency.hbm");
  p.l1_line = v.whole("line.vl1d");
  p.l2_line = v.whole("line.l2");
  p.l1_bytes = v.whole("vl1d_bytes");
  p.scalar_cache_bytes = v.whole("scalar_cache_bytes");
  p.instruction_cache_bytes = v.whole_or_zero("instruction_cache_bytes");
  p.l2_bytes = v.bytes("l2_bytes");
  p.l1_bandwidth = v.bandwidth(Level::vl1d) / p.compute_units * v.number("cycle.share.vl1d");
  p.fill_bandwidth = v.bandwidth(Level::vl1d) / p.compute_units * v.number("cycle.share.l2");
  if (gpu.find("cycle.write_cost") != nullptr) p.write_cost = v.number("cycle.write_cost");
  if (gpu.find("cycle.channel") != nullptr) p.channel_bandwidth = v.number("cycle.channel");
  if (gpu.find("cycle.atomic") != nullptr) p.atomic = v.number("cycle.atomic");
  if (gpu.find("cycle.l1_scatter") != nullptr) p.l1_scatter = v.number("cycle.l1_scatter");
  if (gpu.find("cycle.l2_channel") != nullptr) p.l2_channel = v.number("cycle.l2_channel");
  p.l2_channels = std::max(1U, v.whole_or_zero("l2_channels"));
  p.store_conflict = v.whole_or_zero("cycle.store_conflict");
  p.lds_bandwidth = v.bandwidth(Level::lds) / p.compute_units;
  p.l2_bandwidth = v.bandwidth(Level::l2) * v.number("cycle.share.l2");
  p.hbm_bandwidth = v.bandwidth(Level::hbm) * v.number("cycle.share.hbm");
  if (gpu.find("mall_bytes") == nullptr) return;
  p.mall_bytes = v.bytes("mall_bytes");
  p.mall_latency = v.whole("cycle.latency.mall");
  const double peak = gpu.find("bandwidth.mall") != nullptr
                          ? v.bandwidth(Level::mall)
                          : v.number("cycle.mall_gbps") * 1e3 / p.clock_mhz;
  p.mall_bandwidth = peak * v.number("cycle.share.mall");
}

}  // namespace

Result<Parameters> parameters_of(const arch::Gpu& gpu) {
  Parameters p;
  p.arch = gpu.arch;
  p.product = gpu.product;
  Values values(gpu);
  take_limits(values, p);
  take_instructions(values, p);
  take_memory(values, gpu, p);
  take_bands(values, gpu, p.bands);
  for (const arch::DataType type : arch::kDataTypes) {
    const std::string key = fmt::format("flops.matrix.{}", arch::to_string(type));
    if (gpu.find(key) != nullptr) p.matrix_flops.emplace(arch::to_string(type), values.number(key));
  }
  TRY(values.status());
  p.name = fmt::format("{} {}{}", kModel, p.product.empty() ? p.arch : p.product,
                       values.changed() ? ", changed" : "");
  return p;
}

Result<Parameters> parameters_named(const arch::Catalogue& catalogue, std::string_view gpu) {
  arch::Identity identity = TRY(catalogue.named(gpu));
  const std::string name = identity.product.empty()
                               ? std::string(catalogue.usual_product(identity.arch))
                               : identity.product;
  return parameters_of(TRY(arch::resolve(catalogue, name.empty() ? identity.arch : name, {})));
}

Result<const Parameters*> builtin_parameters(std::string_view gpu) {
  static std::mutex mutex;
  static std::map<std::string, Parameters, std::less<>> known;
  const std::lock_guard lock(mutex);
  if (const auto at = known.find(gpu); at != known.end()) return &at->second;
  Parameters made = TRY(parameters_named(arch::Catalogue::builtin(), gpu));
  return &known.emplace(std::string(gpu), std::move(made)).first->second;
}

}  // namespace rpl::cycle
