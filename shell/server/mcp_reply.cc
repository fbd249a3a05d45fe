// SPDX-License-Identifier: MIT
#include "shell/server/mcp_reply.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/encode.h"
#include "engine/base/text.h"
#include "engine/document/json.h"
#include "shell/render/forms.h"
#include "shell/server/serve.h"
#include "shell/server/tools/core.h"
#include "shell/server/tools/steps.h"

namespace rpl {
namespace {

constexpr std::size_t kTextColumns = 120, kIndent = 2, kSentence = 240, kMostSteps = 3;
constexpr std::size_t kLeastBytes = 600;
/// Of a bounded reply, what the text and the protocol's own words take.
constexpr std::size_t kTextShare = 1300;

/// At most so many bytes of it, whole characters, and `cut` behind what was cut.
TerminalText within(const TerminalText& text, std::size_t most, OwnText cut) {
  return text.bytes().size() <= most ? text : first_bytes(text, most) + cut;
}

TerminalText error_sentence(const Error& error) {
  return encoded<TerminalText>("error: {}{}{}", terminal_block(error.message, kIndent),
                               when(!error.hint.empty(), "; "),
                               terminal_block(error.hint, kIndent));
}

/// What a person would see of a result.
TerminalText whole_text(const ToolPart& part, std::uint64_t rows) {
  Terminal terminal;
  terminal.width = kTextColumns;
  TerminalText text;
  const Status rendered =
      render_table(**part.document, Form{.limit = rows}, terminal, [&](const TerminalText& piece) {
        text += piece;
        return Status();
      });
  if (!rendered) text += error_sentence(rendered.error()) + "\n";
  return text;
}

/// What a result says first, where it says something before its table: its first two lines, and
/// the last.
TerminalText first_sentence(const ToolPart& part, const Bounded& shown) {
  const Document& document = **part.document;
  const std::string& said = document.text.empty() ? document.heading : document.text;
  std::vector<std::string> lines;
  std::size_t before = 0;  // columns of the line in front
  for (const std::string& line : split_lines(said)) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    const std::string text = line.substr(begin);
    // A word that found no room any more goes on with the line before.
    const std::size_t word = std::min(text.find(' '), text.size());
    const bool goes_on =
        !lines.empty() && before <= Terminal().width && before + 1 + word > Terminal().width;
    before = display_width(line);
    if (goes_on)
      lines.back() += " " + text;
    else
      lines.push_back(text);
  }
  std::string out;
  constexpr std::size_t kFirst = 2;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i >= kFirst && i + 1 < lines.size()) continue;
    out += (out.empty() ? "" : out.ends_with(':') ? " " : "; ") + lines[i];
  }
  if (out.empty())
    out = document.has_table() ? fmt::format("{} row{}", shown.rows, shown.rows == 1 ? "" : "s")
                               : "done";
  return elide_middle(terminal_block(out, kIndent), kSentence);
}

/// The next steps as calls of what the client has: tools of the core, else lines.
std::vector<std::string> steps_of(const ToolPart& part, const McpForm& form) {
  std::vector<std::string> out;
  // What was just asked is no next step.
  const std::string own = step_for_agent(part.line), again = own.substr(0, own.find(' ')) + " {}";
  for (const std::string& line : (*part.document)->next) {
    std::string step = form.all_tools ? line : step_for_agent(line);
    if (!part.line.empty() && (step == own || step == again)) continue;
    if (std::ranges::find(out, step) == out.end()) out.push_back(std::move(step));
  }
  return out;
}

TerminalText next_steps(const ToolPart& part, const McpForm& form) {
  std::vector<std::string> steps = steps_of(part, form);
  if (steps.size() > kMostSteps) steps.resize(kMostSteps);
  if (steps.empty()) return {};
  return encoded<TerminalText>("; next: {}", fmt::format("{}", fmt::join(steps, " | ")));
}

Error told(const Error& error, const McpForm& form) {
  Error out = error;
  if (!form.all_tools) out.hint = hint_for_agent(std::move(out.hint));
  return out;
}

/// What was left out, and how to have it.
TerminalText rest_of(const ToolPart& part, const Bounded& shown, KeptResults& kept) {
  if (!shown.more_rows && !shown.shortened) return {};
  const std::string handle = kept.keep(*part.document);
  TerminalText out;
  if (shown.more_rows) {
    out.add("; further rows: command {{\"more\": \"{}@{}\"}}", handle, part.from_row + shown.rows);
  }
  if (shown.shortened) {
    out.add("; names, texts or lists are shortened: command {{\"more\": \"{}\", \"max_bytes\": 0}}",
            handle);
  }
  return out;
}

/// Programs' and scripts' output, and what was said on the way.
TerminalText beside(const ToolPart& part, std::size_t most) {
  TerminalText out;
  if (!part.printed.empty()) out += within(terminal_text(part.printed), most, "… (cut)\n");
  for (const std::string& note : part.notes) out.add("note: {}\n", terminal_block(note, kIndent));
  return out;
}

struct Said {
  JsonText json;
  TerminalText text;
  bool failed = false;
};

Said text_reply(const ToolPart& part, const McpForm& form) {
  if (!part.document) return {{}, error_sentence(told(part.document.error(), form)) + "\n", true};
  const Document& document = **part.document;
  TerminalText text = whole_text(part, part.limit.value_or(form.rows));
  for (const std::string& note : document.notes)
    text.add("note: {}\n", terminal_block(note, kIndent));
  if (const auto steps = steps_of(part, form); !steps.empty())
    text.add("next: {}\n", fmt::format("{}", fmt::join(steps, "   ")));
  if (form.bytes != 0 && text.bytes().size() > form.bytes) {
    const std::size_t end = text.bytes().rfind('\n', form.bytes);
    text = within(text, std::min(end, form.bytes),
                  "\n… (cut; ask for fewer rows, or 'set mcp bytes 0')\n");
  }
  return {{}, text, false};
}

Said part_reply(const ToolPart& part, std::size_t bytes, const McpForm& form, KeptResults& kept) {
  if (form.text_only) return text_reply(part, form);
  if (!part.document) {
    const Error error = told(part.document.error(), form);
    return {error_line(error), error_sentence(error), true};
  }
  const auto shown =
      bounded_json(**part.document, part.from_row, part.limit.value_or(form.rows), bytes);
  if (!shown) return {error_line(shown.error()), error_sentence(shown.error()), true};
  return {shown->json,
          first_sentence(part, *shown) + rest_of(part, *shown, kept) + next_steps(part, form),
          false};
}

JsonText result(std::string_view text, const JsonText& structured, bool failed, int exit_code) {
  const Record content{{"type", Value("text")}, {"text", Value(with_utf8_only(text))}};
  JsonStream out(kJsonLine);
  out.member("content", Value(List{Value(content)}));
  if (!structured.empty()) out.member_text("structuredContent", structured);
  return out.member("isError", Value(failed))
      .member("_meta", Value(Record{{"rocm-perf-lab/exit_code", Value(exit_code)}}))
      .text();
}

JsonText together_json(const std::vector<ToolPart>& parts, const std::vector<Said>& replies) {
  JsonStream out(kJsonLine);
  out.member("schema", Value(kPartsSchema)).begin_rows("parts");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out.row_by([&](JsonText& text) {
      JsonStream one(kJsonLine);
      one.member("command", Value(parts[i].line));
      text += one.member_text(replies[i].failed ? "error" : "result", replies[i].json).text();
    });
  }
  out.end_rows().member("notes", Value(List{})).member("provenance", Value("none"));
  return out.text();
}

}  // namespace

JsonText tool_result(const std::vector<ToolPart>& parts, bool together, const McpForm& form,
                     KeptResults& kept) {
  // The whole has failed when what it begins with has.
  if (parts.empty()) return tool_error({Errc::internal, "nothing ran", ""}, form);
  const ToolPart& first = parts.front();
  const bool failed = !first.document;
  if (failed) together = false;
  std::vector<Said> replies;
  std::size_t left = form.bytes <= kTextShare ? form.bytes : form.bytes - kTextShare;
  TerminalText text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t share = left / (parts.size() - i);
    replies.push_back(
        part_reply(parts[i], form.bytes == 0 ? 0 : std::max(share, kLeastBytes), form, kept));
    left -= std::min(left, replies.back().json.bytes().size());
    constexpr std::size_t kMostPrinted = 2000;
    text += beside(parts[i], form.bytes == 0 ? std::string::npos : kMostPrinted);
    if (together && !parts[i].line.empty())
      text += elide_middle(terminal_line(parts[i].line), kTextColumns) +
              (form.text_only ? OwnText(":\n") : OwnText(": "));
    text += replies.back().text;
    if (!text.bytes().ends_with('\n')) text += "\n";
    if (failed) break;
  }
  JsonText structured;
  if (!form.text_only) structured = together ? together_json(parts, replies) : replies[0].json;
  std::string_view said = text.bytes();
  if (!form.text_only && said.ends_with('\n')) said.remove_suffix(1);
  return result(said, structured, replies[0].failed, parts.back().exit_code);
}

JsonText tool_error(const Error& asked, const McpForm& form) {
  const Error error = told(asked, form);
  return result(error_sentence(error).bytes(), form.text_only ? JsonText() : error_line(error),
                true, exit_status(error.code));
}

}  // namespace rpl
