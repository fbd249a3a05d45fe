// SPDX-License-Identifier: MIT
// guard check: may this edit of a kernel be built at all?
#include "engine/source/text/guard.h"
#include "engine/base/files.h"
#include "engine/document/bound.h"
#include "engine/isa/traits/architecture.h"
#include "engine/source/syntax/check_syntax.h"
#include "shell/core/command/define.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/open_loop.h"

#include <fmt/format.h>

#include <filesystem>

namespace rpl {
namespace {

struct GuardArgs {
  std::string source, kernel, response, edited;
  std::string architecture = isa::usual_architecture();
  bool text_only = false;
};

Result<GuardVerdict> judged(const GuardArgs& args) {
  if (args.response.empty() == args.edited.empty()) {
    return fail(Errc::usage, "guard check needs one edit to judge",
                "give --response FILE for an answer with a code block, or --edited FILE for a "
                "whole source");
  }
  const std::string source = TRY(read_text_file(args.source));
  const std::string edit = TRY(read_text_file(args.response.empty() ? args.edited : args.response));
  auto verdict = args.response.empty() ? check_edit(source, args.kernel, edit)
                                       : check_response(source, args.kernel, edit);
  if (!verdict) return Failure(std::move(verdict).error().in(args.source));
  return verdict;
}

/// The second layer, where the first accepts.
Result<SyntaxCheck> read_by_clang(const Settings& settings, const GuardArgs& args,
                                  const GuardVerdict& verdict) {
  if (!verdict.accept)
    return SyntaxCheck{.ran = false, .why_not = "the text is refused already", .reasons = {}};
  if (args.text_only) return SyntaxCheck{.ran = false, .why_not = "--text-only", .reasons = {}};
  const std::string folder = std::filesystem::path(args.source).parent_path().string();
  return check_syntax(compiler_of(settings), {.baseline = TRY(read_text_file(args.source)),
                                              .candidate = verdict.patched,
                                              .kernel = args.kernel,
                                              .folder = folder.empty() ? "." : folder,
                                              .architecture = args.architecture});
}

/// The verdict of both layers together.
GuardVerdict joined(GuardVerdict verdict, const SyntaxCheck& syntax, bool of_response) {
  for (GuardReason reason : syntax.reasons) {
    // clang saw the patched source; lines of an answer are others.
    if (of_response && reason.line > 0)
      reason.message += fmt::format(" (line {} of the patched source)", reason.line);
    if (of_response) reason.line = 0;
    verdict.reasons.push_back(std::move(reason));
  }
  verdict.accept = verdict.reasons.empty();
  if (syntax.ran) {
    std::erase_if(verdict.open,
                  [](const std::string& open) { return open.ends_with("(syntax tree)"); });
  }
  if (!verdict.accept) verdict.open.clear();
  return verdict;
}

constexpr auto kReasonColumns = bound_to<GuardReason>(
    column<&GuardReason::rule>("rule", "name of the violated rule"),
    column<&GuardReason::message>("message", "how it is violated"),
    column<&GuardReason::line>("line",
                               "in the response or the edited file; null when no line is meant")
        .in(Unit::none)
        .or_null());

}  // namespace

static Columns<GuardReason> bound(const GuardReason*) { return kReasonColumns; }

namespace {

struct GuardFacts {
  std::string kernel;
  bool read_by_clang = false;
  GuardVerdict verdict;

  [[nodiscard]] std::string word() const { return verdict.accept ? "accept" : "reject"; }
  [[nodiscard]] std::uint64_t violations() const { return verdict.reasons.size(); }
  [[nodiscard]] std::string layers() const { return read_by_clang ? "text, syntax tree" : "text"; }
};
constexpr auto kGuardFields = bound_to<GuardFacts>(
    column<&GuardFacts::word>("verdict", "accept or reject"),
    column<&GuardFacts::kernel>("kernel", "the kernel in question, as given").as(Type::kernel),
    column<&GuardFacts::violations>("violations", "how often rules are violated"),
    column<&GuardFacts::layers>("layers",
                                "which layers of the guard judged: text, or text, syntax tree"),
    column<&GuardFacts::verdict, &GuardVerdict::reasons>(
        "reasons", "the rows again, under the name that other programs look for"));

Result<Document> run_guard_check(const GuardArgs& args, const Settings& settings) {
  GuardVerdict text = TRY(judged(args));
  const SyntaxCheck syntax = TRY(read_by_clang(settings, args, text));
  const GuardVerdict verdict = joined(std::move(text), syntax, !args.response.empty());
  Document out;
  out.put(kGuardFields, GuardFacts{args.kernel, syntax.ran, verdict});
  out.table(kReasonColumns, verdict.reasons);
  if (verdict.accept && !syntax.ran)
    out.notes.push_back("the syntax tree was not looked at: " + syntax.why_not);
  for (const std::string& open : verdict.open) out.notes.push_back("still to be shown: " + open);
  if (verdict.accept) {
    out.text = fmt::format("accept: nothing but the body of {} changes, and it obeys every rule",
                           args.kernel);
  } else {
    out.heading = fmt::format("reject: {} {}", verdict.reasons.size(),
                              verdict.reasons.size() == 1 ? "violation" : "violations");
    out.exit_code = kNothingAccepted;
  }
  return out;
}

}  // namespace

void add_guard_commands(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "guard check",
              .does = kReads,
              .chapter = Class::proposals,
              .summary = "Judge an edit of one kernel by its text and its syntax tree.",
              .help =
                  "An edit may change what stands between the braces of one kernel and nothing "
                  "else. "
                  "`--response` takes the answer of a language model: Markdown with one code "
                  "block that "
                  "defines the kernel again under the same header. `--edited` takes a whole "
                  "edited source. "
                  "Every violated rule is listed with its line in that file; the rules are "
                  "explained in "
                  "guards.md. What the text lets pass is read by clang, for the device alone, with "
                  "macros expanded and names resolved; where there is no clang, or the source "
                  "needs headers that are not "
                  "here, that layer is left out and a note says so. A rejection exits with 4. What "
                  "the text cannot tell, such as "
                  "whether the "
                  "result is right, is named in notes.",
              .fields = described(kGuardFields),
              .columns = described(kReasonColumns),
              .scalar = "verdict",
              .examples = {"guard check scale.hip --kernel scale --response answer.md",
                           "guard check scale.hip --kernel 'scale(float const*, float*, int)' "
                           "--edited edited.hip"}},
          {arg("source", &GuardArgs::source, "the source as it is")
               .required()
               .completes(Complete::file),
           option("kernel", &GuardArgs::kernel,
                  "its kernel: plain or qualified name, signature, or mangled symbol")
               .required()
               .named("K"),
           option("response", &GuardArgs::response, "the answer to judge")
               .named("FILE")
               .completes(Complete::file),
           option("edited", &GuardArgs::edited, "the edited source to judge")
               .named("FILE")
               .completes(Complete::file),
           option("arch", &GuardArgs::architecture, "the device that the source is read for"),
           flag("text-only", &GuardArgs::text_only, "leave the syntax tree alone")},
          run_guard_check));
}

}  // namespace rpl
