// SPDX-License-Identifier: MIT
#include "engine/optimize/application/application_recording.h"

#include <fmt/format.h>

#include <filesystem>

#include "engine/base/demangle.h"
#include "engine/capture/capture.h"
#include "engine/capture/folder.h"
#include "engine/graph/critical_path.h"
#include "engine/isa/object/code_object.h"
#include "engine/optimize/verify/self_check.h"
#include "engine/trace/import/open.h"

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

}  // namespace

Result<ApplicationRun> read_application_run(const std::vector<std::string>& databases,
                                            const Monitor& monitor) {
  const auto trace = TRY(open_trace(databases, {}, monitor));
  const auto graph = TRY(Graph::build(trace, {}, monitor));
  const CriticalPath path = TRY(path_and_slack(*graph, {.simulated_operations = 0}, monitor))
  .path;
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
  if (graph->operations() == 0) return fail(Errc::not_found, "nothing ran on the GPU");
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
