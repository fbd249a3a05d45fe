// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/process/run.h"
#include "engine/target/capabilities.h"
#include "engine/target/local/recorder_command.h"
#include "engine/target/local/recorder_failures.h"

/// Running programs under rocprofv3.
namespace rpl::profile {

/// The rocprofv3 of a machine.
struct Recorder {
  std::string path;
  std::string checker;                 ///< rocprofv3-avail; "" without one
  std::optional<RocmVersion> version;  ///< of its ROCm; nullopt where nothing says
  std::string
      decoder_folder;  ///< of librocprof-trace-decoder.so, where rocprofv3 would not find it by itself
};

/// Looks once; nothing is run. Fails with missing_capability: no rocprofv3, or a machine whose only GPUs are NVIDIA's.
Result<Recorder> find_recorder(const MachineView& machine);

/// Passes that this GPU takes: as planned where `rocprofv3-avail pmc-check` agrees or is not there; one that it refuses is halved until it fits.
struct CheckedPasses {
  std::vector<std::vector<std::string>> passes;
  std::vector<std::string> refused;  ///< counters that do not even fit alone
  bool checked = false;              ///< pmc-check was asked
};
/// Fails with interrupted.
Result<CheckedPasses> check_passes(const Recorder& recorder,
                                   const std::vector<std::vector<std::string>>& planned);

struct RecordOptions {
  std::string cwd = {};
  std::chrono::milliseconds timeout{0};  ///< of this run; zero: none
  std::function<void(OutputStream, std::string_view)> on_line =
      {};  ///< what the program and rocprofv3 print
};

/// One run, and what came of it.
struct RecordedRun {
  RecorderRun run;
  Exit exit;
  std::vector<RecordedDatabase> databases;  ///< of this run alone, by process
  std::vector<std::string> files;           ///< thread traces (folders), or files of samples
  std::vector<RecorderFinding> findings;    ///< what went wrong

  /// The readable databases with kernels.
  [[nodiscard]] std::vector<std::string> usable() const;
  /// The finding after which nothing of this run is left, or null.
  [[nodiscard]] const RecorderFinding* fatal() const;
};

/// Runs the program under the recorder, in a process group of its own, and finds what it left in the run's folder, which is made. After a
/// Ctrl-C the group is ended, and the error says where what was recorded until then lies. Fails with not_found or denied when it cannot start.
Result<RecordedRun> record(const RecorderRequest& request, const RecorderRun& run,
                           const RecordOptions& options);

/// What left a run with nothing to go on with: the cause, which comes first, and where the rest of what was printed is. `run` has a finding.
Error error_of(const RecordedRun& run);

/// How long a counting run may take, after one without counters took `wall`: a set that is too large may hang for ever.
std::chrono::milliseconds counting_limit(std::chrono::nanoseconds wall);

/// Whether a line on stderr is the recorder's own rather than the program's.
bool recorder_says(std::string_view line);

/// The architecture of the GPU with most dispatches: "gfx942"; "" where the database does not say.
std::string recorded_architecture(const std::string& database);

}  // namespace rpl::profile
