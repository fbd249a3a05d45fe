// SPDX-License-Identifier: MIT
#include "engine/arch/peaks.h"

#include <fmt/format.h>

namespace rpl::arch {
namespace {

Result<const Fact*> known(const Gpu& gpu, std::string_view key) {
  const Fact* fact = gpu.find(key);
  if (fact != nullptr && fact->is_number()) return fact;
  return fail(Errc::not_found, fmt::format("{} of {} is unknown", key, gpu.title()),
              fmt::format("'set arch values {}=…' gives it", key));
}

/// The tree of a product of facts, the clock in MHz among them, scaled to 1e9 a second.
Result<Derivation> product(const Gpu& gpu, std::string_view rate,
                           std::initializer_list<std::string_view> factors) {
  Derivation out;
  out.provenance = Provenance::estimated;
  out.source = gpu.title();
  double value = 1e-3;
  const auto take = [&](std::string_view key) -> Status {
    const Fact* fact = TRY(known(gpu, key));
    value *= fact->number;
    out.formula += fmt::format("{}{}", out.formula.empty() ? "" : " * ", key);
    out.inputs.push_back(derivation_of(*fact));
    return {};
  };
  TRY(take(rate));
  for (const std::string_view key : factors) TRY(take(key));
  TRY(take("clock_mhz"));
  out.formula += " / 1000";
  out.value = value;
  return out;
}

}  // namespace

std::string_view to_string(DataType type) {
  constexpr std::array<std::string_view, kDataTypes.size()> names{
      "f64", "f32", "f32_single", "xf32", "f16", "bf16", "f8", "f6", "f4", "i8", "i4"};
  return names[static_cast<std::size_t>(type)];
}

std::string_view to_string(Pipe pipe) { return pipe == Pipe::vector ? "vector" : "matrix"; }

std::string_view to_string(Level level) {
  constexpr std::array<std::string_view, kLevels.size()> names{"lds", "vl1d", "l2", "mall", "hbm"};
  return names[static_cast<std::size_t>(level)];
}

Derivation derivation_of(const Fact& fact) {
  Derivation out;
  out.name = fact.key;
  out.value = fact.number;
  out.unit_text = fact.unit;
  out.source = source_text(fact);
  // A recording says what the driver reports; a file or a person gives a claim.
  out.provenance = fact.origin == Origin::recording ? Provenance::recorded : Provenance::estimated;
  return out;
}

Result<Derivation> peak_flops(const Gpu& gpu, DataType type, Pipe pipe) {
  const std::string key = fmt::format("flops.{}.{}", to_string(pipe), to_string(type));
  Derivation out = TRY(product(gpu, key, {"compute_units"}));
  out.name = fmt::format("peak_{}_{}_gflops", to_string(pipe), to_string(type));
  out.unit = Unit::gflops;
  return out;
}

Result<Derivation> peak_bandwidth(const Gpu& gpu, Level level) {
  const std::string key = fmt::format("bandwidth.{}", to_string(level));
  const Fact* rate = TRY(known(gpu, key));
  Derivation out;
  if (rate->unit == "GB/s") {
    out = derivation_of(*rate);
  } else if (rate->unit == "B/clk/CU") {
    out = TRY(product(gpu, key, {"compute_units"}));
  } else if (rate->unit == "B/clk/XCD") {
    out = TRY(product(gpu, key, {"xcds"}));
  } else {
    out = TRY(product(gpu, key, {}));
  }
  out.name = fmt::format("peak_{}_gbps", to_string(level));
  out.unit = Unit::gbps;
  return out;
}

}  // namespace rpl::arch
