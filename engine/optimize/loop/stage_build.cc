// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <atomic>
#include <filesystem>

#include "engine/base/numbers.h"
#include "engine/optimize/loop/stages.h"
#include "engine/source/build/build.h"

namespace rpl {
namespace {

void add_errors(const BuildOutcome& built, std::vector<Reason>& reasons) {
  constexpr std::size_t kMost = 5;
  for (const Diagnostic& diagnostic : built.diagnostics) {
    if (!diagnostic.severity.ends_with("error") || reasons.size() == kMost) continue;
    reasons.push_back({"does-not-compile", diagnostic.message, diagnostic.line});
  }
}

std::vector<std::string> include_folders(const Optimization& optimization) {
  return {std::filesystem::path(optimization.source).parent_path().string()};
}

BuildRequest build_of(const Proposal& proposal, const Optimization& optimization) {
  std::vector<std::string> flags = optimization.flags;
  flags.insert(flags.end(), proposal.flags.begin(), proposal.flags.end());
  return {.source = proposal.candidate_source(),
          .architecture = optimization.architecture,
          .output = proposal.candidate_object(),
          .include_folders = include_folders(optimization),
          .flags = std::move(flags),
          .confined = true};
}

}  // namespace

Result<StageOutcome> build_stage(const Proposal& proposal, const Workbench& bench) {
  const Optimization& optimization = *bench.optimization;
  auto tried = build_hip(TRY(bench.compiler()), build_of(proposal, optimization));
  StageOutcome out;
  if (!tried && tried.error().code == Errc::limit) {
    // That of one candidate; the loop goes on.
    out.reasons.push_back({"does-not-compile", tried.error().message, 0});
    out.found = fmt::format("it does not compile: {}", tried.error().message);
    return out;
  }
  const BuildOutcome built = TRY(std::move(tried));
  out.passed = built.built;
  out.facts = {{"compiler", built.compiler.version},
               {"chosen", built.compiler.chosen},
               {"command", built.command}};
  if (built.cached) out.facts.emplace_back("cached", Value(true));
  if (built.built) {
    out.found = fmt::format("compiled for {}", optimization.architecture);
  } else {
    add_errors(built, out.reasons);
    out.found = fmt::format("it does not compile: {}", first_error(built));
  }
  return out;
}

Result<std::shared_ptr<const isa::CodeObject>> built_otherwise(const std::string& source,
                                                               std::vector<std::string> flags,
                                                               const Proposal& proposal,
                                                               const Workbench& bench) {
  const Optimization& optimization = *bench.optimization;
  const std::filesystem::path plain(proposal.candidate_object());
  // Several may be built at once.
  static std::atomic<unsigned> builds = 0;
  const std::string name = fmt::format("other_build_{}.co", ++builds);
  const BuildRequest request{.source = source,
                             .architecture = optimization.architecture,
                             .output = (plain.parent_path() / name).string(),
                             .include_folders = include_folders(optimization),
                             .flags = std::move(flags),
                             .confined = true};
  const BuildOutcome built = TRY(build_hip(TRY(bench.compiler()), request));
  if (!built.built)
    return fail(Errc::corrupt, "it does not compile: " + first_error(built),
                "'info proposal' has the flags of the build that compiles");
  auto object = isa::CodeObject::open(request.output);
  std::error_code ignored;
  std::filesystem::remove(request.output, ignored);
  return object;
}

Result<bool> built_equal_again(const Proposal& proposal, const Workbench& bench) {
  if (!bench.compiler)
    return fail(Errc::missing_capability, "no compiler is at hand",
                "'doctor' tells how to get one; 'set build compiler' names one");
  return builds_equal_again(TRY(bench.compiler()), build_of(proposal, *bench.optimization));
}

}  // namespace rpl
