// SPDX-License-Identifier: MIT
#include "shell/server/mcp_reply.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/encode.h"
#include "engine/base/text.h"
#include "engine/document/json.h"
#include "shell/render/render.h"
#include "shell/server/serve.h"
#include "shell/server/tools/core.h"

namespace rpl {
namespace {

constexpr std::size_t kTextColumns = 120, kIndent = 2, kSentence = 240, kMostSteps = 3;
constexpr std::size_t kLeastBytes = 600;
/// Of a bounded reply, what the text and the protocol's own words take.
constexpr std::size_t kTextShare = 1300;

std::string error_sentence(const Error& error) {
  return fmt::format("error: {}{}{}", terminal_block(error.message, kIndent),
                     error.hint.empty() ? "" : "; ", terminal_block(error.hint, kIndent));
}

/// What a person would see of a result.
std::string whole_text(const ToolPart& part, std::uint64_t rows) {
  std::string text;
  const auto add = [&text](std::string_view piece) -> Status {
    text += piece;
    return {};
  };
  Terminal terminal;
  terminal.width = kTextColumns;
  const Document& document = **part.document;
  if (const auto rendered =
          render(document, Form{.format = Format::text, .limit = rows}, terminal, add);
      !rendered)
    text += error_sentence(rendered.error()) + "\n";
  return text;
}

/// What a result says first, where it says something before its table: its first two lines, and
/// the last.
std::string first_sentence(const ToolPart& part, const Bounded& shown) {
  const Document& document = **part.document;
  const std::string& said = document.text.empty() ? document.heading : document.text;
  std::vector<std::string> lines;
  for (const std::string& line : split_lines(said)) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin != std::string::npos) lines.push_back(line.substr(begin));
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

std::string next_steps(const Document& document) {
  if (document.next.empty()) return {};
  const std::size_t count = std::min(document.next.size(), kMostSteps);
  return fmt::format("; next: {}",
                     fmt::join(document.next.begin(),
                               document.next.begin() + static_cast<std::ptrdiff_t>(count), " | "));
}

/// What was left out, and how to have it.
std::string rest_of(const ToolPart& part, const Bounded& shown, KeptResults& kept) {
  if (!shown.more_rows && !shown.shortened) return {};
  const std::string handle = kept.keep(*part.document);
  std::string out;
  if (shown.more_rows) {
    out = fmt::format("; further rows: command {{\"more\": \"{}@{}\"}}", handle,
                      part.from_row + shown.rows);
  }
  if (shown.shortened) {
    out += fmt::format(
        "; names, texts or lists are shortened: command {{\"more\": \"{}\", \"max_bytes\": 0}}",
        handle);
  }
  return out;
}

/// Programs' and scripts' output, and what was said on the way.
std::string beside(const ToolPart& part, std::size_t most) {
  std::string out;
  if (!part.printed.empty()) {
    const std::string text = terminal_text(part.printed);
    out += text.size() <= most ? text : text.substr(0, most) + "… (cut)\n";
  }
  for (const std::string& note : part.notes)
    out += fmt::format("note: {}\n", terminal_block(note, kIndent));
  return out;
}

struct Said {
  std::string json, text;
  bool failed = false;
};

Said text_reply(const ToolPart& part, const McpForm& form) {
  if (!part.document) return {{}, error_sentence(part.document.error()) + "\n", true};
  const Document& document = **part.document;
  std::string text = whole_text(part, part.limit.value_or(form.rows));
  for (const std::string& note : document.notes)
    text += fmt::format("note: {}\n", terminal_block(note, kIndent));
  if (!document.next.empty()) text += fmt::format("next: {}\n", fmt::join(document.next, "   "));
  if (form.bytes != 0 && text.size() > form.bytes) {
    std::size_t end = text.rfind('\n', form.bytes);
    if (end == std::string::npos) end = form.bytes;
    text = text.substr(0, end) + "\n… (cut; ask for fewer rows, or 'set mcp bytes 0')\n";
  }
  return {{}, text, false};
}

Said part_reply(const ToolPart& part, std::size_t bytes, const McpForm& form, KeptResults& kept) {
  if (form.text_only) return text_reply(part, form);
  if (!part.document)
    return {error_line(part.document.error()), error_sentence(part.document.error()), true};
  const auto shown =
      bounded_json(**part.document, part.from_row, part.limit.value_or(form.rows), bytes);
  if (!shown) return {error_line(shown.error()), error_sentence(shown.error()), true};
  return {shown->json,
          first_sentence(part, *shown) + rest_of(part, *shown, kept) + next_steps(**part.document),
          false};
}

std::string result(const std::string& text, const std::string& structured, bool failed,
                   int exit_code) {
  const Record content{{"type", Value("text")}, {"text", Value(with_utf8_only(text))}};
  JsonStream out(kJsonLine);
  out.member("content", Value(List{Value(content)}));
  if (!structured.empty()) out.member_text("structuredContent", structured);
  return out.member("isError", Value(failed))
      .member("_meta", Value(Record{{"rocm-perf-lab/exit_code", Value(exit_code)}}))
      .text();
}

std::string together_json(const std::vector<ToolPart>& parts, const std::vector<Said>& replies) {
  JsonStream out(kJsonLine);
  out.member("schema", Value(kPartsSchema)).begin_rows("parts");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out.row_by([&](std::string& text) {
      JsonStream one(kJsonLine);
      one.member("command", Value(parts[i].line));
      text += one.member_text(replies[i].failed ? "error" : "result", replies[i].json).text();
    });
  }
  out.end_rows().member("notes", Value(List{})).member("provenance", Value("none"));
  return out.text();
}

}  // namespace

std::string tool_result(const std::vector<ToolPart>& parts, bool together, const McpForm& form,
                        KeptResults& kept) {
  // The whole has failed when what it begins with has.
  if (parts.empty()) return tool_error({Errc::internal, "nothing ran", ""}, form);
  const ToolPart& first = parts.front();
  const bool failed = !first.document;
  if (failed) together = false;
  std::vector<Said> replies;
  std::size_t left = form.bytes <= kTextShare ? form.bytes : form.bytes - kTextShare;
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t share = left / (parts.size() - i);
    replies.push_back(
        part_reply(parts[i], form.bytes == 0 ? 0 : std::max(share, kLeastBytes), form, kept));
    left -= std::min(left, replies.back().json.size());
    constexpr std::size_t kMostPrinted = 2000;
    text += beside(parts[i], form.bytes == 0 ? std::string::npos : kMostPrinted);
    if (together && !parts[i].line.empty())
      text += elide_middle(parts[i].line, kTextColumns) + (form.text_only ? ":\n" : ": ");
    text += replies.back().text;
    if (!text.ends_with('\n')) text += '\n';
    if (failed) break;
  }
  std::string structured;
  if (!form.text_only) structured = together ? together_json(parts, replies) : replies[0].json;
  if (!form.text_only && text.ends_with('\n')) text.pop_back();
  return result(text, structured, replies[0].failed, parts.back().exit_code);
}

std::string tool_error(const Error& error, const McpForm& form) {
  return result(error_sentence(error), form.text_only ? "" : error_line(error), true,
                exit_status(error.code));
}

}  // namespace rpl
