// SPDX-License-Identifier: MIT
#include "shell/server/mcp_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/optimize/store/store.h"
#include "shell/core/session/context.h"
#include "shell/core/session/session_log.h"
#include "shell/server/call.h"
#include "shell/server/tools/arguments.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

/// Below the current folder, what looks like a source of kernels; hidden folders and what lies deep are not looked into.
std::vector<std::string> project_sources() {
  constexpr int kDeepest = 3;
  constexpr std::size_t kMostEntries = 2000;
  std::vector<std::string> out;
  std::error_code failed;
  std::size_t seen = 0;
  for (fs::recursive_directory_iterator at(".", fs::directory_options::skip_permission_denied,
                                           failed);
       !failed && at != fs::end(at) && ++seen < kMostEntries; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    std::error_code unknown;
    if (at->is_directory(unknown) && (name.starts_with('.') || at.depth() >= kDeepest))
      at.disable_recursion_pending();
    const std::string extension = at->path().extension().string();
    if (at->is_regular_file(unknown) &&
        (extension == ".hip" || extension == ".cu" || extension == ".cpp"))
      out.push_back(at->path().lexically_normal().string());
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

ToolPart McpHost::part_of(Runner::Outcome outcome, std::string line) {
  ToolPart out;
  out.line = std::move(line);
  out.exit_code = outcome.exit_code;
  out.printed = std::move(outcome.printed.text);
  if (outcome.printed.left_out_bytes > 0)
    out.printed += fmt::format("({} bytes more were printed)\n", outcome.printed.left_out_bytes);
  out.notes = std::move(outcome.notes);
  if (outcome.answer) {
    out.document = outcome.answer->document;
    out.limit = outcome.answer->limit;
  } else {
    out.document = Failure(outcome.answer.error());
  }
  return out;
}

ToolPart McpHost::run(std::string_view words, const Record& arguments) {
  std::string line(words);
  const auto understand = [&](Console&) -> Result<Invocation> {
    auto invocation = invocation_of(context_.registry(), words, arguments);
    if (invocation) line = line_of(*invocation);
    return invocation;
  };
  Runner::Outcome outcome = runner_.run(understand, "", progress);
  ToolPart out = part_of(std::move(outcome), std::move(line));
  // Whoever says 0 wants all rows.
  if (find_argument(arguments, "limit") != nullptr) out.limit = out.limit.value_or(0);
  return out;
}

ToolPart McpHost::run_line(const std::string& line) {
  const auto understand = [&](Console& console) { return console.understood(line); };
  return part_of(runner_.run(understand, line, progress), line);
}

Result<ToolPart> McpHost::more(const std::string& handle) {
  KeptResults::Handle found = TRY(kept_.find(handle));
  ToolPart out;
  out.document = std::move(found.document);
  out.from_row = found.from;
  return out;
}

Result<std::string> McpHost::text_to_edit() {
  const auto& store = context_.log().proposals();
  const auto optimization =
      store ? store->current() : Result<Optimization>(fail(Errc::not_found, "none"));
  if (!optimization)
    return fail(Errc::not_found, "no kernel is being optimized",
                R"(propose {"action": "begin", "source": "FILE.hip", "capture": "FOLDER"})");
  return read_text_file(optimization->base_source());
}

Result<std::string> McpHost::own_file(std::string_view text) {
  if (!scratch_) scratch_.emplace(TRY(ScratchFolder::make("edits")));
  const std::string path = fmt::format("{}/edit{}.hip", scratch_->path(), ++files_);
  TRY(write_file(path, text));
  return path;
}

std::vector<std::string> McpHost::sources_of(std::string_view kernel) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> naming, others;
  for (const std::string& path : project_sources()) {
    const auto text = read_text_file(path);
    if (!text || text->find("__global__") == std::string::npos) continue;
    const bool names = !kernel.empty() && text->find(kernel) != std::string::npos;
    (names ? naming : others).push_back(path);
  }
  naming.insert(naming.end(), others.begin(), others.end());
  if (naming.size() > kMost) naming.resize(kMost);
  return naming;
}

}  // namespace rpl
