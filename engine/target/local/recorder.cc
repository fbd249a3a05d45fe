// SPDX-License-Identifier: MIT
#include "engine/target/local/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/store/foreign.h"
#include "engine/target/local/recorder_files.h"
#include "engine/target/machine_files.h"

namespace rpl::profile {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// The version of the ROCm that a program belongs to: PREFIX/.info/version beside PREFIX/bin.
std::optional<RocmVersion> version_beside(const MachineFiles& files, const std::string& program) {
  std::error_code error;
  const fs::path real = fs::canonical(files.at(program), error);
  const fs::path prefix = (error ? fs::path(files.at(program)) : real).parent_path().parent_path();
  const MachineView itself;
  const auto line = MachineFiles(itself).line((prefix / ".info/version").string());
  return line ? RocmVersion::parse(*line) : std::nullopt;
}

/// Whether rocprofv3 looks there without being told.
bool found_by_itself(const std::string& library, const MachineView& machine) {
  const std::string folder = fs::path(library).parent_path().string();
  return folder == "/opt/rocm/lib" ||
         (":" + machine.library_path + ":").find(":" + folder + ":") != std::string::npos;
}

/// The time for which a set of counters is looked at.
constexpr auto kCheckTime = 30s;

Result<bool> fits(const Recorder& recorder, const std::vector<std::string>& counters) {
  Spawn spawn{
      .argv = {recorder.checker, "pmc-check"}, .program = Program::tool, .timeout = kCheckTime};
  spawn.argv.insert(spawn.argv.end(), counters.begin(), counters.end());
  auto ended = run(spawn);
  if (!ended && ended.error().code == Errc::interrupted) return std::move(ended).failure();
  // A checker that does not work says nothing about the set.
  return !ended || ended->timed_out || ended->code == 0;
}

Status add_fitting(const Recorder& recorder, std::vector<std::string> pass, CheckedPasses& out) {
  if (TRY(fits(recorder, pass))) {
    out.passes.push_back(std::move(pass));
    return {};
  }
  if (pass.size() == 1) {
    out.refused.push_back(pass.front());
    return {};
  }
  const auto middle = pass.begin() + static_cast<std::ptrdiff_t>(pass.size() / 2);
  TRY(add_fitting(recorder, {pass.begin(), middle}, out));
  return add_fitting(recorder, {middle, pass.end()}, out);
}

/// What was recorded before a Ctrl-C is named, and not opened: reading ends while the flag is up.
Error with_what_is_left(Error error, const RecorderRun& run, const RecordedFiles& before) {
  const auto databases = RecordedFiles::in(run.folder).databases_since(before);
  if (!databases.empty())
    error.hint = fmt::format("what was recorded until then was kept: open {}", databases.front());
  return error;
}

}  // namespace

Result<Recorder> find_recorder(const MachineView& machine) {
  if (has_other_gpu(machine)) {
    return fail(Errc::missing_capability,
                "the GPU of this machine is NVIDIA's, on which ROCm does not run",
                "profile --target emu -- ./app");
  }
  const MachineFiles files(machine);
  const auto program = files.program("rocprofv3");
  if (!program) {
    return fail(Errc::missing_capability,
                "there is no rocprofv3, neither in PATH nor in /opt/rocm/bin",
                "sudo apt-get install rocprofiler-sdk; info capabilities; without a GPU: profile "
                "--target emu");
  }
  Recorder out{.path = *program,
               .checker = files.program("rocprofv3-avail").value_or(""),
               .version = version_beside(files, *program),
               .decoder_folder = {}};
  if (!out.version) {
    const auto line = files.line("/opt/rocm/.info/version");
    out.version = line ? RocmVersion::parse(*line) : std::nullopt;
  }
  const auto decoder = files.library("librocprof-trace-decoder.so", machine.decoder_path);
  if (decoder && !found_by_itself(*decoder, machine))
    out.decoder_folder = fs::path(*decoder).parent_path().string();
  return out;
}

Result<CheckedPasses> check_passes(const Recorder& recorder,
                                   const std::vector<std::vector<std::string>>& planned) {
  CheckedPasses out;
  if (recorder.checker.empty()) {
    out.passes = planned;
    return out;
  }
  out.checked = true;
  for (const auto& pass : planned) TRY(add_fitting(recorder, pass, out));
  return out;
}

std::vector<std::string> RecordedRun::usable() const {
  std::vector<std::string> out;
  for (const RecordedDatabase& database : databases) {
    if (database.state == RecordedDatabase::State::complete) out.push_back(database.path);
  }
  return out;
}

const RecorderFinding* RecordedRun::fatal() const {
  const auto found = std::ranges::find_if(findings, &RecorderFinding::fatal);
  return found == findings.end() ? nullptr : &*found;
}

Result<RecordedRun> record(const RecorderRequest& request, const RecorderRun& wanted,
                           const RecordOptions& options) {
  TRY(make_folder(wanted.folder));
  const RecordedFiles before = RecordedFiles::in(wanted.folder);
  // Databases are written, and thread traces decoded, when the program ends: also when it is told to.
  constexpr auto kTimeToWrite = 10s;
  const Spawn spawn{.argv = wanted.argv,
                    .cwd = options.cwd,
                    .timeout = options.timeout,
                    .grace = kTimeToWrite,
                    .on_line = options.on_line};
  auto ended = run(spawn);
  if (!ended) return Failure(with_what_is_left(std::move(ended).error(), wanted, before));
  RecordedRun out{
      .run = wanted, .exit = std::move(*ended), .databases = {}, .files = {}, .findings = {}};
  const RecordedFiles after = RecordedFiles::in(wanted.folder);
  out.databases = look_at_all(after.databases_since(before));
  if (wanted.kind == RunKind::thread_trace) out.files = after.thread_traces_since(before);
  if (wanted.kind == RunKind::pc_samples) out.files = after.samples_since(before);
  out.findings = explain_run({.run = &wanted,
                              .program = request.argv,
                              .code = out.exit.code,
                              .signal = out.exit.signal,
                              .timed_out = out.exit.timed_out,
                              .limit_s = std::chrono::duration<double>(options.timeout).count(),
                              .printed = out.exit.err.text,
                              .databases = out.databases,
                              .other_files = out.files.size()});
  return out;
}

Error error_of(const RecordedRun& run) {
  const RecorderFinding& cause = run.findings.front();
  return {errc_of(cause.failure), cause.message,
          cause.hint.empty() ? fmt::format("{}/stderr.txt has what was printed", run.run.folder)
                             : cause.hint};
}

std::chrono::milliseconds counting_limit(std::chrono::nanoseconds wall) {
  // Counting serialises dispatches and may slow them down tenfold; a minute is more than starting takes.
  constexpr int kSlower = 20;
  return std::chrono::duration_cast<std::chrono::milliseconds>(wall * kSlower) + 60s;
}

bool recorder_says(std::string_view line) {
  // glog's lines: W20251122 14:35:06.123456 1234 tool.cpp:123] text
  const bool logged = line.size() > 9 &&
                      std::string_view("IWEF").find(line[0]) != std::string_view::npos &&
                      line[1] == '2' && line[9] == ' ' && line.find("] ") != std::string_view::npos;
  return logged || line.starts_with("[rocprofv3]") || line.starts_with("Opened result file:") ||
         line.starts_with("Warning: ");
}

std::string recorded_architecture(const std::string& database) {
  const auto file = ForeignDatabase::open(database);
  if (!file) return {};
  auto rows = (*file)->database().prepare(
      "SELECT a.name FROM rocpd_kernel_dispatch d JOIN rocpd_info_agent a ON a.id = d.agent_id AND "
      "a.guid = d.guid "
      "WHERE a.type = 'GPU' GROUP BY a.id ORDER BY count(*) DESC, a.id LIMIT 1");
  if (!rows) return {};
  const auto row = rows->step();
  return row && *row ? std::string(rows->text(0)) : std::string();
}

}  // namespace rpl::profile
