// SPDX-License-Identifier: MIT
#include "engine/intercept/report.h"

#include <limits>

#include "engine/capture/json_fields.h"
#include "engine/document/json_parse.h"
#include "engine/document/json_text.h"

namespace rpl::intercept {
namespace {

constexpr std::uint64_t kAny = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view kSchema = "rpl.capture-report/1";

}  // namespace

std::string report_json(const Report& report) {
  List dispatches;
  for (const auto& [name, count] : report.dispatches) {
    dispatches.push_back(Value(Record{{"kernel", Value(name)}, {"count", Value(count)}}));
  }
  return to_json(Value(Record{{"schema", Value(kSchema)},
                              {"pid", Value(report.pid)},
                              {"runtime", Value(report.runtime)},
                              {"agent", Value(report.agent)},
                              {"kernel", Value(report.kernel)},
                              {"folder", Value(report.folder)},
                              {"failure", Value(report.failure)},
                              {"matches", Value(report.matches)},
                              {"memory_bytes", Value(report.memory_bytes)},
                              {"tracked_bytes", Value(report.tracked_bytes)},
                              {"dispatches", Value(std::move(dispatches))}}));
}

Result<Report> parse_report(std::string_view text) {
  const Value value = TRY(parse_json(text));
  const JsonFields fields = TRY(JsonFields::of(value, "capture report"));
  if (TRY(fields.text("schema")) != kSchema)
    return fields.error("schema", "is not of this version");
  Report out;
  out.pid = static_cast<std::int64_t>(TRY(fields.number("pid", kAny)));
  out.runtime = TRY(fields.text("runtime"));
  out.agent = TRY(fields.text("agent"));
  out.kernel = TRY(fields.text("kernel"));
  out.folder = TRY(fields.text("folder"));
  out.failure = TRY(fields.text("failure"));
  out.matches = TRY(fields.number("matches", kAny));
  out.memory_bytes = TRY(fields.number("memory_bytes", kAny));
  out.tracked_bytes = TRY(fields.number("tracked_bytes", kAny));
  const List& dispatches = *TRY(fields.list("dispatches"));
  for (std::size_t i = 0; i < dispatches.size(); ++i) {
    const JsonFields row = TRY(JsonFields::of(dispatches[i], fields.element("dispatches", i)));
    out.dispatches[TRY(row.text("kernel"))] = TRY(row.number("count", kAny));
  }
  return out;
}

}  // namespace rpl::intercept
