// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/capture/launch_plan.h"
#include "engine/source/text/declarations.h"
#include "engine/source/text/header_edit.h"

namespace rpl {

/// What may hold a kernel back, as rules address it. The label of engine/metrics/diagnose that goes with each: `latency bound`, `memory-bandwidth
/// bound`, `latency bound` (of LDS), `compute throughput limited`, `under-occupied`.
enum class Bottleneck { memory_latency, memory_bandwidth, lds, compute, occupancy };
/// "memory latency", "memory bandwidth", "LDS", "compute", "occupancy".
std::string_view to_string(Bottleneck bottleneck);
std::optional<Bottleneck> bottleneck_named(std::string_view name);

/// A pointer that a captured dispatch passed.
struct CapturedPointer {
  std::uint64_t address = 0;
  std::uint64_t region_begin = 0, region_end = 0;  ///< the allocation that it lies in
  bool of_variable = false;                        ///< that is memory of a `__device__` variable
};

/// What captured launches of a kernel were like. A rule that builds on it holds for them alone.
struct LaunchFacts {
  std::array<std::uint32_t, 3> workgroup{1, 1, 1};  ///< work-items
  std::array<std::uint32_t, 3> grid{1, 1, 1};       ///< work-items
  std::uint32_t wave_size = 0;                      ///< lanes; 0: unknown
  std::vector<std::optional<CapturedPointer>>
      parameters;       ///< by position; none: no pointer into captured memory
  std::string capture;  ///< how people call it
  std::string next_kernel =
      {};  ///< the kernel of the dispatch that followed directly, launched alike; "" for none, or unknown
  [[nodiscard]] std::uint64_t work_items() const {
    return std::uint64_t{1} * workgroup[0] * workgroup[1] * workgroup[2];
  }
};

/// A kernel in its file, as a rule sees it. Everything is borrowed.
struct KernelCase {
  const SourceText& text;
  const SourceDeclarations& declared;
  const SourceKernel& kernel;
  std::string_view reference;  ///< how the kernel was named: find_kernel() finds it by this
  const LaunchFacts* launches = nullptr;  ///< null: nothing was captured
  bool assume_captured = false;  ///< what holds for captured launches may be taken to hold for all
};

/// One edit that a rule offers: a whole file to build, in which only the body of the kernel differs, or its header by `header`, or nothing
/// and `flags` are added.
struct RuleEdit {
  std::string rule;      ///< "loop-unroll"
  int factor = 0;        ///< of loop-unroll: iterations in one; 1 forbids the compiler to unroll
  std::size_t line = 0;  ///< 1-based, of the place in the original file
  std::string title;     ///< "unroll the loop in line 11 by 4"
  std::string why;       ///< one sentence: what it is hoped to change
  std::string source;    ///< the whole patched file; the guard accepts it
  bool bit_exact =
      true;  ///< results must be equal to the last bit; else within the tolerance of their type
  std::string assumes =
      {};  ///< what only captured launches prove; "" for an edit that always holds
  std::optional<HeaderEdit> header = std::nullopt;  ///< the edit is this one of the header
  std::vector<std::string> flags = {};              ///< for the compiler, behind the others
  bool fuses =
      false;  ///< the source has one kernel more, which takes the place of this one and the one after it
  LaunchPlan launch =
      {};  ///< how it is launched otherwise; whoever keeps the edit writes that into the file
};

/// A place, or the kernel, for which a rule offers nothing.
struct RuleRefusal {
  std::size_t line = 0;   ///< 1-based, in the original file
  std::string reason;     ///< one sentence without a final period
  std::string rule = {};  ///< which rule
  bool wants_consent =
      false;  ///< it offers something where what holds for captured launches may be taken to hold always
};

struct RuleOutcome {
  std::vector<RuleEdit> edits;
  std::vector<RuleRefusal> refusals;
};

}  // namespace rpl
