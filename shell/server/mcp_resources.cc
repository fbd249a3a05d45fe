// SPDX-License-Identifier: MIT
#include "shell/server/mcp_resources.h"

#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/document/json.h"
#include "engine/optimize/store/store.h"
#include "shell/core/session/context.h"
#include "shell/core/session/session_log.h"
#include "shell/core/session/workspace.h"
#include "shell/server/serve.h"

namespace rpl {
namespace {

constexpr std::string_view kReport = "rpl://report/", kSource = "rpl://source/",
                           kResult = "rpl://result/";

Value resource(std::string_view begin, std::string_view rest, std::string_view name,
               std::string_view type) {
  return Value(Record{{"uri", Value(fmt::format("{}{}", begin, rest))},
                      {"name", Value(name)},
                      {"mimeType", Value(type)}});
}

Value resource_template(std::string_view begin, std::string_view variable, std::string_view name,
                        std::string_view description, std::string_view type) {
  return Value(Record{{"uriTemplate", Value(fmt::format("{}{{{}}}", begin, variable))},
                      {"name", Value(name)},
                      {"description", Value(description)},
                      {"mimeType", Value(type)}});
}

Result<std::string> report_of(McpHost& host, std::string_view trace) {
  const ToolPart part = host.run("report md", {{"trace", Value(trace)}});
  if (!part.document) return Failure(part.document.error());
  const Value* text = (*part.document)->get("markdown");
  return text == nullptr || text->as<std::string>() == nullptr ? "" : *text->as<std::string>();
}

}  // namespace

JsonText resource_list(Context& context, const KeptResults& kept) {
  List out;
  for (const auto& trace : context.workspace().traces())
    out.push_back(
        resource(kReport, trace->id(), fmt::format("report of {}", trace->id()), "text/markdown"));
  if (const auto& store = context.log().proposals()) {
    for (const Optimization& one : store->optimizations())
      out.push_back(resource(kSource, one.base_source(),
                             fmt::format("what {} edits: {}", one.id(), one.source),
                             "text/x-c++src"));
  }
  for (const auto& [name, document] : kept.all())
    out.push_back(
        resource(kResult, name, fmt::format("{}, whole", document->schema), "application/json"));
  return json_text(Value(Record{{"resources", Value(std::move(out))}}));
}

JsonText resource_templates() {
  return json_text(Value(Record{
      {"resourceTemplates",
       Value(List{resource_template(kReport, "trace", "report", "an open recording's report",
                                    "text/markdown"),
                  resource_template(kSource, "path", "source",
                                    "a source in the project, or of a proposal", "text/plain"),
                  resource_template(kResult, "handle", "result",
                                    "a result that was cut: handles stand in replies",
                                    "application/json")})}}));
}

Result<JsonText> read_resource(Context& /*context*/, McpHost& host, const std::string& uri) {
  std::string text;
  std::string_view type = "text/plain";
  const std::string_view all(uri);
  if (all.starts_with(kReport)) {
    text = TRY(report_of(host, all.substr(kReport.size())));
    type = "text/markdown";
  } else if (all.starts_with(kSource)) {
    text = TRY(read_text_file(std::string(all.substr(kSource.size()))));
  } else if (all.starts_with(kResult)) {
    const ToolPart part = TRY(host.more(std::string(all.substr(kResult.size()))));
    text = TRY(document_line(**part.document, std::nullopt)).string();
    type = "application/json";
  } else {
    return fail(Errc::not_found, fmt::format("no resource '{}'", uri),
                "resources/list and resources/templates/list name them");
  }
  return json_text(Value(
      Record{{"contents", Value(List{Value(Record{{"uri", Value(uri)},
                                                  {"mimeType", Value(type)},
                                                  {"text", Value(with_utf8_only(text))}})})}}));
}

}  // namespace rpl
