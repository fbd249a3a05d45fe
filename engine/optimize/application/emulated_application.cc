// SPDX-License-Identifier: MIT
#include "engine/optimize/application/emulated_application.h"

#include <fmt/format.h>

#include "engine/base/demangle.h"
#include "engine/base/scratch_folder.h"
#include "engine/base/sha256.h"
#include "engine/optimize/application/application_recording.h"
#include "engine/optimize/loop/rebuild.h"
#include "engine/target/emu/emulated_run.h"

namespace rpl {
namespace {

profile::EmulatedRequest request_of(const EmulatedApplicationSetup& setup,
                                    const std::vector<std::string>& argv,
                                    const std::string& folder) {
  profile::EmulatedRequest request;
  request.argv = argv;
  request.gpu = setup.gpu;
  request.devices = setup.devices;
  request.folder = folder;
  return request;
}

Result<ApplicationRun> run_once(const EmulatedApplicationSetup& setup,
                                const std::vector<std::string>& argv) {
  const ScratchFolder scratch = TRY(ScratchFolder::make("application"));
  const auto outcome = TRY(profile::run_emulated(request_of(setup, argv, scratch.path())));
  std::vector<std::string> databases;
  for (const profile::EmulatedProcess& process : outcome.processes) {
    if (!process.failure.empty())
      return fail(Errc::verification_failed, fmt::format("{} failed on the emulated device: {}",
                                                         argv.front(), process.failure));
    databases.push_back(process.database);
  }
  ApplicationRun out = TRY(read_application_run(databases, setup.monitor));
  out.output_sha256 = sha256_hex(outcome.exit.out.text);
  out.exit_code = outcome.exit.code;
  return out;
}

Status capture_once(const EmulatedApplicationSetup& setup, const std::vector<std::string>& argv,
                    const std::string& kernel, std::uint64_t dispatch, const std::string& folder) {
  const ScratchFolder scratch = TRY(ScratchFolder::make("application"));
  profile::EmulatedRequest request = request_of(setup, argv, scratch.path());
  request.capture.kernel = demangled(kernel);
  request.capture.dispatch = dispatch;
  request.capture.folder = folder;
  const auto outcome = TRY(profile::run_emulated(request));
  std::string why = "it did not run again";
  for (const profile::EmulatedProcess& process : outcome.processes) {
    if (!process.captured) continue;
    if (!process.captured->folder.empty()) return note_self_check(process.captured->folder);
    if (!process.captured->failure.empty()) why = process.captured->failure;
  }
  return fail(Errc::not_found, fmt::format("dispatch {} of {} was not captured: {}", dispatch,
                                           demangled(kernel), why));
}

}  // namespace

ApplicationTools emulated_application_tools(EmulatedApplicationSetup setup) {
  return {
      .run = [setup](const std::vector<std::string>& argv) { return run_once(setup, argv); },
      .capture =
          [setup](const std::vector<std::string>& argv, const std::string& kernel,
                  std::uint64_t dispatch, const std::string& folder) {
            return capture_once(setup, argv, kernel, dispatch, folder);
          },
      .source_of = source_of_capture,
      .build = [setup](const Application& application, const std::vector<ReplacedFile>& replaced,
                       const std::string& output) -> Status {
        const std::string architecture =
            TRY(profile::emulated_architecture(request_of(setup, application.argv, {})));
        return rebuild(application, replaced, TRY(setup.compiler()), architecture, output);
      },
  };
}

}  // namespace rpl
