// SPDX-License-Identifier: MIT
#include "engine/profile/emulated_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "engine/emu/hip/device.h"
#include "engine/profile/emulated_database.h"
#include "engine/profile/program_check.h"

namespace rpl::profile {
namespace {

namespace fs = std::filesystem;

/// A private folder for the raw recordings.
class Scratch {
 public:
  static Result<Scratch> make() {
    std::string pattern = (fs::temp_directory_path() / "rpl-emulated-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) return fail(Errc::io, fmt::format("cannot make a folder like {}", pattern));
    return Scratch(std::move(pattern));
  }
  Scratch(Scratch&& other) noexcept : path(std::exchange(other.path, {})) {}
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() {
    std::error_code ignored;
    if (!path.empty()) fs::remove_all(path, ignored);
  }
  std::string path;

 private:
  explicit Scratch(std::string made) : path(std::move(made)) {}
};

EmulatedProcess summary_of(const emu::hip::Recording& recording) {
  EmulatedProcess out;
  out.complete = recording.complete;
  for (const emu::hip::Record& record : recording.records) {
    if (const auto* process = std::get_if<emu::hip::ProcessRecord>(&record)) out.pid = process->pid;
    if (const auto* refused = std::get_if<emu::hip::RefusedRecord>(&record)) {
      out.refused.push_back(fmt::format("{} ({} time{})", refused->name, refused->calls, refused->calls == 1 ? "" : "s"));
    }
    if (const auto* end = std::get_if<emu::hip::EndRecord>(&record)) {
      out.failure = end->failure;
      out.emulation_s = end->emulation_s;
    }
  }
  return out;
}

Result<std::vector<EmulatedProcess>> write_databases(const std::string& raw, const RunIdentity& identity, const std::string& folder) {
  std::vector<EmulatedProcess> out;
  for (const auto& entry : fs::directory_iterator(raw)) {
    const auto recording = TRY(emu::hip::read_recording_file(entry.path().string()));
    if (recording.records.empty()) continue;
    EmulatedProcess process = summary_of(recording);
    const fs::path at = fs::path(folder) / (identity.host_name.empty() ? "host" : identity.host_name);
    std::error_code error;
    fs::create_directories(at, error);
    if (error) return fail(Errc::io, fmt::format("cannot make {}: {}", at.string(), error.message()));
    process.database = (at / fmt::format("{}_results.db", process.pid)).string();
    TRY(write_emulated_database(recording, identity, process.database));
    out.push_back(std::move(process));
  }
  std::ranges::sort(out, {}, &EmulatedProcess::pid);
  return out;
}

/// The folder first, then what the user has there.
std::string search_path(const std::string& folder) {
  const char* inherited = std::getenv("LD_LIBRARY_PATH");
  return inherited == nullptr || *inherited == '\0' ? folder : fmt::format("{}:{}", folder, inherited);
}

}  // namespace

Result<std::string> emulated_library() {
  std::vector<fs::path> places;
  if (const char* named = std::getenv("RPL_EMULATED_HIP"); named != nullptr && *named != '\0') places.emplace_back(named);
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  places.push_back(program / "emulated-hip");
  places.push_back(program / "../lib/rpl/emulated-hip");
#ifdef RPL_BUILT_EMULATED_HIP
  places.emplace_back(RPL_BUILT_EMULATED_HIP);
#endif
  for (const fs::path& place : places) {
    if (fs::exists(place / "libamdhip64.so", ignored)) return fs::absolute(place).lexically_normal().string();
  }
  return fail(Errc::missing_capability, "the emulated devices' libamdhip64.so is not there",
              "build it: cmake --build build --target rpl_amdhip64, or name its folder in RPL_EMULATED_HIP");
}

Result<EmulatedOutcome> run_emulated(const EmulatedRequest& request) {
  if (request.argv.empty()) return fail(Errc::usage, "no program to run", "profile -- ./app ARGS");
  const std::string libraries = search_path(TRY(emulated_library()));
  const CheckedProgram program = TRY(check_program(request.argv[0], request.gpu, libraries));
  const Scratch scratch = TRY(Scratch::make());
  const RunIdentity identity = this_run();
  EmulatedOutcome out;
  out.gpu = TRY(emu::hip::device_kind(program.gpu)).product;
  Spawn spawn{.argv = request.argv,
              .env = {"LD_LIBRARY_PATH=" + libraries, "RPL_EMU_GPU=" + out.gpu, fmt::format("RPL_EMU_DEVICES={}", request.devices),
                      "RPL_EMU_RECORDING=" + scratch.path + "/r"},
              .cwd = request.cwd,
              .timeout = request.timeout,
              .on_line = request.on_line};
  spawn.argv[0] = program.path;
  auto ended = run(spawn);
  out.processes = TRY(write_databases(scratch.path, identity, request.folder));
  if (!ended) {
    Error error = std::move(ended).error();
    if (!out.processes.empty()) error.hint = fmt::format("what it had done is in {}", request.folder);
    return tl::unexpected(std::move(error));
  }
  out.exit = std::move(*ended);
  if (out.processes.empty()) {
    TRY(check_exit(spawn, out.exit));
    return fail(Errc::verification_failed, fmt::format("{} made no HIP call", request.argv[0]),
                "check that this run of it uses a GPU at all");
  }
  return out;
}

}  // namespace rpl::profile
