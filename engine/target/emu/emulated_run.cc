// SPDX-License-Identifier: MIT
#include "engine/target/emu/emulated_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/device/hip/device.h"
#include "engine/process/emulated_hip.h"
#include "engine/target/emu/emulated_database.h"
#include "engine/target/emu/program_check.h"

namespace rpl::profile {
namespace {

namespace fs = std::filesystem;

EmulatedProcess summary_of(const emu::hip::Recording& recording) {
  EmulatedProcess out;
  out.complete = recording.complete;
  std::map<std::uint64_t, std::string> kernels;
  for (const emu::hip::Record& record : recording.records) {
    if (const auto* process = std::get_if<emu::hip::ProcessRecord>(&record)) out.pid = process->pid;
    if (const auto* kernel = std::get_if<emu::hip::KernelRecord>(&record))
      kernels[kernel->id] = kernel->name;
    if (const auto* dispatch = std::get_if<emu::hip::DispatchRecord>(&record)) {
      out.kernel_ns += dispatch->place.end_ns - dispatch->place.start_ns;
      ++out.dispatches[kernels[dispatch->kernel]];
    }
    if (const auto* captured = std::get_if<emu::hip::CaptureRecord>(&record)) {
      out.captured = {captured->matches, captured->kernel, captured->folder, captured->failure};
    }
    if (const auto* refused = std::get_if<emu::hip::RefusedRecord>(&record)) {
      out.refused.push_back(fmt::format("{} ({} time{})", refused->name, refused->calls,
                                        refused->calls == 1 ? "" : "s"));
    }
    if (const auto* trace = std::get_if<emu::hip::TraceRecord>(&record))
      out.thread_traces.push_back(trace->folder);
    if (const auto* end = std::get_if<emu::hip::EndRecord>(&record)) {
      out.failure = end->failure;
      out.emulation_s = end->emulation_s;
    }
  }
  return out;
}

/// FOLDER/HOST, as rocprofv3 has it.
fs::path host_folder(const RunIdentity& identity, const std::string& folder) {
  return fs::path(folder) / (identity.host_name.empty() ? "host" : identity.host_name);
}

Result<std::vector<EmulatedProcess>> write_databases(const std::string& raw,
                                                     const RunIdentity& identity,
                                                     const fs::path& at) {
  std::vector<EmulatedProcess> out;
  for (const auto& entry : fs::directory_iterator(raw)) {
    const auto recording = TRY(emu::hip::read_recording_file(entry.path().string()));
    if (recording.records.empty()) continue;
    EmulatedProcess process = summary_of(recording);
    TRY(make_folder(at.string()));
    process.database = (at / fmt::format("{}_results.db", process.pid)).string();
    for (std::string& trace : process.thread_traces)
      trace = (at / fmt::format("{}_att", process.pid) / trace).string();
    TRY(write_emulated_database(recording, identity, process.database));
    out.push_back(std::move(process));
  }
  std::ranges::sort(out, {}, &EmulatedProcess::pid);
  return out;
}

/// The changes to the program's environment.
std::vector<std::string> environment_of(const EmulatedRequest& request, const std::string& gpu,
                                        const std::string& libraries, const std::string& raw,
                                        const fs::path& at) {
  return {"LD_LIBRARY_PATH=" + libraries,
          "RPL_EMU_GPU=" + gpu,
          fmt::format("RPL_EMU_DEVICES={}", request.devices),
          "RPL_EMU_RECORDING=" + raw + "/r",
          fmt::format("RPL_EMU_COUNTERS={}", fmt::join(request.counters, ",")),
          "RPL_EMU_ATT=" + request.trace_kernel,
          "RPL_EMU_ATT_FOLDER=" + fs::absolute(at).string() + "/",
          "RPL_EMU_CAPTURE=" + request.capture.kernel,
          "RPL_EMU_CAPTURE_SLICE=" +
              (request.capture.slice ? to_text(*request.capture.slice) : std::string()),
          "RPL_EMU_CAPTURE_GRID=" + (request.capture.grid
                                         ? fmt::format("{}", fmt::join(*request.capture.grid, ","))
                                         : std::string()),
          fmt::format("RPL_EMU_CAPTURE_LONGER_US={}", request.capture.longer_us),
          fmt::format("RPL_EMU_CAPTURE_DISPATCH={}", request.capture.dispatch),
          "RPL_EMU_CAPTURE_FOLDER=" + (request.capture.folder.empty()
                                           ? std::string()
                                           : fs::absolute(request.capture.folder).string()),
          fmt::format("RPL_EMU_CAPTURE_SCOPE={}", request.capture.all_memory ? "all" : ""),
          fmt::format("RPL_EMU_CAPTURE_LIMIT={}", request.capture.most_bytes)};
}

}  // namespace

std::string library_search_path(const std::string& folder) {
  const char* inherited = std::getenv("LD_LIBRARY_PATH");
  return inherited == nullptr || *inherited == '\0' ? folder
                                                    : fmt::format("{}:{}", folder, inherited);
}

Result<std::string> emulated_library() {
  if (auto folder = emulated_hip_folder("libamdhip64.so")) return std::move(*folder);
  return fail(Errc::missing_capability, "the emulated devices' libamdhip64.so is not there",
              companion_command("rpl_amdhip64") + ", or name its folder in RPL_EMULATED_HIP");
}

Result<std::string> emulated_architecture(const EmulatedRequest& request) {
  if (request.argv.empty()) return fail(Errc::usage, "no program to run", "profile -- ./app ARGS");
  const std::string libraries = library_search_path(TRY(emulated_library()));
  const CheckedProgram program =
      TRY(check_program(request.argv[0], request.gpu, libraries, request.cwd));
  return std::string(isa::to_string(TRY(emu::hip::device_kind(program.gpu)).arch));
}

Result<EmulatedOutcome> run_emulated(const EmulatedRequest& request) {
  if (request.argv.empty()) return fail(Errc::usage, "no program to run", "profile -- ./app ARGS");
  const std::string libraries = library_search_path(TRY(emulated_library()));
  const CheckedProgram program =
      TRY(check_program(request.argv[0], request.gpu, libraries, request.cwd));
  // The raw recordings.
  const ScratchFolder scratch = TRY(ScratchFolder::make("emulated"));
  const RunIdentity identity = this_run();
  const fs::path at = host_folder(identity, request.folder);
  EmulatedOutcome out;
  out.gpu = TRY(emu::hip::device_kind(program.gpu)).product;
  Spawn spawn{.argv = request.argv,
              .env = environment_of(request, out.gpu, libraries, scratch.path(), at),
              .cwd = request.cwd,
              .timeout = request.timeout,
              .on_line = request.on_line};
  // One with a slash is started as it was named: from the folder that it starts in.
  if (spawn.argv[0].find('/') == std::string::npos) spawn.argv[0] = program.path;
  auto ended = run(spawn);
  out.processes = TRY(write_databases(scratch.path(), identity, at));
  if (!ended) {
    Error error = std::move(ended).error();
    if (!out.processes.empty())
      error.hint =
          fmt::format("what it had done was kept: open {}", out.processes.front().database);
    return Failure(std::move(error));
  }
  out.exit = std::move(*ended);
  if (out.processes.empty()) {
    TRY(check_exit(spawn, out.exit));
    return fail(
        Errc::verification_failed, fmt::format("{} made no HIP call", request.argv[0]),
        program.opens_libraries
            ? "check that this run of it uses a GPU at all, and that it opens "
              "libamdhip64.so by its name: a path of its own leads past the emulated devices"
            : "check that this run of it uses a GPU at all");
  }
  return out;
}

}  // namespace rpl::profile
