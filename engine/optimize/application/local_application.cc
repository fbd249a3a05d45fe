// SPDX-License-Identifier: MIT
#include "engine/optimize/application/local_application.h"

#include <fmt/format.h>

#include "engine/base/demangle.h"
#include "engine/base/scratch_folder.h"
#include "engine/base/sha256.h"
#include "engine/optimize/application/application_recording.h"
#include "engine/optimize/loop/rebuild.h"
#include "engine/target/local/local_capture.h"

namespace rpl {
namespace {

/// One run under the recorder that left something to read. `calls`: of the API, too.
Result<profile::RecordedRun> recorded(const LocalApplicationSetup& setup,
                                      const std::vector<std::string>& argv,
                                      const std::string& folder, bool calls) {
  const profile::RecorderRequest request{.recorder = setup.recorder.path,
                                         .argv = argv,
                                         .folder = folder,
                                         .allocations = false,
                                         .hip = calls,
                                         .markers = false};
  const auto runs = TRY(profile::recorder_runs(request, setup.recorder.version));
  profile::RecordedRun run = TRY(profile::record(request, runs.back(), {}));
  if (run.fatal() != nullptr || run.usable().empty()) {
    Error why = profile::error_of(run);
    using Kind = profile::RecorderFailure;
    // The program's own end, as against one of the recorder's or the machine's.
    if (run.findings.front().failure == Kind::crashed ||
        run.findings.front().failure == Kind::program_failed)
      why.code = Errc::verification_failed;
    return Failure(std::move(why));
  }
  if (run.usable().size() != run.databases.size()) {
    return fail(Errc::corrupt, fmt::format("the recording of {} is incomplete: {}", argv.front(),
                                           run.findings.empty() ? "a database was cut short"
                                                                : run.findings.front().message));
  }
  return run;
}

Result<ApplicationRun> run_recorded(const LocalApplicationSetup& setup,
                                    const std::vector<std::string>& argv) {
  const ScratchFolder scratch = TRY(ScratchFolder::make("application"));
  const profile::RecordedRun run = TRY(recorded(setup, argv, scratch.path(), true));
  ApplicationRun out = TRY(read_application_run(run.usable(), setup.monitor));
  // A recording that calls itself modelled was not made by a GPU, whoever wrote it.
  if (out.modelled)
    return fail(Errc::unsupported, "what rocprofv3 recorded is marked as modelled",
                "'target emu' is the way to modelled times");
  out.architecture = profile::recorded_architecture(run.usable().front());
  out.output_sha256 = sha256_hex(run.exit.out.text);
  out.exit_code = run.exit.code;
  return out;
}

Result<TimedRun> time_recorded(const LocalApplicationSetup& setup,
                               const std::vector<std::string>& argv) {
  const ScratchFolder scratch = TRY(ScratchFolder::make("application"));
  const profile::RecordedRun run = TRY(recorded(setup, argv, scratch.path(), false));
  return TimedRun {
    .span_ns = static_cast<double>(TRY(read_application_span(run.usable(), setup.monitor))),
    .output_sha256 = sha256_hex(run.exit.out.text), .exit_code = run.exit.code
  };
}

Status capture_with_tool(const std::vector<std::string>& argv, const std::string& kernel,
                         std::uint64_t dispatch, const std::string& folder) {
  profile::LocalCaptureRequest request{.argv = argv, .wish = {}};
  request.wish.kernel = demangled(kernel);
  request.wish.dispatch = dispatch;
  request.wish.folder = folder;
  const auto outcome = TRY(profile::run_with_capture_tool(request));
  std::string why = outcome.reports.empty() ? "no HSA runtime in it loaded the capture tool "
                                              "(HSA_TOOLS_REPORT_LOAD_FAILURE=1 says why)"
                                            : "it did not run again";
  for (const intercept::Report& report : outcome.reports) {
    if (report.failure.empty() && !report.folder.empty()) return note_self_check(report.folder);
    if (!report.failure.empty()) why = report.failure;
  }
  return fail(Errc::not_found, fmt::format("dispatch {} of {} was not captured: {}", dispatch,
                                           demangled(kernel), why));
}

}  // namespace

Result<ApplicationTools> local_application_tools(LocalApplicationSetup setup) {
  TRY(profile::capture_tool());
  return ApplicationTools{
      .run = [setup](const std::vector<std::string>& argv) { return run_recorded(setup, argv); },
      .capture = capture_with_tool,
      .source_of = source_of_capture,
      .build = [setup](const Application& application, const std::vector<ReplacedFile>& replaced,
                       const std::string& output) -> Status {
        return rebuild(application, replaced, TRY(setup.compiler()), application.first.architecture,
                       output);
      },
      .time = [setup](const std::vector<std::string>& argv) { return time_recorded(setup, argv); },
  };
}

}  // namespace rpl
