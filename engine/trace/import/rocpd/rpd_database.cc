// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/rpd_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/interrupt.h"
#include "engine/trace/import/rocpd/rocpd_source.h"

namespace rpl {

namespace {

constexpr std::array<std::string_view, 3> kKernelTypes{"KernelExecution", "Kernel", "Task"};
constexpr std::array<std::string_view, 4> kCopyTypes{"Copy", "Fill", "Memcpy", "Memset"};

}  // namespace

RpdDatabase::RpdDatabase(std::shared_ptr<ForeignDatabase> database)
    : database_(std::move(database)),
      string_{"rocpd_string", "id", {"string"}, {}, false, false},
      call_{"rocpd_api", "id", {"pid", "tid", "apiName_id"}, {}, false, false} {}

Status RpdDatabase::require(const std::string& table,
                            std::initializer_list<std::string_view> columns) {
  const std::vector<std::string> present = TRY(database_->columns(table));
  for (const std::string_view column : columns) {
    if (std::find(present.begin(), present.end(), column) != present.end()) continue;
    return fail(Errc::unsupported,
                fmt::format("{}: the table {} has no column {}", database_->path(), table, column),
                "this build reads RPD schema version 2");
  }
  return {};
}

Status RpdDatabase::load() {
  TRY(require("rocpd_op",
              {"id", "gpuId", "queueId", "start", "end", "description_id", "opType_id"}));
  TRY(require("rocpd_string", {"id", "string"}));
  Statement links = TRY(select_columns(*database_, "rocpd_api_ops", {"op_id", "api_id"}));
  while (TRY(links.step())) api_of_op_.try_emplace(links.int64(0), links.int64(1));
  Statement first = TRY(select_columns(*database_, "rocpd_api", {"pid"}, "ORDER BY id LIMIT 1"));
  if (TRY(first.step())) first_pid_ = first.int64(0);
  return {};
}

Result<bool> RpdDatabase::find(Lookup& lookup, std::int64_t key) {
  if (!lookup.prepared) {
    const std::vector<std::string> present = TRY(database_->columns(lookup.table));
    const auto has = [&](std::string_view column) {
      return std::find(present.begin(), present.end(), column) != present.end();
    };
    lookup.absent = !has(lookup.key);
    std::string columns;
    for (const std::string_view column : lookup.columns) {
      columns +=
          fmt::format("{}{}", columns.empty() ? "" : ",", has(column) ? sql_name(column) : "NULL");
    }
    if (!lookup.absent) {
      lookup.statement = TRY(
          database_->database().prepare(fmt::format("SELECT {} FROM {} WHERE {} = ?", columns,
                                                    sql_name(lookup.table), sql_name(lookup.key))));
    }
    lookup.prepared = true;
  }
  if (lookup.absent) return false;
  TRY(lookup.statement.bind(key));
  return lookup.statement.step();
}

Result<std::string_view> RpdDatabase::text(std::int64_t id) {
  if (const auto known = texts_.find(id); known != texts_.end()) return known->second;
  const bool found = TRY(find(string_, id));
  const std::string text(found ? string_.statement.text(0) : std::string_view{});
  return texts_.emplace(id, text).first->second;
}

Status RpdDatabase::each_op(const std::function<Status(const RpdOp&)>& body) {
  Statement rows = TRY(
      select_columns(*database_, "rocpd_op",
                     {"id", "gpuId", "queueId", "start", "end", "description_id", "opType_id"}));
  std::size_t count = 0;
  while (TRY(rows.step())) {
    if (++count % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    RpdOp op{rows.int64(0), rows.int64(1), rows.int64(2), rows.int64(3),
             rows.int64(4), rows.int64(5), rows.int64(6), 0};
    if (const auto api = api_of_op_.find(op.id); api != api_of_op_.end()) op.api = api->second;
    TRY(body(op));
  }
  return {};
}

Result<RpdKind> RpdDatabase::kind(const RpdOp& op) {
  const std::string_view type = TRY(text(op.type));
  const auto same = [&](std::string_view name) { return type == name; };
  const auto begins = [&](std::string_view name) { return type.starts_with(name); };
  if (std::any_of(kKernelTypes.begin(), kKernelTypes.end(), same)) return RpdKind::kernel;
  if (std::any_of(kCopyTypes.begin(), kCopyTypes.end(), begins)) return RpdKind::copy;
  if (type.find("Barrier") != std::string_view::npos) return RpdKind::other;
  return TRY(text(op.description)).empty() ? RpdKind::other : RpdKind::kernel;
}

Result<RpdCall> RpdDatabase::call(std::int64_t id) {
  if (id == 0 || !TRY(find(call_, id))) return RpdCall{};
  return RpdCall{call_.statement.int64(0), call_.statement.int64(1), call_.statement.int64(2)};
}

}  // namespace rpl
