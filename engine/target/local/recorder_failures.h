// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/target/local/recorder_command.h"

namespace rpl::profile {

/// A rocpd database of a run, as far as it can be read.
struct RecordedDatabase {
  enum class State {
    complete,
    no_kernels,  ///< readable, with its process, and without a dispatch
    cut_short,   ///< not readable, or without its process: the recorder ended while it wrote
  };
  std::string path;
  State state = State::complete;
  std::int64_t pid = 0, start_ns = 0;  ///< of its process; 0: unknown
  std::uint64_t dispatches = 0;
  double kernel_ns = 0;  ///< sum of end - start
};

enum class RecorderFailure {
  device_permission,   ///< /dev/kfd may not be opened
  counter_permission,  ///< the GPU could not be locked for counting
  decoder_missing,
  decoder_mismatch,
  trace_buffer_full,
  nothing_traced,   ///< a thread trace of nothing
  counters_busy,    ///< another profiler holds them
  counters_exceed,  ///< more counters than one pass takes
  counter_unknown,
  sampling_unsupported,
  option_unknown,  ///< the recorder is older than the option
  semicolon,       ///< in the command line: ROCm 7.0 cannot store it
  recorder_error,  ///< another "Fatal error" of its own
  hanging,         ///< stopped by the watchdog
  crashed,         ///< the program ended by a signal
  program_failed,  ///< another status than 0
  half_written,
  no_database,
  no_kernels,
};
std::string_view to_string(RecorderFailure failure);
/// The kind of error that it is for who asked for the run.
Errc errc_of(RecorderFailure failure);

struct RecorderFinding {
  RecorderFailure failure;
  std::string message;  ///< a sentence
  std::string hint;     ///< what to type or do next
  bool fatal = false;   ///< there is nothing of this run to go on with
};

/// What is known of a run that ended.
struct RecorderEvidence {
  const RecorderRun* run = nullptr;
  std::vector<std::string> program;  ///< its argument vector
  int code = 0, signal = 0;          ///< the program's, which rocprofv3 passes on
  bool timed_out = false;
  double limit_s = 0;        ///< after which it was stopped
  std::string_view printed;  ///< stderr, on which rocprofv3 says everything, with the program's
  std::vector<RecordedDatabase> databases;
  std::size_t other_files = 0;  ///< thread traces, or files of samples
};

/// What went wrong, the cause before what followed from it; empty for a run as it should be. The texts of rocprofv3 that are looked for are those
/// of ROCm 7.0 to 7.2 as reported in public (documentation and issues).
std::vector<RecorderFinding> explain_run(const RecorderEvidence& evidence);

}  // namespace rpl::profile
