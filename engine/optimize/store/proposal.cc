// SPDX-License-Identifier: MIT
#include "engine/optimize/store/proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/optimize/store/record_fields.h"

namespace rpl {
namespace {

constexpr std::array<std::string_view, 10> kStateNames{
    "proposed", "guarded",  "built",    "screened", "verified",
    "measured", "accepted", "rejected", "approved", "reverted"};

constexpr std::array<std::string_view, 17> kStageNames{
    "profile", "select",  "propose", "guard", "build",       "screen",
    "verify",  "measure", "decide",  "again", "application", "target",
    "capture", "round",   "confirm", "end",   "person"};

/// The value of an enumeration whose names stand in its order.
template <class Enum>
std::optional<Enum> named(const auto& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

List reasons_list(const std::vector<Reason>& reasons) {
  List out;
  for (const Reason& reason : reasons) {
    out.emplace_back(Record{{"rule", reason.rule},
                            {"message", reason.message},
                            {"line", reason.line > 0 ? Value(reason.line) : Value()}});
  }
  return out;
}

/// Reasons of one record; `outer` learns of those that cannot be read.
std::vector<Reason> reasons_in(RecordFields& outer) {
  std::vector<Reason> out;
  for (const Value& item : outer.get<List>("reasons")) {
    RecordFields reason(item, "proposal");
    const Value* line = item.find("line");
    const std::int64_t* number = line ? line->as<std::int64_t>() : nullptr;
    out.push_back({reason.get<std::string>("rule"), reason.get<std::string>("message"),
                   number ? *number : 0});
    if (!reason.status()) outer.reject("reasons");
  }
  return out;
}

}  // namespace

std::string_view to_string(ProposalState state) {
  return kStateNames[static_cast<std::size_t>(state)];
}

std::optional<ProposalState> proposal_state(std::string_view name) {
  return named<ProposalState>(kStateNames, name);
}

std::string_view to_string(Stage stage) { return kStageNames[static_cast<std::size_t>(stage)]; }

std::optional<Stage> stage_named(std::string_view name) { return named<Stage>(kStageNames, name); }

Value to_value(const Optimization& optimization) {
  return Record{{"number", optimization.number},
                {"kernel", optimization.kernel},
                {"source", optimization.source},
                {"source_versions", text_list(optimization.source_versions)},
                {"parent", optimization.parent},
                {"capture", optimization.capture},
                {"architecture", optimization.architecture},
                {"flags", text_list(optimization.flags)},
                {"reached", to_string(optimization.reached)},
                {"profile", optimization.profile}};
}

Value to_value(const Proposal& proposal) {
  return Record{{"number", proposal.number},
                {"optimization", proposal.optimization},
                {"origin", proposal.origin},
                {"rule", proposal.rule},
                {"title", proposal.title},
                {"why", proposal.why},
                {"bit_exact", proposal.bit_exact},
                {"header_edit", proposal.header_edit},
                {"assumes", proposal.assumes},
                {"flags", List(proposal.flags.begin(), proposal.flags.end())},
                {"state", to_string(proposal.state)},
                {"decided_at", proposal.decided_by()},
                {"reasons", reasons_list(proposal.reasons)},
                {"evidence", proposal.evidence}};
}

Result<Optimization> optimization_from(const Value& value) {
  RecordFields fields(value, "optimization");
  Optimization out;
  out.number = fields.get<std::int64_t>("number");
  out.kernel = fields.get<std::string>("kernel");
  out.source = fields.get<std::string>("source");
  // Sessions of earlier versions know one text and no parents.
  if (value.find("source_versions") == nullptr) {
    out.source_versions = {fields.get<std::string>("source_sha256")};
  } else {
    out.source_versions = fields.strings("source_versions");
    out.parent = fields.get<std::int64_t>("parent");
  }
  out.capture = fields.get<std::string>("capture");
  out.architecture = fields.get<std::string>("architecture");
  out.flags = fields.strings("flags");
  out.reached = fields.word("reached", stage_named);
  out.profile = fields.get<Record>("profile");
  TRY(fields.status());
  return out;
}

Result<Proposal> proposal_from(const Value& value) {
  RecordFields fields(value, "proposal");
  Proposal out;
  out.number = fields.get<std::int64_t>("number");
  out.optimization = fields.get<std::int64_t>("optimization");
  out.origin = fields.get<std::string>("origin");
  out.rule = fields.get<std::string>("rule");
  out.title = fields.get<std::string>("title");
  out.why = fields.get<std::string>("why");
  out.bit_exact = fields.get<bool>("bit_exact");
  out.header_edit = fields.text_or_none("header_edit");
  out.assumes = fields.text_or_none("assumes");
  out.flags = fields.strings_or_none("flags");
  out.state = fields.word("state", proposal_state);
  if (!fields.get<std::string>("decided_at").empty())
    out.decided_at = fields.word("decided_at", stage_named);
  out.reasons = reasons_in(fields);
  out.evidence = fields.get<Record>("evidence");
  TRY(fields.status());
  return out;
}

}  // namespace rpl
