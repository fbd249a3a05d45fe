// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/arch/gpu.h"
#include "engine/arch/peaks.h"
#include "engine/base/result.h"
#include "engine/document/derivation.h"

namespace rpl {

/// Whose ceilings a roofline has.
enum class CeilingKind {
  spec,      ///< rates of the architecture files times units and clock
  measured,  ///< what a benchmark reached on the GPU: roofline.csv of rocprof-compute
  user,      ///< spec, with what the user said instead
};
std::string_view to_string(CeilingKind kind);
Result<CeilingKind> ceiling_kind(std::string_view name);

/// One unit and what it computes in.
using ComputeUnit = std::pair<arch::Pipe, arch::DataType>;
/// "matrix f16".
std::string to_string(const ComputeUnit& unit);

/// The roofs, in GB/s and GFLOP/s (GOP/s for integers), each with where it comes from. What is not known is absent.
struct Ceilings {
  CeilingKind kind = CeilingKind::spec;
  std::map<arch::Level, Derivation> bandwidth;
  std::map<ComputeUnit, Derivation> compute;
  std::vector<std::string>
      notes;  ///< what people must know: a fallback, a benchmark that fell short

  [[nodiscard]] std::optional<double> gbps(arch::Level level) const;
  [[nodiscard]] std::optional<double> gflops(const ComputeUnit& unit) const;
};

/// Peaks of the data files. Unknown ones are absent; a GPU of which nothing is known has a note.
Ceilings spec_ceilings(const arch::Gpu& gpu);

/// What a benchmark measured, by column of roofline.csv.
struct MeasuredCeilings {
  std::string path;
  std::int64_t device = 0;
  std::map<arch::Level, double> gbps;
  std::map<ComputeUnit, double> gflops;
};

/// Reads the row of `device` (-1: the first) from rocprof-compute's roofline.csv. Columns are found by name; 0 is "not measured" and left
/// out. Fails with corrupt, io, not_found (no such device), unsupported (no column of a bandwidth).
Result<MeasuredCeilings> read_measured_ceilings(const std::string& path, std::int64_t device);

/// Measured ceilings, and those of `spec` where nothing was measured, which a note says. A compute roof below half the spec is noted: the
/// benchmark did not reach the unit's limit.
Ceilings measured_ceilings(const MeasuredCeilings& measured, const Ceilings& spec);

/// `spec` with one compute roof for all floating-point units; the bandwidth and clock that the user gave are in `gpu` already.
Ceilings user_ceilings(const Ceilings& spec, std::optional<double> peak_gflops);

}  // namespace rpl
