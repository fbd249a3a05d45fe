// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/approve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/optimize/loop/propose.h"

namespace rpl {
namespace {

Failure not_in_state(const Proposal& proposal, std::string_view wanted, std::string hint) {
  return fail(Errc::denied,
              fmt::format("{} is {}, not {}", proposal.id(), to_string(proposal.state), wanted),
              std::move(hint));
}

}  // namespace

Status approve(Proposal& proposal, ProposalStore& store) {
  if (proposal.state != ProposalState::accepted) {
    return not_in_state(proposal, "accepted",
                        proposal.open()
                            ? fmt::format("'finish {}' takes it to its decision", proposal.id())
                            : fmt::format("'info proposal {}' shows why", proposal.id()));
  }
  if (!proposal.flags.empty()) {
    return fail(Errc::unsupported,
                fmt::format("{} changes how the program is compiled, no source", proposal.id()),
                fmt::format("add '{}' where the program is built, and start over with --flag",
                            fmt::join(proposal.flags, " ")));
  }
  const Optimization optimization = TRY(store.optimization(proposal.optimization));
  const std::string now = TRY(read_text_file(optimization.source));
  const std::string candidate = TRY(read_text_file(proposal.candidate_source()));
  if (now != candidate) {
    TRY(check_source(optimization, proposal.id() + " was proposed"));
    TRY(write_file(proposal.backup(), now));
    TRY(write_file(optimization.source, candidate));
  }
  proposal.state = ProposalState::approved;
  return store.save(proposal);
}

Status revert(Proposal& proposal, ProposalStore& store) {
  if (proposal.state != ProposalState::approved) return not_in_state(proposal, "approved", "");
  const Optimization optimization = TRY(store.optimization(proposal.optimization));
  const std::string now = TRY(read_text_file(optimization.source));
  const std::string before = TRY(read_text_file(proposal.backup()));
  if (now != before) {
    if (now != TRY(read_text_file(proposal.candidate_source()))) {
      return fail(
          Errc::denied,
          fmt::format("{} changed since {} was approved", optimization.source, proposal.id()),
          fmt::format("the file as it was before is {}", proposal.backup()));
    }
    TRY(write_file(optimization.source, before));
  }
  proposal.state = ProposalState::reverted;
  return store.save(proposal);
}

Status reject(Proposal& proposal, const std::string& why, ProposalStore& store) {
  if (proposal.state == ProposalState::approved) {
    return not_in_state(proposal, "open", fmt::format("'revert {}' takes it back", proposal.id()));
  }
  proposal.state = ProposalState::rejected;
  proposal.decided_at = Stage::person;
  proposal.reasons = {{"rejected-by-person", why}};
  return store.save(proposal);
}

}  // namespace rpl
