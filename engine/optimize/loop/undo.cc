// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/undo.h"

#include <fmt/format.h>

#include <set>

#include "engine/optimize/loop/approve.h"

namespace rpl {
namespace {

bool is_a_persons(const Proposal& record) {
  return record.state == ProposalState::approved || record.state == ProposalState::reverted ||
         (record.state == ProposalState::rejected && record.decided_at == Stage::person);
}

/// The record of the same proposal that came before `at`; the decision itself is never the first.
const Proposal* before(const std::vector<Proposal>& records, std::size_t at) {
  for (std::size_t i = at; i-- > 0;) {
    if (records[i].number == records[at].number) return &records[i];
  }
  return nullptr;
}

}  // namespace

Result<Undone> undo_decision(ProposalStore& store) {
  const std::vector<Proposal> records = TRY(store.records());
  std::set<std::int64_t>
      later;  // proposals about which something newer is known: what was decided before no longer stands
  for (std::size_t i = records.size(); i-- > 0;) {
    if (!later.insert(records[i].number).second || !is_a_persons(records[i])) continue;
    const Proposal* earlier = before(records, i);
    if (earlier == nullptr) continue;
    Undone out{.proposal = records[i], .decision = records[i].state};
    if (out.decision == ProposalState::approved) TRY(revert(out.proposal, store));
    if (out.decision == ProposalState::reverted) {
      out.proposal.state = ProposalState::accepted;
      TRY(approve(out.proposal, store));
      return out;
    }
    out.proposal = *earlier;
    TRY(store.save(out.proposal));
    return out;
  }
  return fail(Errc::not_found, "no approval, reversal or rejection is left to undo",
              "'info proposals' shows how each stands");
}

}  // namespace rpl
