// SPDX-License-Identifier: MIT
#include "engine/target/host_runs.h"

#include <fmt/format.h>

#include "engine/device/hip/device.h"
#include "engine/target/emu/emulated_run.h"
#include "engine/target/emu/program_check.h"

namespace rpl::profile {
namespace {

/// Adds the emulated devices to a program that can run on them; any other runs as it is.
bool put_device_in_front(const HostRequest& request, Spawn& spawn) {
  const auto library = emulated_library();
  if (!library) return false;
  const std::string libraries = library_search_path(*library);
  const auto program = check_program(request.argv[0], request.gpu, libraries, request.cwd);
  if (!program || program->is_script) return false;
  const auto kind = emu::hip::device_kind(program->gpu);
  if (!kind) return false;
  spawn.env = {"LD_LIBRARY_PATH=" + libraries, "RPL_EMU_GPU=" + kind->product,
               fmt::format("RPL_EMU_DEVICES={}", request.devices), "RPL_EMU_RECORDING"};
  return true;
}

}  // namespace

Result<HostRuns> time_program(const HostRequest& request) {
  if (request.argv.empty()) return fail(Errc::usage, "no program to run", "profile -- ./app ARGS");
  HostRuns out;
  Spawn spawn{.argv = request.argv,
              .cwd = request.cwd,
              .timeout = request.timeout,
              .on_line = request.on_line};
  if (request.emulated_device) out.on_emulated_device = put_device_in_front(request, spawn);
  for (std::size_t i = 0; i < request.runs; ++i) {
    out.last = TRY(run(spawn));
    constexpr double kNsPerMs = 1e6;
    out.wall_ms.push_back(static_cast<double>(out.last.wall.count()) / kNsPerMs);
    if (!out.last.ok()) break;
  }
  return out;
}

}  // namespace rpl::profile
