// SPDX-License-Identifier: MIT
#include "engine/target/emu/host_runs.h"

#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/device/hip/device.h"
#include "engine/target/capabilities.h"
#include "engine/target/emu/emulated_run.h"
#include "engine/target/emu/program_check.h"

namespace rpl::profile {
namespace {

/// Adds the emulated devices to a program that can run on them; any other runs as it is.
bool put_device_in_front(const ProfileRequest& request, const EmulatedDevices& devices,
                         Spawn& spawn) {
  const auto library = emulated_library();
  if (!library) return false;
  const std::string libraries = library_search_path(*library);
  const auto program = check_program(request.argv[0], devices.gpu, libraries, request.cwd);
  if (!program || program->is_script) return false;
  const auto kind = emu::hip::device_kind(program->gpu);
  if (!kind) return false;
  spawn.env = {"LD_LIBRARY_PATH=" + libraries, "RPL_EMU_GPU=" + kind->product,
               fmt::format("RPL_EMU_DEVICES={}", devices.count), "RPL_EMU_RECORDING"};
  return true;
}

}  // namespace

Result<ProfileRun> profile_from_outside(const ProfileRequest& request,
                                        const std::optional<EmulatedDevices>& devices) {
  if (request.argv.empty()) return fail(Errc::usage, "no program to run", "profile -- ./app ARGS");
  Spawn spawn{.argv = request.argv,
              .cwd = request.cwd,
              .timeout = request.timeout,
              .on_line = request.on_line};
  const bool emulated = devices && put_device_in_front(request, *devices, spawn);
  ProfileRun out{.record = {.program = command_line(request.argv),
                            .code = request.code,
                            .target = emulated ? TargetKind::emu : TargetKind::local,
                            .folder = request.folder},
                 .times = Provenance::measured};
  while (out.runtime_ms.size() < request.runs && !out.failed) {
    out.exit = TRY(run(spawn));
    constexpr double kNsPerMs = 1e6;
    out.runtime_ms.push_back(static_cast<double>(out.exit.wall.count()) / kNsPerMs);
    out.failed = !out.exit.ok();
  }
  out.timed_out = out.exit.timed_out;
  out.record.exit_code = out.exit.code;
  TRY(make_folder(request.folder));
  TRY(keep_output(request.folder, out.exit, 1));
  if (out.failed)
    out.notes.push_back(out.timed_out
                            ? "the program was stopped after its time"
                            : fmt::format("the program ended with status {}", out.exit.code));
  if (emulated)
    out.notes.emplace_back(
        "its kernels ran on the emulated device: most of the time is that of the emulator and says "
        "nothing about a GPU");
  out.disturbances = disturbances(this_machine());
  return out;
}

}  // namespace rpl::profile
