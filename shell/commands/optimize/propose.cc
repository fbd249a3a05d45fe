// SPDX-License-Identifier: MIT
// propose: changes to the kernel that is being made faster.
#include <fmt/format.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/optimize/rules/diff.h"
#include "shell/commands/optimize/loop_document.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/launch_choice.h"
#include "shell/core/inputs/open_loop.h"
#include "shell/core/session/face.h"

namespace rpl {
namespace {

struct RuleArgs {
  std::string rule;
  bool assume_captured = false;
};

struct Proposed {
  const Optimization* optimization = nullptr;
  std::size_t made = 0, refused = 0;
};

constexpr auto kProposeFields =
    bound_to<Proposed>(column<&Proposed::optimization, &Optimization::id>(
                           "optimization", "what they are to make faster")
                           .as(Type::id),
                       column<&Proposed::made>("made", "proposals made"),
                       column<&Proposed::refused>(
                           "refused", "places where the rule offers nothing; the notes say why"));

std::vector<std::string> next_of(const std::vector<Proposal>& made) {
  if (made.empty()) return {"propose edit FILE", "list"};
  return {"info proposal " + made.front().id(), "step", "continue"};
}

Result<Document> propose_rule(const RuleArgs& args, Optimizer optimizer) {
  const auto store = TRY(loop_store(optimizer.log));
  const Optimization current = TRY(store->current());
  RuleChoice choice = rule_choice(optimizer);
  choice.rule = args.rule;
  choice.assume_captured = choice.assume_captured || args.assume_captured;
  const RuleProposals proposals = TRY(propose_by_rules(current, *store, choice));
  Document out;
  out.put(kProposeFields, Proposed{&current, proposals.made.size(), proposals.refusals.size()});
  out.table(kProposalColumns, proposals.made);
  out.notes = refusal_texts(proposals.made, proposals.refusals);
  out.next = next_of(proposals.made);
  return out;
}

struct EditArgs : LaunchChoice {
  std::string file, title;
  bool bit_exact = false;
};

bool is_diff(std::string_view text) {
  return text.starts_with("@@ ") || text.find("\n@@ ") != std::string_view::npos;
}

Result<Document> kept_edit(ProposalStore& store, const Optimization& current,
                           const std::string& file, std::string title, const EditArgs& args) {
  const LaunchPlan launch = TRY(launch_plan_of(args));
  Proposal made = TRY(propose_edit(current, file, std::move(title), store, launch));
  if (args.bit_exact) {
    made.bit_exact = true;
    TRY(store.save(made));
  }
  Document out;
  out.put(kProposeFields, Proposed{&current, 1, 0});
  out.table(kProposalColumns, std::vector{made});
  out.next = {"info proposal " + made.id(), "finish " + made.id()};
  return out;
}

Result<Document> propose_edited(const EditArgs& args, SessionLog& log, Face& face) {
  const auto store = TRY(loop_store(log));
  const Optimization current = TRY(store->current());
  std::string file = args.file;
  if (file.empty()) {
    file = current.folder + "/edited.hip";
    TRY(face.edit_copy(
        current.base_source(), file,
        {Errc::usage, "propose edit needs an edited copy of the source",
         "propose edit FILE; without FILE it opens $VISUAL or $EDITOR at a terminal"}));
  }
  return kept_edit(*store, current, file,
                   args.title.empty() && args.file.empty() ? "edit by hand" : args.title, args);
}

Result<Document> propose_import(const EditArgs& args, SessionLog& log) {
  const auto store = TRY(loop_store(log));
  const Optimization current = TRY(store->current());
  const std::string text = TRY(read_text_file(args.file));
  if (!is_diff(text)) return kept_edit(*store, current, args.file, args.title, args);
  const std::string path = current.folder + "/imported.hip";
  TRY(write_file(path, TRY(apply_unified_diff(TRY(read_text_file(current.base_source())), text))));
  const std::string name = std::filesystem::path(args.file).filename().string();
  return kept_edit(*store, current, path, args.title.empty() ? "diff " + name : args.title, args);
}

Command proposing(Label path, Label summary, Label help, std::vector<Label> examples) {
  return Command{.path = path,
                 .does = kKeeps,
                 .chapter = Class::proposals,
                 .summary = summary,
                 .help = help,
                 .fields = described(kProposeFields),
                 .columns = described(kProposalColumns),
                 .scalar = "made",
                 .examples = std::move(examples),
                 .changes_program = true};
}

}  // namespace

void add_propose_commands(Registry& registry) {
  add(registry,
      command(proposing("propose rule", "Let the rules propose changes to the kernel.",
                        "Without a name: the rules of `set optimize scope`, those first that "
                        "address what the baseline's run "
                        "shows to be in the way. With a name: that rule, whatever the scope; "
                        "rules.md describes each. What holds for "
                        "captured launches alone is offered with `--assume-captured` only. A "
                        "proposal that exists already is not made twice.",
                        {"propose rule", "propose rule lds-padding",
                         "propose rule restrict --assume-captured"}),
              {arg("rule", &RuleArgs::rule, "which rule; default: those of the scope"),
               flag("assume-captured", &RuleArgs::assume_captured,
                    "take what holds for captured launches to hold for all")},
              propose_rule));
  add(registry,
      command(proposing("propose edit", "Propose an edited copy of the source.",
                        "The guard lets only the kernel's body differ from the source. "
                        "`--bit-exact` asks for results "
                        "that are equal to the last bit instead of within the tolerance of "
                        "their type. Without FILE at a terminal, "
                        "`$VISUAL` or `$EDITOR` is opened on a copy. `--workgroup`, `--items` and "
                        "`--lds` launch it otherwise than the source does, on every input that it "
                        "is verified with: leave the launch in the copy as it is, it is written "
                        "where the file has it. With them FILE may be the source itself. Where the "
                        "capture is a slice, a copy with one kernel more proposes that one in "
                        "place of the first two: its parameters take the arguments of their names.",
                        {"propose edit EDITED", "propose edit EDITED --workgroup 256"}),
              with_launch_options<EditArgs>(
                  {arg("file", &EditArgs::file, "the edited copy; default: opens an editor")
                       .completes(Complete::file),
                   option("title", &EditArgs::title, "what it changes, in a few words"),
                   flag("bit-exact", &EditArgs::bit_exact, "results must be equal bit by bit")},
                  ""),
              propose_edited));
  add(registry,
      command(proposing("propose import", "Propose a unified diff of the source.",
                        "The diff must fit to the letter: every line that it names has to "
                        "stand where it says. Then the guard lets only the "
                        "kernel's body differ, as for every edit. A file without hunks is "
                        "taken as an edited copy.",
                        {"propose import EDITED"}),
              {arg("file", &EditArgs::file, "the diff").required().completes(Complete::file),
               option("title", &EditArgs::title, "what it changes, in a few words"),
               flag("bit-exact", &EditArgs::bit_exact, "results must be equal bit by bit")},
              propose_import));
}

}  // namespace rpl
