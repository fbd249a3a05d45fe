// SPDX-License-Identifier: MIT
#include "engine/optimize/store/proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/document/records.h"

namespace rpl {
namespace {

constexpr std::array<std::string_view, 10> kStateNames{
    "proposed", "guarded",  "built",    "screened", "verified",
    "measured", "accepted", "rejected", "approved", "reverted"};

constexpr std::array<std::string_view, 17> kStageNames{
    "profile", "select",  "propose", "guard", "build",       "screen",
    "verify",  "measure", "decide",  "again", "application", "target",
    "capture", "round",   "confirm", "end",   "person"};

/// A value of an enumeration whose names stand in its order.
template <class Enum>
bool read_name(const auto& names, std::string_view name, Enum& out) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return false;
  out = static_cast<Enum>(found - names.begin());
  return true;
}

constexpr auto kReason =
    bound_to<Reason>(column<&Reason::rule>("rule"), column<&Reason::message>("message"),
                     column<&Reason::line>("line").or_null());

}  // namespace

std::string_view to_string(ProposalState state) {
  return kStateNames[static_cast<std::size_t>(state)];
}

bool from_text(std::string_view name, ProposalState& state) {
  return read_name(kStateNames, name, state);
}

std::string_view to_string(Stage stage) { return kStageNames[static_cast<std::size_t>(stage)]; }

bool from_text(std::string_view name, Stage& stage) { return read_name(kStageNames, name, stage); }

Columns<Reason> bound(const Reason*) { return kReason; }

namespace {

/// Absent in sessions of earlier versions, which changed no launch.
template <auto kMember>
constexpr auto kLaunch =
    converted<kMember, [](const LaunchPlan& launch) { return to_text(launch); },
              [](const std::string& text, LaunchPlan& launch) {
                auto read = launch_plan_from(text);
                if (read) launch = *read;
                return read ? nullptr : "a change of a launch";
              }>("launch")
        .or_absent();

/// Absent in sessions of earlier versions, which fused nothing.
constexpr auto kFusion =
    converted<&Proposal::fusion, [](const FusionPlan& plan) { return to_text(plan); },
              [](const std::string& text, FusionPlan& plan) {
                auto read = fusion_plan_from(text);
                if (read) plan = std::move(*read);
                return read ? nullptr : "a fusion of two dispatches";
              }>("fusion")
        .or_absent();

// Sessions of earlier versions know one text and no parents.
constexpr auto kOptimization = bound_to<Optimization>(
    column<&Optimization::number>("number"), column<&Optimization::kernel>("kernel"),
    column<&Optimization::source>("source"),
    column<&Optimization::source_versions>("source_versions").or_absent(),
    column<&Optimization::parent>("parent").or_default(), column<&Optimization::capture>("capture"),
    column<&Optimization::architecture>("architecture"), column<&Optimization::flags>("flags"),
    kLaunch<&Optimization::launch>, column<&Optimization::reached>("reached"),
    column<&Optimization::profile>("profile"));

constexpr auto kProposal = bound_to<Proposal>(
    column<&Proposal::number>("number"), column<&Proposal::optimization>("optimization"),
    column<&Proposal::origin>("origin"), column<&Proposal::rule>("rule"),
    column<&Proposal::title>("title"), column<&Proposal::why>("why"),
    column<&Proposal::bit_exact>("bit_exact"),
    column<&Proposal::header_edit>("header_edit").or_default(),
    column<&Proposal::assumes>("assumes").or_default(),
    column<&Proposal::flags>("flags").or_default(), kLaunch<&Proposal::launch>, kFusion,
    column<&Proposal::state>("state"),
    converted<&Proposal::decided_at,
              [](const std::optional<Stage>& stage) {
                return stage ? to_string(*stage) : std::string_view();
              },
              [](const std::string& name, std::optional<Stage>& stage) {
                return name.empty() || from_text(name, stage.emplace()) ? nullptr : "a stage";
              }>("decided_at"),
    column<&Proposal::reasons>("reasons"), column<&Proposal::evidence>("evidence"),
    column<&Proposal::hashes>("hashes").or_default());

}  // namespace

Columns<Optimization> bound(const Optimization*) { return kOptimization; }
Columns<Proposal> bound(const Proposal*) { return kProposal; }

Result<Optimization> optimization_from(const Value& value, std::vector<std::string>* notes) {
  constexpr std::string_view kPlace = "the session's optimization";
  Optimization out = TRY(from_value(kOptimization, value, kPlace, notes));
  if (value.find("source_versions") == nullptr) {
    const Value* first = value.find("source_sha256");
    const auto* hash = first == nullptr ? nullptr : first->as<std::string>();
    if (hash == nullptr)
      return fail(Errc::corrupt, fmt::format("{}: source_versions is missing", kPlace));
    out.source_versions = {*hash};
  }
  return out;
}

}  // namespace rpl
