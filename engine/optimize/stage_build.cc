// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <filesystem>

#include "engine/base/units.h"
#include "engine/build/build.h"
#include "engine/optimize/stages.h"

namespace rpl {
namespace {

void add_errors(const BuildOutcome& built, std::vector<Reason>& reasons) {
  constexpr std::size_t kMost = 5;
  for (const Diagnostic& diagnostic : built.diagnostics) {
    if (!diagnostic.severity.ends_with("error") || reasons.size() == kMost) continue;
    reasons.push_back({"does-not-compile", diagnostic.message, diagnostic.line});
  }
}

}  // namespace

Result<StageOutcome> build_stage(const Proposal& proposal, const Workbench& bench) {
  const Compiler compiler = TRY(bench.compiler());
  const Optimization& optimization = *bench.optimization;
  std::vector<std::string> flags = optimization.flags;
  flags.insert(flags.end(), proposal.flags.begin(), proposal.flags.end());
  const BuildOutcome built = TRY(build_hip(
      compiler, {.source = proposal.candidate_source(),
                 .architecture = optimization.architecture,
                 .output = proposal.candidate_object(),
                 .include_folders = {std::filesystem::path(optimization.source).parent_path().string()},
                 .flags = flags}));
  StageOutcome out;
  out.passed = built.built;
  out.facts = {{"compiler", compiler.version}, {"command", built.command}};
  if (built.built) {
    out.found = fmt::format("compiled for {}", optimization.architecture);
  } else {
    add_errors(built, out.reasons);
    out.found = fmt::format("it does not compile: {}", first_error(built));
  }
  return out;
}

}  // namespace rpl
