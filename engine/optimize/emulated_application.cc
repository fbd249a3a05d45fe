// SPDX-License-Identifier: MIT
#include "engine/optimize/emulated_application.h"

#include <fmt/format.h>

#include <filesystem>

#include "engine/base/demangle.h"
#include "engine/base/scratch_folder.h"
#include "engine/base/sha256.h"
#include "engine/capture/capture.h"
#include "engine/capture/folder.h"
#include "engine/graph/critical_path.h"
#include "engine/measure/self_check.h"
#include "engine/optimize/rebuild.h"
#include "engine/profile/emulated_run.h"
#include "engine/trace/open.h"

namespace rpl {
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

profile::EmulatedRequest request_of(const EmulatedApplicationSetup& setup, const std::vector<std::string>& argv, const std::string& folder) {
  profile::EmulatedRequest request;
  request.argv = argv;
  request.gpu = setup.gpu;
  request.devices = setup.devices;
  request.folder = folder;
  return request;
}

Result<ApplicationRun> run_once(const EmulatedApplicationSetup& setup, const std::vector<std::string>& argv) {
  const ScratchFolder scratch = TRY(ScratchFolder::make("application"));
  const auto outcome = TRY(profile::run_emulated(request_of(setup, argv, scratch.path())));
  std::vector<std::string> databases;
  for (const profile::EmulatedProcess& process : outcome.processes) {
    if (!process.failure.empty()) return fail(Errc::verification_failed, fmt::format("{} failed on the emulated device: {}", argv.front(), process.failure));
    databases.push_back(process.database);
  }
  ApplicationRun out = TRY(read_application_run(databases, setup.monitor));
  out.output_sha256 = sha256_hex(outcome.exit.out.text);
  out.exit_code = outcome.exit.code;
  return out;
}

Status capture_once(const EmulatedApplicationSetup& setup, const std::vector<std::string>& argv, const std::string& kernel, std::uint64_t dispatch,
                    const std::string& folder) {
  const ScratchFolder scratch = TRY(ScratchFolder::make("application"));
  profile::EmulatedRequest request = request_of(setup, argv, scratch.path());
  request.capture.kernel = demangled(kernel);
  request.capture.dispatch = dispatch;
  request.capture.folder = folder;
  const auto outcome = TRY(profile::run_emulated(request));
  std::string why = "it did not run again";
  for (const profile::EmulatedProcess& process : outcome.processes) {
    if (!process.captured) continue;
    if (!process.captured->folder.empty()) {
      TRY(mark_capture(process.captured->folder, TRY(read_capture(process.captured->folder))));
      return {};
    }
    if (!process.captured->failure.empty()) why = process.captured->failure;
  }
  return fail(Errc::not_found, fmt::format("dispatch {} of {} was not captured: {}", dispatch, demangled(kernel), why));
}

}  // namespace

Result<ApplicationRun> read_application_run(const std::vector<std::string>& databases, const Monitor& monitor) {
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

Result<std::string> source_of_capture(const std::string& capture, const std::string& kernel) {
  const Capture held = TRY(read_capture(capture));
  const auto object = TRY(isa::CodeObject::parse(held.code_object));
  const isa::SourceLines lines = TRY(object->source_lines());
  constexpr const char* kHint = "build the program with -g, or name the source: optimize SOURCE.hip APP";
  for (const isa::Kernel& one : object->kernels()) {
    if (one.name != held.kernel) continue;
    for (std::uint64_t at = one.entry; at < one.entry + one.code_bytes; at += 4) {
      const auto chain = lines.chain(at);
      if (chain.empty() || chain.back().file.empty()) continue;
      std::error_code error;
      const std::string path = fs::absolute(chain.back().file, error).lexically_normal().string();
      if (fs::is_regular_file(path, error)) return path;
      return fail(Errc::not_found, fmt::format("{} comes from {}, which is not here", demangled(kernel), chain.back().file), kHint);
    }
  }
  return fail(Errc::not_found, fmt::format("nothing says where {} comes from: the program has no line table", demangled(kernel)), kHint);
}

ApplicationTools emulated_application_tools(EmulatedApplicationSetup setup) {
  return {
      .run = [setup](const std::vector<std::string>& argv) { return run_once(setup, argv); },
      .capture = [setup](const std::vector<std::string>& argv, const std::string& kernel, std::uint64_t dispatch,
                         const std::string& folder) { return capture_once(setup, argv, kernel, dispatch, folder); },
      .source_of = source_of_capture,
      .build = [setup](const Application& application, const std::vector<ReplacedFile>& replaced, const std::string& output) -> Status {
        const std::string architecture = TRY(profile::emulated_architecture(request_of(setup, application.argv, {})));
        return rebuild(application, replaced, TRY(setup.compiler()), architecture, output);
      },
  };
}

}  // namespace rpl
