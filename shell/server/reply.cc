// SPDX-License-Identifier: MIT
#include "shell/server/reply.h"

#include <fmt/format.h>

#include "engine/document/json_text.h"
#include "shell/render/render.h"

namespace rpl {
namespace {

/// Line breaks stand between the parts of a document only: in its texts they are escaped.
void append_on_one_line(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += text.substr(0, end);
    text.remove_prefix(end);
    const std::size_t next = std::min(text.find_first_not_of("\n "), text.size());
    if (next > 0 && out.ends_with(',')) out += ' ';
    text.remove_prefix(next);
  }
}

std::string head(std::string_view id, std::string_view event) {
  return fmt::format(R"({{"schema": "rpl.reply/1", "id": {}, "event": "{}")", id, event);
}

/// What every last reply ends with.
std::string tail(int exit_code, const Printed& printed, const std::vector<std::string>& notes) {
  std::string out = fmt::format(R"(, "exit_code": {}, "printed": )", exit_code);
  append_json_string(out, printed.text);
  out += fmt::format(R"(, "printed_bytes_left_out": {}, "notes": )", printed.left_out_bytes);
  List list;
  for (const std::string& note : notes) list.emplace_back(note);
  append_json(out, Value(std::move(list)));
  return out + "}\n";
}

}  // namespace

std::string error_line(const Error& error) {
  std::string out = error_json(error);
  out.pop_back();  // its line break
  return out;
}

Result<std::string> document_line(const Document& document, std::optional<std::uint64_t> limit) {
  std::string out;
  Form form{.format = Format::json, .limit = limit};
  TRY(render(document, form, {}, [&](std::string_view part) -> Status {
    append_on_one_line(out, part);
    if (out.size() <= kLongestResult) return {};
    return fail(Errc::limit, fmt::format("the result is longer than {} MiB", kLongestResult >> 20U),
                "ask for fewer rows with \"limit\", or write it to a file: export json");
  }));
  return out;
}

std::string outcome_reply(std::string_view id, const Runner::Outcome& outcome,
                          std::optional<std::uint64_t> limit) {
  if (!outcome.answer)
    return head(id, "error") + R"(, "error": )" + error_line(outcome.answer.error()) +
           tail(outcome.exit_code, outcome.printed, outcome.notes);
  const auto document =
      document_line(*outcome.answer->document, limit ? limit : outcome.answer->limit);
  if (!document)
    return head(id, "error") + R"(, "error": )" + error_line(document.error()) +
           tail(exit_status(document.error().code), outcome.printed, outcome.notes);
  return head(id, "result") + R"(, "result": )" + *document +
         tail(outcome.exit_code, outcome.printed, outcome.notes);
}

std::string error_reply(std::string_view id, const Error& error) {
  return head(id, "error") + R"(, "error": )" + error_line(error) +
         tail(exit_status(error.code), {}, {});
}

std::string result_reply(std::string_view id, std::string_view document) {
  return head(id, "result") + R"(, "result": )" + std::string(document) + tail(0, {}, {});
}

std::string progress_reply(std::string_view id, std::string_view what, std::uint64_t done,
                           std::uint64_t total) {
  std::string out = head(id, "progress") + R"(, "progress": {"what": )";
  append_json_string(out, what);
  return out + fmt::format(R"(, "done": {}, "total": {}}}}}{})", done,
                           total == 0 ? "null" : fmt::format("{}", total), "\n");
}

}  // namespace rpl
