// SPDX-License-Identifier: MIT
// contract show, check, set, drop, edit: what a kernel is called with, as its user declares it.
#include <fmt/format.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/optimize/loop/contract_file.h"
#include "shell/commands/optimize/loop_document.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/approval.h"
#include "shell/core/inputs/open_loop.h"
#include "shell/core/session/face.h"

namespace rpl {
namespace {

constexpr const char* kFirstRule = "contract set 'rows in 1..4096'";

/// Of whose arguments, and where its contract is.
struct Subject {
  const Optimization* optimization = nullptr;
  std::string file;
  std::uint64_t rules = 0;
};

constexpr auto kContractFields = bound_to<Subject>(
    column<&Subject::optimization, &Optimization::id>("optimization", "whose kernel").as(Type::id),
    column<&Subject::optimization, &Optimization::kernel>("kernel", "that it is about")
        .as(Type::kernel),
    column<&Subject::file>("file", "where the contract is, beside the source"),
    column<&Subject::rules>("rules", "that it has for this kernel"));

using Argument = ContractReport::Argument;
constexpr auto kArgumentColumns = bound_to<Argument>(
    column<&Argument::name>("argument", "a parameter's name, or its position from 1"),
    column<&Argument::type>("type", "of the scalar, or of the buffer's elements"),
    column<&Argument::captured>("captured", "its value, or how many elements"),
    column<&Argument::rule>("rule", "declared; - for none").or_null(),
    column<&Argument::found>("found", "what the baseline runs with, or what the contents decide"));

constexpr auto kCheckColumns =
    bound_to<RuleCheck>(column<&RuleCheck::rule>("rule", "of the contract"),
                        column<&RuleCheck::holds>("holds", "whether the captured call keeps it"),
                        column<&RuleCheck::found>("found", "what was tried"));

Document about(const Optimization& optimization, const Contract& contract) {
  Document out;
  out.put(kContractFields, Subject{&optimization, shown_path(contract_path(optimization.source)),
                                   lines_of(contract).size()});
  return out;
}

/// The kernel's arguments on the baseline, within the contract as it is.
Result<std::pair<Document, ContractReport>> studied(const Optimizer& optimizer) {
  OpenLoop open = TRY(open_loop(optimizer));
  const Optimization current = TRY(open.store->current());
  const Contract contract = TRY(contract_of(current));
  const Capture capture = TRY(read_capture(current.capture));
  ContractReport report = TRY(study_contract(current, capture, *open.verifier, contract));
  Document out = about(current, contract);
  if (contract.launch_as_captured) out.notes.emplace_back("launch as captured");
  if (contract.empty()) out.next.emplace_back(kFirstRule);
  return std::pair(std::move(out), std::move(report));
}

Result<Document> show_contract(Optimizer optimizer) {
  auto [out, report] = TRY(studied(optimizer));
  out.table(kArgumentColumns, report.arguments);
  if (out.next.empty()) out.next.emplace_back("contract check");
  return std::move(out);
}

Result<Document> check_contract(Optimizer optimizer) {
  auto [out, report] = TRY(studied(optimizer));
  out.table(kCheckColumns, report.checks);
  if (out.next.empty()) out.next.emplace_back("step");
  for (const RuleCheck& check : report.checks) {
    if (check.holds) continue;
    return fail(Errc::verification_failed,
                fmt::format("the captured call breaks '{}': {}", check.rule, check.found),
                "'contract set' changes the rule; a capture of a call that keeps it serves, too");
  }
  return std::move(out);
}

struct SetArgs {
  std::string rule;
};
struct DropArgs {
  std::string argument;
};

Result<Document> changed(const Optimization& optimization, const Contract& contract) {
  Document out = about(optimization, contract);
  for (const std::string& line : lines_of(contract)) out.text += line + "\n";
  out.next = {"contract check", "step --again"};
  return out;
}

Result<Document> set_contract(const SetArgs& args, SessionLog& log, Face& face) {
  TRY(person_allows(face, fmt::format("contract set '{}'", args.rule)));
  const Optimization current = TRY(TRY(loop_store(log))->current());
  return changed(current, TRY(set_rule(current, args.rule)));
}

Result<Document> drop_contract(const DropArgs& args, SessionLog& log, Face& face) {
  TRY(person_allows(face, "contract drop " + args.argument));
  const Optimization current = TRY(TRY(loop_store(log))->current());
  return changed(current, TRY(drop_rule(current, args.argument)));
}

struct EditContractArgs {
  std::string file;
};

Result<Document> edit_contract(const EditContractArgs& args, SessionLog& log, Face& face) {
  TRY(person_allows(face, args.file.empty() ? "contract edit" : "contract edit " + args.file));
  const Optimization current = TRY(TRY(loop_store(log))->current());
  if (!args.file.empty())
    return changed(current, TRY(replace_contract(current, TRY(read_text_file(args.file)))));
  const std::string path = contract_path(current.source),
                    copy = current.folder + "/edited.contract";
  std::string from = path;
  if (!std::filesystem::exists(path)) {
    from = current.folder + "/new.contract";
    TRY(write_file(from, std::string_view("# n in 1..4096\n# x in -8..8\n# launch as captured\n")));
  }
  TRY(face.edit_copy(from, copy,
                     {Errc::usage, "contract edit needs a terminal",
                      "contract edit FILE takes a text as it is; 'contract set' sets one rule"}));
  return changed(current, TRY(replace_contract(current, TRY(read_text_file(copy)))));
}

Command contracting(Label path, Label summary, Label help, Label example) {
  return Command{.path = path,
                 .does = kKeeps,
                 .chapter = Class::proposals,
                 .summary = summary,
                 .help = help,
                 .fields = described(kContractFields),
                 .scalar = "rules",
                 .examples = {example},
                 .changes_program = false};
}

/// One that says what a verification may leave out, as a person decides.
Command declaring(Command command) {
  command.does.add({Capability::approve});
  command.changes_sources = true;
  return command;
}

}  // namespace

void add_contract_commands(Registry& registry) {
  Command show = contracting(
      "contract show", "What the kernel is called with: declared, and found out.",
      "A row for each argument: what was captured, the rule that the contract beside the source "
      "(`softmax.contract` of `softmax.hip`) has for it, and what the baseline was found to run "
      "with. Verification draws inputs within the contract and nowhere else; without a rule it "
      "draws what the baseline runs with.",
      "contract show");
  show.columns = described(kArgumentColumns);
  add(registry, command(std::move(show), show_contract));
  Command check = contracting(
      "contract check", "Hold the contract against the captured call and the baseline.",
      "Whether the captured call keeps each rule, and whether the baseline runs with the ends of "
      "its range; larger ones than the captured may need larger buffers. Exits with 5 where the "
      "captured call breaks a rule.",
      "contract check");
  check.columns = described(kCheckColumns);
  add(registry, command(std::move(check), check_contract));
  add(registry,
      command(declaring(contracting(
                  "contract set", "Put a rule into the contract beside the source.",
                  "Rules: `n in 1..4096`, `n in 64..4096 step 64`, `mode one of 0 1 3`, `x as "
                  "captured`, `launch as captured`; of a buffer they are about its elements. A "
                  "rule takes the place of the one of the same argument. A rule narrows what "
                  "candidates are verified with, so that it needs a person, or `--allow approve`.",
                  kFirstRule)),
              {arg("rule", &SetArgs::rule, "one line").required()}, set_contract));
  add(registry,
      command(declaring(contracting("contract drop", "Take a rule out of the contract.",
                                    "The rule of one argument, or of the launch.",
                                    "contract drop rows")),
              {arg("argument", &DropArgs::argument, "whose rule").required()}, drop_contract));
  add(registry,
      command(declaring(contracting("contract edit", "Edit the contract.",
                                    "`$VISUAL` or `$EDITOR` is opened on a copy, which "
                                    "takes its place if it can be read; with FILE, that "
                                    "text does.",
                                    "contract edit RULES")),
              {arg("file", &EditContractArgs::file, "an edited copy; default: your editor")},
              edit_contract));
}

}  // namespace rpl
