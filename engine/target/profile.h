// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/bound.h"
#include "engine/process/run.h"
#include "engine/target/traits.h"

/// A program that runs on a target while something is recorded of it.
namespace rpl {

struct ProfileRequest {
  std::vector<std::string> argv;
  std::string folder;    ///< of the databases and what is printed; made. Later runs: FOLDER/run_2 …
  std::string cwd = {};  ///< where the program starts, from which a relative path counts; "": here
  std::string code = {};  ///< of the program, code_of_program(); "": unknown
  std::size_t runs = 1;
  std::chrono::milliseconds timeout{0};  ///< of one run; 0: none
  /// Counters to record beside the times, in passes, on an architecture ("gfx942"); empty: none.
  std::function<Result<std::vector<std::vector<std::string>>>(const std::string&)> counters = {};
  std::string trace_kernel = {};  ///< part of a kernel's name; "": no thread trace
  bool only_trace = false;  ///< the thread trace in runs of its own, for a profile that was made
  std::string pc_sampling = {};  ///< see pc_sampling_of(); "": none
  bool hip_calls = true, hsa_calls = false, allocations = true,
       markers = true;        ///< what a recorder on a GPU records beside kernels and copies
  bool from_outside = false;  ///< nothing is recorded: the host's time of the whole process
  bool debug = false;         ///< notes say how it was run
  std::vector<std::string> words = {};  ///< how `profile` is asked for the same on another machine
  std::function<void(OutputStream, std::string_view)> on_line = {};  ///< what the program prints
  std::function<void(const std::string&)> announce = {};  ///< what runs now, where runs are several
};

/// One rank of a job.
struct RankRun {
  std::size_t rank = 0;
  std::string node = {}, job = {}, state = "lost", reason = {};
  std::optional<std::int64_t> exit_code = {};
  std::optional<double> runtime_ms = {};  ///< of its first run
  std::vector<std::string> databases = {};
  std::string folder;
};
inline constexpr auto kRankRunFields =
    bound_to<RankRun>(column<&RankRun::rank>("rank", "its number"),
                      column<&RankRun::node>("node", "that it ran on").or_null(),
                      column<&RankRun::job>("job", "of the cluster").or_null(),
                      column<&RankRun::state>("state", "ok, failed or lost"),
                      column<&RankRun::reason>("reason", "why it is not ok").or_null(),
                      column<&RankRun::exit_code>("exit_code", "of the program").in(Unit::none),
                      column<&RankRun::runtime_ms>("runtime_ms", "of its first run"),
                      column<&RankRun::databases>("databases", "what it recorded"),
                      column<&RankRun::folder>("folder", "of its files"));
inline Columns<RankRun> bound(const RankRun* /*of*/) { return kRankRunFields; }

/// What was run and how it ended: the record "run" of profile.json.
struct RunRecord {
  std::string program = {}, code = {};
  TargetKind target = TargetKind::emu;
  std::string gpu = {};                       ///< the product
  std::optional<std::uint32_t> devices = {};  ///< emulated ones
  std::optional<std::size_t> processes = {};  ///< that used the GPU
  std::string folder = {};
  std::int64_t exit_code = 0;
  bool complete = true;      ///< everything was recorded
  std::string failure = {};  ///< what a kernel, a recorder or a rank failed of
  std::vector<std::string> refused =
      {};  ///< calls that the runtime lacks: "hipGraphCreate (2 times)"
  std::optional<TargetKind> runs_on = {};  ///< of a job on a cluster, as the next two
  std::optional<std::int64_t> requeued = {};
  std::optional<std::vector<RankRun>> ranks = {};
};
inline constexpr auto kRunRecordFields = bound_to<RunRecord>(
    column<&RunRecord::program>("program", "with its arguments"),
    column<&RunRecord::code>("code", "beginning of SHA-256 of the executable").or_null(),
    column<&RunRecord::target>("target", "emu, local or slurm"),
    column<&RunRecord::gpu>("gpu", "the product").or_null(),
    column<&RunRecord::devices>("devices", "emulated ones"),
    column<&RunRecord::processes>("processes", "that used the GPU"),
    column<&RunRecord::folder>("folder", "of all files"),
    column<&RunRecord::exit_code>("exit_code", "of the program").in(Unit::none),
    column<&RunRecord::complete>("complete", "everything was recorded"),
    column<&RunRecord::failure>("failure", "what a kernel died of").or_null(),
    column<&RunRecord::refused>("refused", "calls that the runtime lacks"),
    column<&RunRecord::runs_on>("runs_on", "on a cluster: emu or local").if_known(),
    column<&RunRecord::requeued>("requeued", "how often the job was run again").if_known(),
    column<&RunRecord::ranks>("ranks", "of the job").if_known());
inline Columns<RunRecord> bound(const RunRecord* /*of*/) { return kRunRecordFields; }

/// What a profile found.
struct ProfileRun {
  RunRecord record;
  std::string how = {};  ///< "on 1 x MI300X, emulated: every time below is modelled"
  Provenance times = Provenance::modelled;
  Exit exit = {};  ///< of the first run
  bool failed = false, timed_out = false;
  std::string died_of = {};                 ///< what a kernel died of on the emulated device
  std::optional<Error> nothing = {};        ///< why nothing was recorded that one can go on with
  bool by_program = false;                  ///< that comes from how the program itself ended
  std::vector<std::string> databases = {};  ///< of the first run
  std::string architecture =
      {};  ///< of the GPU with most dispatches, "gfx942"; "" where nothing was measured
  std::vector<double> runtime_ms =
      {};  ///< by run: sum of end - start over all dispatches, or of the process
  std::vector<std::string> thread_traces = {}, samples = {};  ///< folders and files to open
  std::vector<std::string> details = {};                      ///< lines for people
  std::vector<std::string> notes = {};                        ///< about these runs
  std::vector<std::string> disturbances = {};  ///< what disturbs a clock's times on this machine
  std::optional<double> emulation_s = {};      ///< processor time of the first run's kernels
  Value recorded = {};  ///< the document of an earlier profile, where nothing ran
};

/// The first 16 hex digits of SHA-256 of an executable, given by its path; "" where it cannot be read or is larger than 256 MiB.
std::string code_of_program(const std::string& path);
/// Keeps what the program printed as stdout.txt and stderr.txt in the folder; `run` counts from 1.
Status keep_output(const std::string& folder, const Exit& exit, std::size_t run);
/// Says so where the request names a kernel for a thread trace and none has it.
void note_untraced(const ProfileRequest& request, ProfileRun& run);

}  // namespace rpl
