// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

/// What rocprofv3 is asked, as command lines. Nothing is run here. Option names, defaults and limits are those of rocprofv3's documentation
/// (rocprofiler-sdk, ROCm 7.0 to 7.2); none of it was tried on hardware.
namespace rpl::profile {

/// "7.0.2", "7.1.1-38".
struct RocmVersion {
  int major = 0, minor = 0, patch = 0;

  auto operator<=>(const RocmVersion&) const = default;
  /// nullopt for a text that does not begin with a number.
  static std::optional<RocmVersion> parse(std::string_view text);
  [[nodiscard]] std::string text() const;
};

enum class PcSampling {
  none,
  host_trap,  ///< in software: gfx90a and later, interval in microseconds
  stochastic,  ///< in hardware, with reasons of stalls: gfx942 and later, interval in cycles, a power of two
};
/// "host_trap", "stochastic", "" for none. Fails with usage.
Result<PcSampling> pc_sampling_of(std::string_view text);

struct ThreadTraceRequest {
  std::string kernel = {};  ///< a part of the names of the kernels to trace; empty: no thread trace
  std::uint32_t target_cu = 1;  ///< 0 to 15: instructions are traced on this compute unit alone
  std::uint32_t shader_engine_mask = 0x1;
  std::uint64_t buffer_bytes = 0;  ///< 1 MiB to 2 GiB, for all shader engines; 0: rocprofv3's own
  std::string decoder_folder =
      {};  ///< of librocprof-trace-decoder.so; empty: where rocprofv3 looks by itself
};

/// What is to be recorded of a program.
struct RecorderRequest {
  std::string recorder = "rocprofv3";
  std::vector<std::string> argv = {};  ///< the program
  std::string folder = {};             ///< of all files
  bool kernels = true, copies = true, allocations = true, hip = true, hsa = false, markers = true;
  std::vector<std::vector<std::string>> counter_passes =
      {};                      ///< counters of each run; one that fits no pass fails there
  std::size_t first_pass = 1;  ///< the number of the first of them
  ThreadTraceRequest thread_trace = {};
  PcSampling pc_sampling = PcSampling::none;
  std::uint64_t pc_interval = 0;  ///< microseconds or cycles, by method; 0: 100 us, 2^20 cycles
};

/// What one run of the program under the recorder is for.
enum class RunKind {
  trace,     ///< the one whose times count
  counters,  ///< one pass
  thread_trace,
  pc_samples,
};
std::string_view to_string(RunKind kind);

struct RecorderRun {
  RunKind kind = RunKind::trace;
  std::size_t pass = 0;           ///< of counters, from 1; else 0
  std::string folder;             ///< where this run's files go
  std::vector<std::string> argv;  ///< all of it, the program included
  std::vector<std::string> counters = {};
};

/// The runs that a request needs, the one with the traces first. Fails with usage for what rocprofv3 refuses: no program, nothing to record, a
/// compute unit, buffer size or interval out of range, an empty pass; with unsupported for thread traces and databases before ROCm 7.
Result<std::vector<RecorderRun>> recorder_runs(const RecorderRequest& request,
                                               std::optional<RocmVersion> version);

/// A regular expression (ECMAScript, as rocprofv3 takes it) for `text` itself.
std::string as_regex(std::string_view text);

}  // namespace rpl::profile
