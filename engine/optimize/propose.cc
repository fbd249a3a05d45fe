// SPDX-License-Identifier: MIT
#include "engine/optimize/propose.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/propose/diff.h"

namespace rpl {
namespace {

/// Files first, then the event that speaks of them.
Status keep(Proposal& proposal, const Optimization& optimization, const std::string& base,
            const std::string& candidate, ProposalStore& store) {
  const std::string name = std::filesystem::path(optimization.source).filename().string();
  proposal.optimization = optimization.number;
  TRY(store.claim(proposal));
  TRY(write_file(proposal.candidate_source(), candidate));
  TRY(write_file(proposal.patch(), unified_diff(base, candidate, "a/" + name, "b/" + name)));
  return store.save(proposal);
}

const Proposal* same_edit(const std::vector<Proposal>& known, const Optimization& optimization,
                          const RuleEdit& edit) {
  for (const Proposal& proposal : known) {
    if (proposal.optimization == optimization.number && proposal.rule == edit.rule && proposal.title == edit.title) {
      return &proposal;
    }
  }
  return nullptr;
}

}  // namespace

bool is_known_source(const Optimization& optimization, std::string_view text) {
  return std::ranges::find(optimization.source_versions, sha256_hex(text)) != optimization.source_versions.end();
}

Status check_source(const Optimization& optimization, std::string_view since) {
  if (is_known_source(optimization, TRY(read_text_file(optimization.source)))) return {};
  return fail(Errc::denied, fmt::format("{} changed since {}", optimization.source, since),
              "'step --again' starts from the source as it is now");
}

Result<RuleProposals> propose_by_rules(const Optimization& optimization, ProposalStore& store) {
  TRY(check_source(optimization));
  const std::string base = TRY(read_text_file(optimization.base_source()));
  RuleOutcome outcome = TRY(propose_unroll(base, optimization.kernel));
  RuleProposals out;
  out.refusals = std::move(outcome.refusals);
  const std::vector<Proposal> known = store.of_current();
  for (const RuleEdit& edit : outcome.edits) {
    // A program killed on the way left the first few behind.
    if (const Proposal* before = same_edit(known, optimization, edit)) {
      out.made.push_back(*before);
      continue;
    }
    Proposal proposal;
    proposal.origin = "rule";
    proposal.rule = edit.rule;
    proposal.title = edit.title;
    proposal.why = edit.why;
    proposal.bit_exact = true;  // unrolling keeps the order of every operation
    TRY(keep(proposal, optimization, base, edit.source, store));
    out.made.push_back(std::move(proposal));
  }
  return out;
}

Result<Proposal> propose_edit(const Optimization& optimization, const std::string& edited_file, std::string title,
                              ProposalStore& store) {
  TRY(check_source(optimization));
  const std::string base = TRY(read_text_file(optimization.base_source()));
  const std::string candidate = TRY(read_text_file(edited_file));
  if (candidate == base) {
    return fail(Errc::usage, fmt::format("{} is the source as it stands: nothing is changed", edited_file));
  }
  Proposal proposal;
  proposal.origin = "edit";
  const std::string name = std::filesystem::path(edited_file).filename().string();
  proposal.title = title.empty() ? fmt::format("edit from {}", name) : std::move(title);
  TRY(keep(proposal, optimization, base, candidate, store));
  return proposal;
}

}  // namespace rpl
