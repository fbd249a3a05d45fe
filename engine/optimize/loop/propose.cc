// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/propose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/optimize/loop/candidate_launch.h"
#include "engine/optimize/loop/fusion.h"
#include "engine/optimize/loop/hashes.h"
#include "engine/optimize/rules/diff.h"

namespace rpl {
namespace {

/// Files first, then the event that speaks of them.
Status keep(Proposal& proposal, const Optimization& optimization, const std::string& base,
            const std::string& candidate, ProposalStore& store) {
  const std::string name = std::filesystem::path(optimization.source).filename().string();
  proposal.optimization = optimization.number;
  TRY(store.claim(proposal));
  keep_hash(proposal, JudgedFile::base, base);
  keep_hash(proposal, JudgedFile::candidate, candidate);
  TRY(write_file(proposal.candidate_source(), candidate));
  TRY(write_file(proposal.patch(), unified_diff(base, candidate, "a/" + name, "b/" + name)));
  return store.save(proposal);
}

const Proposal* same_edit(const std::vector<Proposal>& known, const Optimization& optimization,
                          const RuleEdit& edit) {
  for (const Proposal& proposal : known) {
    if (proposal.optimization == optimization.number && proposal.rule == edit.rule &&
        proposal.title == edit.title) {
      return &proposal;
    }
  }
  return nullptr;
}

}  // namespace

bool is_known_source(const Optimization& optimization, std::string_view text) {
  return std::ranges::find(optimization.source_versions, sha256_hex(text)) !=
         optimization.source_versions.end();
}

Status check_source(const Optimization& optimization, std::string_view since) {
  if (is_known_source(optimization, TRY(read_text_file(optimization.source)))) return {};
  return fail(Errc::denied, fmt::format("{} changed since {}", optimization.source, since),
              "'step --again' starts from the source as it is now");
}

LaunchFacts launch_facts(const Capture& capture, const std::string& folder) {
  LaunchFacts out;
  out.grid = capture.grid;
  out.workgroup = capture.workgroup;
  if (const auto object = object_of(capture)) {
    if (const auto kernel = (*object)->kernel(capture.kernel)) out.wave_size = (*kernel)->wave_size;
  }
  out.capture = std::filesystem::path(folder).filename().string();
  for (const CapturedArgument& argument : capture.arguments) {
    std::optional<CapturedPointer> pointer;
    const bool whole = argument.buffer && argument.region < capture.regions.size() &&
                       argument.kernarg_size == sizeof(std::uint64_t) &&
                       argument.kernarg_offset + sizeof(std::uint64_t) <= capture.kernarg.size();
    if (whole) {
      const CapturedRegion& region = capture.regions[argument.region];
      pointer.emplace();
      std::memcpy(&pointer->address, capture.kernarg.data() + argument.kernarg_offset,
                  sizeof pointer->address);
      pointer->region_begin = region.base;
      pointer->region_end = region.base + region.size;
      pointer->of_variable = !region.variable.empty();
    }
    out.parameters.push_back(pointer);
  }
  return out;
}

std::vector<RankedBottleneck> ranked_bottlenecks(const Record& profile) {
  const auto number = [&](std::string_view name) {
    for (const auto& [key, value] : profile) {
      if (key == name) return value.number().value_or(0);
    }
    return 0.0;
  };
  // Waits overlap with the work of other waves; as an order of what to try first their shares of the lifetimes do.
  const double lifetime = number("wave_cycles");
  const double memory = lifetime > 0 ? std::min(1.0, number("vmem_wait_cycles") / lifetime) : 0;
  const double lds = lifetime > 0 ? std::min(1.0, number("lds_wait_cycles") / lifetime) : 0;
  const double conflicts = number("lds_accesses") > 0
                               ? std::min(1.0, number("lds_conflicts") / number("lds_accesses"))
                               : 0;
  double scratch = 0;
  for (const auto& [key, value] : profile) {
    const Value* bytes = key == "static" ? value.find("scratch_bytes") : nullptr;
    if (bytes != nullptr && bytes->number().value_or(0) > 0) scratch = 1;
  }
  const double lanes_bytes = number("load_bytes") + number("store_bytes");
  // Few bytes of each transaction used: lines travel for nothing, which is bandwidth more than latency.
  const double wasted = number("transactions") > 0
                            ? 1 - std::min(1.0, lanes_bytes / (64 * number("transactions")))
                            : 0;
  std::vector<RankedBottleneck> out{
      {Bottleneck::lds, std::max(lds, conflicts)},
      {Bottleneck::memory_latency, memory},
      {Bottleneck::memory_bandwidth, memory * wasted},
      {Bottleneck::occupancy, scratch},
      {Bottleneck::compute, lifetime > 0 ? std::max(0.0, 1 - memory - lds) : 0}};
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return out;
}

Result<RuleProposals> propose_by_rules(const Optimization& optimization, ProposalStore& store,
                                       const RuleChoice& choice) {
  TRY(check_source(optimization));
  const std::string base = TRY(read_text_file(optimization.base_source()));
  const Capture capture = TRY(read_capture(optimization.capture));
  LaunchFacts launches = launch_facts(capture, optimization.capture);
  const LaunchSize size = TRY(launch_size(capture, optimization.launch));
  launches.grid = size.grid;
  launches.workgroup = size.workgroup;
  launches.next_kernel = fusable_kernel(optimization, capture);
  RuleRequest request{.scope = choice.scope,
                      .rule = choice.rule,
                      .launches = &launches,
                      .assume_captured = choice.assume_captured,
                      .user_rules = choice.user_rules};
  for (const RankedBottleneck& ranked : ranked_bottlenecks(optimization.profile))
    request.diagnosis.push_back(ranked.bottleneck);
  RuleOutcome outcome = TRY(propose_by_catalogue(base, optimization.kernel, request));
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
    proposal.bit_exact = edit.bit_exact;
    proposal.header_edit = edit.header ? to_text(*edit.header) : "";
    proposal.assumes = edit.assumes;
    proposal.flags = edit.flags;
    proposal.launch = both(optimization.launch, edit.launch);
    std::string text;
    if (edit.fuses) {
      FusedSource fused = TRY(fused_source(optimization, capture, base, edit.source));
      proposal.fusion = std::move(fused.plan);
      text = std::move(fused.source.text);
    } else {
      text = TRY(launched_source(optimization, capture, edit.source, proposal.launch)).text;
    }
    TRY(keep(proposal, optimization, base, text, store));
    out.made.push_back(std::move(proposal));
  }
  return out;
}

Result<Proposal> propose_edit(const Optimization& optimization, const std::string& edited_file,
                              std::string title, ProposalStore& store, const LaunchPlan& launch) {
  TRY(check_source(optimization));
  const std::string base = TRY(read_text_file(optimization.base_source()));
  std::string candidate = TRY(read_text_file(edited_file));
  if (candidate == base && launch.empty()) {
    return fail(Errc::usage,
                fmt::format("{} is the source as it stands: nothing is changed", edited_file),
                "edit the copy, then 'propose edit FILE'");
  }
  Proposal proposal;
  proposal.origin = "edit";
  proposal.launch = both(optimization.launch, launch);
  const bool one_more = launch.empty() && has_one_kernel_more(base, candidate);
  if (one_more || !launch.empty()) {
    const Capture capture = TRY(read_capture(optimization.capture));
    if (one_more && !capture.then.empty()) {
      FusedSource fused = TRY(fused_source(optimization, capture, base, candidate));
      candidate = std::move(fused.source.text);
      if (title.empty()) title = fmt::format("{} instead of two launches", fused.plan.kernel);
      proposal.fusion = std::move(fused.plan);
    } else if (!launch.empty()) {
      candidate = TRY(launched_source(optimization, capture, candidate, proposal.launch)).text;
      if (title.empty()) title = fmt::format("launch with {}", to_text(launch));
    }
  }
  const std::string name = std::filesystem::path(edited_file).filename().string();
  proposal.title = title.empty() ? fmt::format("edit from {}", name) : std::move(title);
  TRY(keep(proposal, optimization, base, candidate, store));
  return proposal;
}

Result<Proposal> propose_text(const Optimization& optimization, Proposal draft,
                              const std::string& candidate, ProposalStore& store) {
  TRY(check_source(optimization));
  draft.launch = optimization.launch;
  TRY(keep(draft, optimization, TRY(read_text_file(optimization.base_source())), candidate, store));
  return draft;
}

}  // namespace rpl
