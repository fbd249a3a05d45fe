// SPDX-License-Identifier: MIT
#include "shell/commands/kernel/launch_comment.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/isa/traits/architecture.h"
#include "shell/commands/kernel/kernel_arguments.h"

namespace rpl {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t from = text.find_first_not_of(" \t\r");
    if (from == std::string_view::npos) return out;
    text.remove_prefix(from);
    const std::size_t end = std::min(text.find_first_of(" \t\r"), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

Failure not_taken(const std::string& word) {
  return fail(Errc::usage, fmt::format("a launch has no '{}'", word),
              "as in: launch: --grid 1024 --workgroup 64 --arg f32:random(1):1024 --arg i32:1024");
}

/// Of what such a line begins with in HIP sources and in LLVM IR; 0 for other lines.
std::size_t length_of_word(std::string_view line) {
  for (const std::string_view word : {"// launch", "; launch"}) {
    if (line.starts_with(word)) return word.size();
  }
  return 0;
}

}  // namespace

Result<LaunchComment> parse_launch(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  LaunchComment out;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (i + 1 == words.size()) return not_taken(words[i]);
    const std::string &name = words[i], &value = words[i + 1];
    if (name == "--grid") {
      out.grid = value;
    } else if (name == "--programs") {
      out.programs = value;
    } else if (name == "--workgroup") {
      out.workgroup = value;
    } else if (name == "--arg") {
      out.arguments.push_back(value);
    } else if (name == "--dynamic-lds") {
      const auto bytes = whole_number<std::int64_t>(value);
      if (!bytes || *bytes < 0 || *bytes > isa::kMostLdsBytes) return not_taken(value);
      out.dynamic_lds = *bytes;
    } else {
      return not_taken(name);
    }
  }
  if (out.programs.empty() && (out.grid.empty() || out.workgroup.empty()))
    return fail(Errc::usage, "a launch without --grid and --workgroup", "give both");
  return out;
}

Result<std::vector<LaunchComment>> launch_comments(std::string_view source) {
  std::vector<LaunchComment> out;
  for (std::size_t number = 1; !source.empty(); ++number) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    std::string_view line = source.substr(0, end);
    source.remove_prefix(std::min(end + 1, source.size()));
    const std::size_t colon = line.find(':');
    const std::size_t from = length_of_word(line);
    if (from == 0 || colon == std::string_view::npos) continue;
    const std::vector<std::string> name = words_of(line.substr(from, colon - from));
    if (name.size() > 1) continue;
    auto launch = parse_launch(line.substr(colon + 1));
    if (!launch) return Failure(Error(launch.error()).in(fmt::format("line {}", number)));
    if (!name.empty()) launch->kernel = name.front();
    out.push_back(std::move(*launch));
  }
  return out;
}

const LaunchComment* launch_for(const std::vector<LaunchComment>& all, std::string_view kernel) {
  const auto of = [&](std::string_view name) {
    const auto at = std::ranges::find(all, name, &LaunchComment::kernel);
    return at == all.end() ? nullptr : &*at;
  };
  const LaunchComment* own = of(kernel);
  return own != nullptr ? own : of("");
}

Result<emu::KernelRun> run_of_launch(const LaunchComment& launch,
                                     std::shared_ptr<const isa::CodeObject> object,
                                     const std::string& kernel, const TritonLaunch& triton) {
  emu::KernelRun run;
  run.object = std::move(object);
  const isa::Kernel* found = TRY(run.object->kernel(kernel));
  run.kernel = found->name;
  run.workgroup = TRY(triton.workgroup(launch.workgroup));
  run.grid = TRY(parse_launch_grid(launch.grid, launch.programs, run.workgroup));
  constexpr std::uint64_t kCopies = 5;
  const std::uint64_t most = physical_memory_bytes() / kCopies;
  if (buffer_bytes(launch.arguments, *found) > most)
    return fail(Errc::limit, "the buffers of the launch are too large for this machine",
                fmt::format("it has room for {} of buffers", format_bytes(most)));
  const auto lds = static_cast<std::int64_t>(isa::traits(run.object->arch()).lds_bytes);
  const std::int64_t asked = launch.dynamic_lds.value_or(triton.dynamic_lds_bytes());
  if (asked > lds)
    return fail(Errc::usage, fmt::format("--dynamic-lds of {} bytes", asked),
                fmt::format("a compute unit has {} bytes of LDS", lds));
  run.dynamic_lds_bytes = static_cast<std::uint32_t>(asked);
  std::vector<std::string> ignored;
  run.arguments =
      TRY(parse_kernel_arguments(triton.with_scratch(launch.arguments, run, ignored), *found));
  return run;
}

}  // namespace rpl
