// SPDX-License-Identifier: MIT
#include "engine/optimize/application/application_tools.h"

#include <fmt/format.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/capture/capture.h"
#include "engine/capture/folder.h"
#include "engine/graph/critical_path.h"
#include "engine/isa/object/code_object.h"
#include "engine/optimize/loop/screen.h"
#include "engine/optimize/verify/oracle.h"
#include "engine/trace/import/open.h"

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
  return TimedRun{
      .span_ns = static_cast<double>(TRY(read_application_span(run.databases, monitor))),
      .output_sha256 = sha256_hex(run.exit.out.text),
      .exit_code = run.exit.code};
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
  return fail(
      Errc::not_found,
      fmt::format("dispatch {} of {} was not captured: {}", dispatch, demangled(kernel), why),
      "'capture run KERNEL -- ./app' tries it alone");
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

namespace {

namespace fs = std::filesystem;

/// Which of a kernel's dispatches took longest, from 1, in the order of their starts.
std::uint64_t longest_dispatch(const Trace& trace, std::uint32_t kernel) {
  std::uint64_t count = 0, longest = 1;
  std::int64_t most = -1;
  for (std::size_t row = 0; row < trace.size(); ++row) {
    if (trace.kernel_of(row) != kernel) continue;
    ++count;
    if (trace.duration_ns(row) <= most) continue;
    most = trace.duration_ns(row);
    longest = count;
  }
  return longest;
}

}  // namespace

Result<ApplicationRun> read_application_run(const std::vector<std::string>& databases,
                                            const Monitor& monitor) {
  const auto trace = TRY(open_trace(databases, {}, monitor));
  const auto graph = TRY(Graph::build(trace, {}, monitor));
  const CriticalPath path = TRY(path_and_slack(*graph, {.simulated_operations = 0}, monitor)).path;
  ApplicationRun out;
  out.modelled = trace->presence().modelled;
  out.span_ns = path.span_ns;
  out.critical_path_ns = path.critical_path_ns;
  for (const KernelOnPath& kernel : path.kernels) {
    out.kernels.push_back({.name = trace->kernels()[kernel.kernel].name,
                           .calls = kernel.calls,
                           .path_ns = kernel.path_ns,
                           .share = kernel.share,
                           .longest = longest_dispatch(*trace, kernel.kernel)});
  }
  return out;
}

Result<std::int64_t> read_application_span(const std::vector<std::string>& databases,
                                           const Monitor& monitor) {
  const auto graph = TRY(Graph::build(TRY(open_trace(databases, {}, monitor)), {}, monitor));
  if (graph->operations() == 0)
    return fail(Errc::not_found, "nothing ran on the GPU",
                "run it with 'profile -- ./app' and look at 'info dispatches'");
  const auto [begin, end] = graph->span_ns();
  return end - begin;
}

Result<std::string> source_of_capture(const std::string& capture, const std::string& kernel) {
  const Capture held = TRY(read_capture(capture));
  const auto object = TRY(isa::CodeObject::parse(held.code_object));
  const isa::SourceLines lines = TRY(object->source_lines());
  constexpr const char* kHint =
      "build the program with -g, or name the source: optimize SOURCE.hip APP";
  for (const isa::Kernel& one : object->kernels()) {
    if (one.name != held.kernel) continue;
    for (std::uint64_t at = one.entry; at < one.entry + one.code_bytes; at += 4) {
      const auto chain = lines.chain(at);
      if (chain.empty() || chain.back().file.empty()) continue;
      std::error_code error;
      const std::string path = fs::absolute(chain.back().file, error).lexically_normal().string();
      if (fs::is_regular_file(path, error)) return path;
      return fail(
          Errc::not_found,
          fmt::format("{} comes from {}, which is not here", demangled(kernel), chain.back().file),
          kHint);
    }
  }
  return fail(Errc::not_found,
              fmt::format("nothing says where {} comes from: the program has no line table",
                          demangled(kernel)),
              kHint);
}

Status note_self_check(const std::string& folder) {
  const Capture capture = TRY(read_capture(folder));
  // The capture is whole without the mark, which says of it only what anyone can compute again.
  static_cast<void>(mark_capture(folder, capture));
  return {};
}

}  // namespace rpl
