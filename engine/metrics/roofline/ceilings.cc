// SPDX-License-Identifier: MIT
#include "engine/metrics/roofline/ceilings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rpl {
namespace {

constexpr double kTooLowForACeiling = 0.5;

std::optional<double> value_in(const auto& table, const auto& key) {
  const auto found = table.find(key);
  return found == table.end() ? std::nullopt : found->second.value;
}

Derivation measured_leaf(std::string name, double value, Unit unit, const MeasuredCeilings& from) {
  Derivation out;
  out.name = std::move(name);
  out.value = value;
  out.unit = unit;
  out.source = fmt::format("{}, device {}", from.path, from.device);
  out.provenance = Provenance::measured;
  return out;
}

bool is_float(arch::DataType type) {
  return type != arch::DataType::i8 && type != arch::DataType::i4;
}

}  // namespace

std::string_view to_string(CeilingKind kind) {
  switch (kind) {
    case CeilingKind::spec:
      return "spec";
    case CeilingKind::measured:
      return "measured";
    case CeilingKind::user:
      return "user";
  }
  return "spec";
}

Result<CeilingKind> ceiling_kind(std::string_view name) {
  for (const CeilingKind kind : {CeilingKind::spec, CeilingKind::measured, CeilingKind::user}) {
    if (to_string(kind) == name) return kind;
  }
  return fail(Errc::usage, fmt::format("'{}' is not a kind of ceilings", name),
              "spec, measured or user");
}

std::string to_string(const ComputeUnit& unit) {
  return fmt::format("{} {}", to_string(unit.first), to_string(unit.second));
}

std::optional<double> Ceilings::gbps(arch::Level level) const { return value_in(bandwidth, level); }
std::optional<double> Ceilings::gflops(const ComputeUnit& unit) const {
  return value_in(compute, unit);
}

Ceilings spec_ceilings(const arch::Gpu& gpu) {
  Ceilings out;
  for (const arch::Level level : arch::kLevels) {
    if (auto peak = arch::peak_bandwidth(gpu, level))
      out.bandwidth.emplace(level, std::move(*peak));
  }
  for (const arch::Pipe pipe : {arch::Pipe::vector, arch::Pipe::matrix}) {
    for (const arch::DataType type : arch::kDataTypes) {
      if (auto peak = arch::peak_flops(gpu, type, pipe))
        out.compute.emplace(ComputeUnit{pipe, type}, std::move(*peak));
    }
  }
  if (out.bandwidth.empty() && out.compute.empty()) {
    out.notes.push_back(fmt::format("no peak of {} is known: 'set arch file' adds an architecture",
                                    gpu.arch.empty() ? "the GPU" : gpu.title()));
  }
  return out;
}

Ceilings measured_ceilings(const MeasuredCeilings& measured, const Ceilings& spec) {
  Ceilings out = spec;
  out.kind = CeilingKind::measured;
  out.notes.clear();
  std::vector<std::string> fallbacks;
  for (const auto& [level, gbps] : measured.gbps) {
    out.bandwidth[level] = measured_leaf(fmt::format("measured_{}_gbps", to_string(level)), gbps,
                                         Unit::gbps, measured);
  }
  for (const auto& [level, peak] : spec.bandwidth) {
    if (!measured.gbps.contains(level)) fallbacks.emplace_back(to_string(level));
  }
  for (const auto& [unit, gflops] : measured.gflops) {
    out.compute[unit] = measured_leaf(
        fmt::format("measured_{}_{}_gflops", to_string(unit.first), to_string(unit.second)), gflops,
        Unit::gflops, measured);
    const auto peak = spec.gflops(unit);
    if (peak && gflops < kTooLowForACeiling * *peak) {
      out.notes.push_back(
          fmt::format("the benchmark reached {:.0f} % of the {} peak only: too low for a ceiling",
                      100 * gflops / *peak, to_string(unit)));
    }
  }
  for (const auto& [unit, peak] : spec.compute) {
    if (!measured.gflops.contains(unit)) fallbacks.push_back(to_string(unit));
  }
  if (!fallbacks.empty()) {
    out.notes.push_back(fmt::format("not measured, so these are from the specification: {}",
                                    fmt::join(fallbacks, ", ")));
  }
  return out;
}

Ceilings user_ceilings(const Ceilings& spec, std::optional<double> peak_gflops) {
  Ceilings out = spec;
  out.kind = CeilingKind::user;
  if (!peak_gflops) return out;
  for (auto& [unit, peak] : out.compute) {
    if (!is_float(unit.second)) continue;
    peak = Derivation{};
    peak.name = "peak_gflops";
    peak.value = *peak_gflops;
    peak.unit = Unit::gflops;
    peak.source = "--peak-gflops";
    peak.provenance = Provenance::estimated;
  }
  return out;
}

}  // namespace rpl
