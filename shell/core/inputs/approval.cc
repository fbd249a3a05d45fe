// SPDX-License-Identifier: MIT
#include "shell/core/inputs/approval.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "engine/base/encode.h"
#include "engine/base/files.h"
#include "engine/base/policy.h"
#include "engine/base/sha256.h"
#include "engine/optimize/loop/approve.h"
#include "engine/optimize/rules/diff.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/events.h"
#include "shell/core/session/face.h"

namespace rpl {
namespace {

struct Approval {
  const Proposal* proposal = nullptr;
  const Optimization* optimization = nullptr;

  [[nodiscard]] std::optional<double> ratio() const {
    return number_in(proposal->evidence, "decide", "ratio");
  }
};

constexpr auto kBeforeApprove = bound_to<Approval>(
    column<&Approval::proposal, &Proposal::id>("proposal", "that is about to be written")
        .as(Type::id),
    column<&Approval::proposal, &Proposal::title>("title", "what it is"),
    column<&Approval::optimization, &Optimization::source>("source", "the file that changes"),
    column<&Approval::ratio>("ratio", "how many times as fast it is"));

/// How many lines a change adds and takes away.
std::string size_of(std::string_view diff) {
  std::size_t added = 0, removed = 0;
  while (!diff.empty()) {
    const std::string_view line = diff.substr(0, diff.find('\n'));
    diff.remove_prefix(std::min(diff.size(), line.size() + 1));
    added += line.starts_with('+') && !line.starts_with("+++") ? 1 : 0;
    removed += line.starts_with('-') && !line.starts_with("---") ? 1 : 0;
  }
  return fmt::format("+{} -{} lines", added, removed);
}

/// A kernel that is launched as before although it was verified with another launch computes something else.
Status check_launch(const Proposal& proposal, const Optimization& optimization,
                    const Consent& given) {
  const std::string why = text_in(proposal.evidence, "guard", "launch_unwritten");
  if (why.empty() || given.launch_elsewhere) return {};
  return fail(
      Errc::denied,
      fmt::format("{} is right with another launch alone ({}), which is not written in {}: {}",
                  proposal.id(), text_in(proposal.evidence, "guard", "launch"), optimization.source,
                  why),
      fmt::format("change the launch where it is, and type 'approve {} --launch-elsewhere'",
                  proposal.id()));
}

/// Shows the change and asks. A modelled gain is no measured one, which the question says.
Status consent(Face& face, const Proposal& proposal, const Optimization& optimization,
               bool accepts_modelled) {
  const bool modelled = text_in(proposal.evidence, "measure", "time_source") != "measured";
  const std::string model = text_in(proposal.evidence, "measure", "model");
  const std::string timed =
      fmt::format("{} was timed by the model {}, not on a GPU", proposal.id(), model);
  if (modelled && !accepts_modelled && !face.at_terminal()) {
    return fail(
        Errc::denied, timed,
        fmt::format("'approve {} --accept-modelled' writes it all the same", proposal.id()));
  }
  const bool decided = policy().granted.has(Capability::approve) && (!modelled || accepts_modelled);
  if (decided || !face.at_terminal()) return {};
  const std::string candidate = TRY(judged_candidate(proposal));
  const std::string diff = unified_diff(TRY(read_text_file(optimization.source)), candidate,
                                        optimization.source, proposal.id());
  TRY(face.write(terminal_text(diff)));
  const auto changed = model_changed(proposal);
  constexpr std::size_t kShownDigits = 12;
  const std::string what =
      fmt::format("{}: {}, sha256 {}", terminal_line(optimization.source).bytes(), size_of(diff),
                  sha256_hex(candidate).substr(0, kShownDigits));
  const std::string question = modelled
                                   ? fmt::format("{}. {}. {}Write it to the file all the same?",
                                                 what, timed, changed ? *changed + ". " : "")
                                   : fmt::format("{}. Write it?", what);
  if (face.decide(question)) return {};
  return fail(Errc::denied, fmt::format("nobody said yes to {}", proposal.id()),
              fmt::format("'approve {}' asks again", proposal.id()));
}

bool is_refused() {
  const char* state = std::getenv(kApprovalVariable);
  return state != nullptr && std::string_view(state) == kApprovalRefused;
}

}  // namespace

Status person_allows(const Face& face, std::string_view command) {
  if (is_refused() && !policy().granted.has(Capability::approve)) {
    return fail(Errc::denied,
                "an agent drives this rpl, and what changes your files is a person's decision",
                fmt::format("a person types '{}' in a shell of their own, or starts the agent's "
                            "with: rpl --interpreter mcp --allow approve (or -ex 'set mcp approve "
                            "on')",
                            command));
  }
  TRY(check_allowed(Capability::approve, fmt::format("'{}'", command)));
  if (policy().granted.has(Capability::approve) || face.at_terminal()) return {};
  return fail(Errc::denied,
              fmt::format("'{}' writes into your sources, and nobody sits at a terminal to say yes",
                          command),
              fmt::format("type it at a terminal, or start with: rpl --allow approve {}", command));
}

void add_agent_settings(Settings& settings) {
  settings.add("mcp approve", false,
               "let an agent (--interpreter mcp) write proposals into sources; counts where rpl is "
               "started: -ex, or an init file");
  settings.guard("mcp approve", {Capability::approve});
  settings.add("mcp rows", 100, at_least(0),
               "most rows that a tool of --interpreter mcp returns unless it is asked for more; 0: "
               "all");
  settings.add("mcp bytes", 8192, at_least(0),
               "about how long a reply of --interpreter mcp may be; what is cut is kept under a "
               "handle; 0: any");
}

Result<Proposal> approve_as_person(Face& face, Events& events, ProposalStore& store,
                                   const std::string& reference, const Consent& given) {
  TRY(person_allows(face, "approve " + reference));
  Proposal proposal = TRY(store.proposal(reference));
  const Optimization optimization = TRY(store.optimization(proposal.optimization));
  if (proposal.state == ProposalState::accepted) {
    TRY(check_launch(proposal, optimization, given));
    TRY(consent(face, proposal, optimization, given.modelled));
    TRY(events.emit("before_approve",
                    to_value(kBeforeApprove, Approval{&proposal, &optimization})));
  }
  TRY(approve(proposal, store));
  return proposal;
}

}  // namespace rpl
