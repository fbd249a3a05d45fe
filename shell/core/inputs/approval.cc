// SPDX-License-Identifier: MIT
#include "shell/core/inputs/approval.h"

#include <fmt/format.h>

#include <cstdlib>

#include "engine/optimize/loop/approve.h"
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

/// A modelled gain is no measured one: a person says yes to that a second time.
Status consent(Face& face, const Proposal& proposal, bool given) {
  if (given || text_in(proposal.evidence, "measure", "time_source") == "measured") return {};
  const std::string model = text_in(proposal.evidence, "measure", "model");
  const auto changed = model_changed(proposal);
  if (face.confirm(fmt::format(
          "{} was timed by the model {}, not on a GPU. {}Write it to the file all the same?",
          proposal.id(), model, changed ? *changed + ". " : ""))) {
    return {};
  }
  return fail(Errc::denied,
              fmt::format("{} was timed by the model {}, not on a GPU", proposal.id(), model),
              fmt::format("'approve {} --accept-modelled' writes it all the same", proposal.id()));
}

bool is_refused() {
  const char* state = std::getenv(kApprovalVariable);
  return state != nullptr && std::string_view(state) == kApprovalRefused;
}

}  // namespace

Status person_allows(std::string_view command) {
  if (!is_refused()) return {};
  return fail(Errc::denied,
              "an agent drives this rpl, and what changes your files is a person's decision",
              fmt::format("a person types '{}' in a shell of their own, or starts the agent's "
                          "with: rpl --interpreter mcp -ex 'set mcp approve on'",
                          command));
}

void add_agent_settings(Settings& settings) {
  settings.add("mcp approve", false,
               "let an agent (--interpreter mcp) write proposals into sources; counts where rpl is "
               "started: -ex, or an init file",
               [](const Value& value) -> Status {
                 if (!(value == Value(true)) || !is_refused()) return {};
                 return fail(Errc::denied,
                             "only a person switches this on, before the agent begins",
                             "rpl --interpreter mcp -ex 'set mcp approve on'");
               });
  settings.add("mcp rows", 100, at_least(0),
               "most rows that a tool of --interpreter mcp returns unless it is asked for more; 0: "
               "all");
}

Result<Proposal> approve_as_person(Face& face, Events& events, ProposalStore& store,
                                   const std::string& reference, bool accept_modelled) {
  TRY(person_allows("approve " + reference));
  Proposal proposal = TRY(store.proposal(reference));
  const Optimization optimization = TRY(store.optimization(proposal.optimization));
  if (proposal.state == ProposalState::accepted) {
    TRY(consent(face, proposal, accept_modelled));
    TRY(events.emit("before_approve",
                    to_value(kBeforeApprove, Approval{&proposal, &optimization})));
  }
  TRY(approve(proposal, store));
  return proposal;
}

}  // namespace rpl
