// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/approve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <set>

#include "engine/base/files.h"
#include "engine/base/output_file.h"
#include "engine/device/cycle/parameters.h"
#include "engine/optimize/loop/hashes.h"
#include "engine/optimize/loop/propose.h"

namespace rpl {
namespace {

Failure not_in_state(const Proposal& proposal, std::string_view wanted, std::string hint) {
  return fail(Errc::denied,
              fmt::format("{} is {}, not {}", proposal.id(), to_string(proposal.state), wanted),
              std::move(hint));
}

/// What was proven is what the session holds: the base, the code that ran, and what was found.
Status check_judged(const Proposal& proposal, const Optimization& optimization) {
  TRY(check_files(proposal, optimization.base_source()));
  return check_hash(proposal, JudgedFile::evidence, evidence_text(proposal),
                    "the evidence of " + proposal.id());
}

}  // namespace

std::optional<std::string> model_changed(const Proposal& proposal) {
  const std::string model = text_in(proposal.evidence, "measure", "model");
  if (model.empty() || model.starts_with(std::string(cycle::kModel) + " ")) return std::nullopt;
  return fmt::format("{} was timed by {}; the model is {} now and may see it otherwise",
                     proposal.id(), model, cycle::kModel);
}

Result<std::string> judged_candidate(const Proposal& proposal) {
  std::string candidate = TRY(read_text_file(proposal.candidate_source()));
  TRY(check_hash(proposal, JudgedFile::candidate, candidate, proposal.candidate_source()));
  return candidate;
}

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
  TRY(check_judged(proposal, optimization));
  const std::string now = TRY(read_text_file(optimization.source));
  // The text that is hashed is the text that is written.
  const std::string candidate = TRY(judged_candidate(proposal));
  if (now != candidate) {
    TRY(check_source(optimization, proposal.id() + " was proposed"));
    TRY(write_file(proposal.backup(), now));
    keep_hash(proposal, JudgedFile::before_approval, now);
    TRY(write_approved_file(optimization.source, candidate));
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
    TRY(check_hash(proposal, JudgedFile::before_approval, before, proposal.backup()));
    if (now != TRY(read_text_file(proposal.candidate_source()))) {
      return fail(
          Errc::denied,
          fmt::format("{} changed since {} was approved", optimization.source, proposal.id()),
          fmt::format("the file as it was before is {}", proposal.backup()));
    }
    TRY(write_approved_file(optimization.source, before));
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

Result<Undone> undo_decision(ProposalStore& store, const MayWrite& may_write) {
  const std::vector<Proposal> records = TRY(store.records());
  std::set<std::int64_t>
      later;  // proposals about which something newer is known: what was decided before no longer stands
  for (std::size_t i = records.size(); i-- > 0;) {
    if (!later.insert(records[i].number).second || !is_a_persons(records[i])) continue;
    const Proposal* earlier = before(records, i);
    if (earlier == nullptr) continue;
    Undone out{.proposal = records[i], .decision = records[i].state};
    if (out.decision != ProposalState::rejected) TRY(may_write());
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
