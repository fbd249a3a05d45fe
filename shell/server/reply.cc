// SPDX-License-Identifier: MIT
#include "shell/server/serve.h"

#include <fmt/format.h>

#include "engine/document/json.h"
#include "shell/render/forms.h"

namespace rpl {
namespace {

JsonStream head(std::string_view id, std::string_view event) {
  JsonStream out(kJsonLine);
  out.member("schema", Value("rpl.reply/1"))
      .member_text("id", json_already(id))
      .member("event", Value(event));
  return out;
}

/// What every last reply ends with.
JsonText tail(JsonStream& out, int exit_code, const Printed& printed,
              const std::vector<std::string>& notes) {
  return out.member("exit_code", Value(exit_code))
      .member("printed", Value(printed.text))
      .member("printed_bytes_left_out", Value(printed.left_out_bytes))
      .member("notes", Value(List(notes.begin(), notes.end())))
      .line();
}

}  // namespace

JsonText error_line(const Error& error) { return json_text(error_value(error)); }

Result<JsonText> document_line(const Document& document, std::optional<std::uint64_t> limit) {
  JsonText out;
  const Form form{.format = Format::json, .limit = limit, .on_one_line = true};
  TRY(render_json(document, form, [&](const JsonText& part) -> Status {
    out += part;
    if (out.bytes().size() <= kLongestResult) return {};
    return fail(Errc::limit, fmt::format("the result is longer than {} MiB", kLongestResult >> 20U),
                "ask for fewer rows with \"limit\", or write it to a file: export json");
  }));
  return out;
}

JsonText outcome_reply(std::string_view id, const Runner::Outcome& outcome,
                       std::optional<std::uint64_t> limit) {
  Result<JsonText> document = Failure(outcome.answer ? Error() : outcome.answer.error());
  if (outcome.answer)
    document = document_line(*outcome.answer->document, limit ? limit : outcome.answer->limit);
  const int exit_code =
      outcome.answer && !document ? exit_status(document.error().code) : outcome.exit_code;
  JsonStream out = head(id, document ? "result" : "error");
  out.member_text(document ? "result" : "error",
                  document ? *document : error_line(document.error()));
  return tail(out, exit_code, outcome.printed, outcome.notes);
}

JsonText error_reply(std::string_view id, const Error& error) {
  JsonStream out = head(id, "error");
  return tail(out.member_text("error", error_line(error)), exit_status(error.code), {}, {});
}

JsonText result_reply(std::string_view id, const JsonText& document) {
  JsonStream out = head(id, "result");
  return tail(out.member_text("result", document), 0, {}, {});
}

JsonText progress_reply(std::string_view id, std::string_view what, std::uint64_t done,
                        std::uint64_t total) {
  const Record progress{
      {"what", Value(what)}, {"done", Value(done)}, {"total", Value::known(total)}};
  return head(id, "progress").member("progress", Value(progress)).line();
}

}  // namespace rpl
