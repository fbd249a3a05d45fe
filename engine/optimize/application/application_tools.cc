// SPDX-License-Identifier: MIT
#include "engine/optimize/application/application_tools.h"

#include <fmt/format.h>

#include "engine/base/demangle.h"
#include "engine/base/scratch_folder.h"
#include "engine/base/sha256.h"
#include "engine/optimize/application/application_recording.h"
#include "engine/optimize/loop/rebuild.h"

namespace rpl {
namespace {

/// One run that left something to read. `calls`: of the API, too.
Result<ProfileRun> recorded(Target& target, const std::vector<std::string>& argv,
                            const std::string& folder, bool calls) {
  ProfileRun run = TRY(target.profile({.argv = argv,
                                       .folder = folder,
                                       .hip_calls = calls,
                                       .allocations = false,
                                       .markers = false}));
  if (!run.died_of.empty())
    return fail(Errc::verification_failed,
                fmt::format("{} failed on the emulated device: {}", argv.front(), run.died_of));
  if (run.nothing) {
    // The program's own end, as against one of the recorder's or the machine's.
    if (run.by_program) run.nothing->code = Errc::verification_failed;
    return Failure(std::move(*run.nothing));
  }
  if (!run.record.complete && run.times == Provenance::measured)
    return fail(Errc::corrupt, fmt::format("the recording of {} is incomplete: {}", argv.front(),
                                           run.record.failure.empty() ? "a database was cut short"
                                                                      : run.record.failure));
  return run;
}

Result<ApplicationRun> run_once(Target& target, const std::vector<std::string>& argv,
                                const Monitor& monitor) {
  const ScratchFolder scratch = TRY(ScratchFolder::make("application"));
  const ProfileRun run = TRY(recorded(target, argv, scratch.path(), true));
  ApplicationRun out = TRY(read_application_run(run.databases, monitor));
  // A recording that calls itself modelled was not made by a GPU, whoever wrote it.
  if (out.modelled && run.times == Provenance::measured)
    return fail(Errc::unsupported, "what rocprofv3 recorded is marked as modelled",
                "'target emu' is the way to modelled times");
  out.architecture = run.architecture;
  out.output_sha256 = sha256_hex(run.exit.out.text);
  out.exit_code = run.exit.code;
  return out;
}

Result<TimedRun> time_once(Target& target, const std::vector<std::string>& argv,
                           const Monitor& monitor) {
  const ScratchFolder scratch = TRY(ScratchFolder::make("application"));
  const ProfileRun run = TRY(recorded(target, argv, scratch.path(), false));
  return TimedRun {
    .span_ns = static_cast<double>(TRY(read_application_span(run.databases, monitor))),
    .output_sha256 = sha256_hex(run.exit.out.text), .exit_code = run.exit.code
  };
}

Status capture_once(Target& target, const std::vector<std::string>& argv, const std::string& kernel,
                    std::uint64_t dispatch, const std::string& folder) {
  CaptureRequest request{.argv = argv, .wish = {}};
  request.wish.kernel = demangled(kernel);
  request.wish.dispatch = dispatch;
  request.wish.folder = folder;
  const CaptureRun run = TRY(target.capture(request));
  std::string why = run.processes.empty() ? "no HSA runtime in it loaded the capture tool "
                                            "(HSA_TOOLS_REPORT_LOAD_FAILURE=1 says why)"
                                          : "it did not run again";
  for (const ProcessCapture& process : run.processes) {
    if (process.failure.empty() && !process.folder.empty()) return note_self_check(process.folder);
    if (!process.failure.empty()) why = process.failure;
  }
  return fail(Errc::not_found, fmt::format("dispatch {} of {} was not captured: {}", dispatch,
                                           demangled(kernel), why));
}

}  // namespace

Result<ApplicationTools> application_tools(std::shared_ptr<Target> target,
                                           std::function<Result<Compiler>()> compiler,
                                           Monitor monitor) {
  TRY(target->prepare(Ability::optimize));
  ApplicationTools out{
      .run = [target, monitor](
                 const std::vector<std::string>& argv) { return run_once(*target, argv, monitor); },
      .capture =
          [target](const std::vector<std::string>& argv, const std::string& kernel,
                   std::uint64_t dispatch, const std::string& folder) {
            return capture_once(*target, argv, kernel, dispatch, folder);
          },
      .source_of = source_of_capture,
      .build = [target, compiler = std::move(compiler)](const Application& application,
                                                        const std::vector<ReplacedFile>& replaced,
                                                        const std::string& output) -> Status {
        std::string architecture = TRY(target->architecture_of(application.argv));
        if (architecture.empty()) architecture = application.first.architecture;
        return rebuild(application, replaced, TRY(compiler()), architecture, output);
      },
  };
  if (!target->traits().deterministic)
    out.time = [target, monitor](const std::vector<std::string>& argv) {
      return time_once(*target, argv, monitor);
    };
  return out;
}

}  // namespace rpl
