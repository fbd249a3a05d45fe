// SPDX-License-Identifier: MIT
// What the tutorial tells and asks for. Its numbers come from the commands: the texts name none that a change of the model would falsify.
#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "engine/optimize/store/store.h"
#include "shell/commands/profile/profile_run.h"
#include "shell/commands/session/tutorial.h"
#include "shell/core/inputs/open_loop.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

bool exists(std::string_view name) {
  std::error_code ignored;
  return fs::exists(fs::path(kTutorialFolder) / name, ignored);
}

bool rebuilt(SessionLog& /*log*/) {
  std::error_code none;
  const fs::path folder(kTutorialFolder);
  return exists("norms") && fs::last_write_time(folder / "norms", none) >=
                                fs::last_write_time(folder / "norms.hip", none);
}

std::string recording_of(std::string_view name) {
  return linked_recording((fs::path(kTutorialFolder) / name).string());
}

/// The tutorial's own proposals of the session.
std::vector<Proposal> proposals_of(SessionLog& log) {
  std::vector<Proposal> out;
  const auto store = kept_proposals(log);
  if (!store || !*store) return out;
  const std::string source =
      fs::absolute(fs::path(kTutorialFolder) / "norms.hip").lexically_normal().string();
  for (const Proposal& proposal : (*store)->proposals()) {
    const auto optimization = (*store)->optimization(proposal.optimization);
    if (optimization && optimization->source == source) out.push_back(proposal);
  }
  return out;
}

bool any_is(SessionLog& log, ProposalState state) {
  for (const Proposal& proposal : proposals_of(log)) {
    if (proposal.state == state) return true;
  }
  return false;
}

/// The fastest of those that were accepted, approved ones first.
std::optional<Proposal> best_of(SessionLog& log) {
  std::optional<Proposal> best;
  double ratio = 0;
  for (const Proposal& proposal : proposals_of(log)) {
    const bool approved = proposal.state == ProposalState::approved;
    if (!approved && proposal.state != ProposalState::accepted) continue;
    if (approved) return proposal;
    const double its = number_in(proposal.evidence, "decide", "ratio").value_or(0);
    if (its > ratio) best = proposal, ratio = its;
  }
  return best;
}

/// As short a name as the open recording has.
std::string name_of_recording(const Workspace& workspace, const std::string& database) {
  for (const auto& trace : workspace.traces()) {
    for (const std::string& path : trace->paths()) {
      std::error_code ignored;
      if (fs::equivalent(path, database, ignored)) return trace->id();
    }
  }
  return database;
}

constexpr std::array kSteps{
    TutorialStep{
        .id = "build",
        .title = "a program",
        .text =
            "rpl-tutorial/norms.hip is a small HIP program with one kernel. No GPU is needed: an\n"
            "emulated MI300X stands in, and every time that it gives is modelled. Build it.",
        .line = "build rpl-tutorial/norms.hip -o rpl-tutorial/norms",
        .commands = {"build"},
        .there = [](SessionLog&) { return exists("norms"); },
        .missing = "there is no rpl-tutorial/norms yet",
        .product = "norms"},
    TutorialStep{
        .id = "profile",
        .title = "capture: record a run",
        .text =
            "Run it and record what it does: each dispatch and copy, with counters of the kernel\n"
            "that matters. What stands behind `--` is the program and its arguments.",
        .line = "profile --deep-analysis --focus-critical --output rpl-tutorial/profile -- "
                "rpl-tutorial/norms",
        .commands = {"profile"},
        .there = [](SessionLog&) { return !recording_of("profile").empty(); },
        .missing = "there is no recording in rpl-tutorial/profile yet",
        .product = "profile"},
    TutorialStep{
        .id = "path",
        .title = "analyze: what decides how long it takes",
        .text =
            "The critical path is the chain of work and waits that ends with the last operation.\n"
            "Only what lies on it can make the program faster.",
        .line = "critpath",
        .commands = {"critpath"},
        .there = nullptr},
    TutorialStep{.id = "classify",
                 .title = "analyze: what limits the kernel",
                 .text = "Which resource is it that row_norms waits for? Each possible answer is "
                         "shown with the\n"
                         "evidence for and against it.",
                 .line = "classify row_norms --trace {before}",
                 .commands = {"classify"},
                 .there = nullptr},
    TutorialStep{
        .id = "freeze",
        .title = "capture: freeze one dispatch",
        .text =
            "A frozen dispatch holds the machine code, the arguments, and the memory before and\n"
            "after. From now on the kernel runs without its program.",
        .line = "capture run row_norms -o rpl-tutorial/frozen -- rpl-tutorial/norms",
        .commands = {"capture run"},
        .there = [](SessionLog&) { return exists("frozen"); },
        .missing = "there is no rpl-tutorial/frozen yet",
        .product = "frozen"},
    TutorialStep{
        .id = "verify",
        .title = "replay: is it faithful?",
        .text =
            "Replayed, it has to leave the same memory; and a kernel that does nothing has to be\n"
            "told from it, or no wrong change could be found out later.",
        .line = "capture verify rpl-tutorial/frozen",
        .commands = {"capture verify"},
        .there = nullptr},
    TutorialStep{
        .id = "scope",
        .title = "propose: which rules are asked",
        .text = "All of them, unless you say otherwise; those that unroll loops are enough here.",
        .line = "set optimize scope v1",
        .commands = {"set"},
        .there = nullptr},
    TutorialStep{
        .id = "propose",
        .title = "propose: what could be changed",
        .text = "Rules read the source and what was measured, and propose changes of the kernel. "
                "Nothing\n"
                "is written yet.",
        .line =
            "iterate --source rpl-tutorial/norms.hip --capture rpl-tutorial/frozen --to propose",
        .commands = {"iterate"},
        .there = [](SessionLog& log) { return !proposals_of(log).empty(); },
        .missing = "there is no proposal for rpl-tutorial/norms.hip yet"},
    TutorialStep{.id = "decide",
                 .title = "propose: keep only what is proven",
                 .text = "Each proposal is guarded, built, verified against the frozen memory on a "
                         "dozen sets of\n"
                         "inputs, and timed. Only a measured improvement is accepted.",
                 .line = "continue",
                 .commands = {"continue", "iterate", "finish"},
                 .there =
                     [](SessionLog& log) {
                       return any_is(log, ProposalState::accepted) ||
                              any_is(log, ProposalState::approved);
                     },
                 .missing = "no proposal was accepted yet"},
    TutorialStep{.id = "read",
                 .title = "approve: read it first",
                 .text = "This is what would be written to the file.",
                 .line = "info proposal {best}",
                 .commands = {"info proposal"},
                 .there = nullptr},
    TutorialStep{.id = "approve",
                 .title = "approve: write it",
                 .text = "Only `approve` changes your file, and keeps the old one: `revert` takes "
                         "it back. The gain\n"
                         "is modelled here, so that it wants to hear that you know.",
                 .line = "approve {best} --accept-modelled",
                 .commands = {"approve"},
                 .there = [](SessionLog& log) { return any_is(log, ProposalState::approved); },
                 .missing = "no proposal is in rpl-tutorial/norms.hip yet",
                 .is_approval = true},
    TutorialStep{.id = "replay",
                 .title = "replay: the new code on the frozen dispatch",
                 .text = "The same memory before, and it must be the same after, in less time.",
                 .line = "replay --proposal {best}",
                 .commands = {"replay"},
                 .there = nullptr},
    TutorialStep{.id = "rebuild",
                 .title = "replay: the whole program again",
                 .text = "A kernel that is faster where it was frozen is worth nothing if the "
                         "program is not. Build\n"
                         "it with the changed source.",
                 .line = "build rpl-tutorial/norms.hip -o rpl-tutorial/norms",
                 .commands = {"build"},
                 .there = rebuilt,
                 .missing = "rpl-tutorial/norms is older than its source"},
    TutorialStep{.id = "again",
                 .title = "replay: record it again",
                 .text = "The program checks its own result, too.",
                 .line = "profile --output rpl-tutorial/after -- rpl-tutorial/norms",
                 .commands = {"profile"},
                 .there = [](SessionLog&) { return !recording_of("after").empty(); },
                 .missing = "there is no recording in rpl-tutorial/after yet",
                 .product = "after"},
    TutorialStep{.id = "compare",
                 .title = "before and after",
                 .text = "Kernel by kernel.",
                 .line = "compare {before} {after}",
                 .commands = {"compare"},
                 .there = nullptr},
};

constexpr std::string_view kEnd =
    "That was all of it: capture, analyze, propose, approve, replay. On your own program one line "
    "does\n"
    "the same kernel by kernel, and leaves the yes to you:  optimize SOURCE.hip ./program\n"
    "  revert PROPOSAL      takes the change back\n"
    "  tutorial restart     from the beginning\n"
    "  help, apropos WORD   what else there is; docs/getting-started.md goes on with recordings\n";

}  // namespace

std::span<const TutorialStep> tutorial_steps() { return kSteps; }
std::string_view tutorial_end() { return kEnd; }

std::string with_outcomes(SessionLog& log, const Workspace& workspace, std::string_view text) {
  std::string out(text);
  const auto fill = [&out](std::string_view name, const std::string& value) {
    const std::size_t at = out.find(name);
    if (at != std::string::npos && !value.empty()) out.replace(at, name.size(), value);
  };
  const auto recording = [&workspace](std::string_view name) {
    const std::string database = recording_of(name);
    return database.empty() ? database : name_of_recording(workspace, database);
  };
  if (out.find('{') == std::string::npos) return out;
  const auto best = best_of(log);
  fill("{best}", best ? best->id() : "");
  fill("{before}", recording("profile"));
  fill("{after}", recording("after"));
  return out;
}

}  // namespace rpl
