// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace rpl::test {

/// "3" is 3.0.0.
struct SchemaVersion {
  int major = 3, minor = 0, patch = 0;

  auto operator<=>(const SchemaVersion&) const = default;
  static SchemaVersion parse(std::string_view text);
  [[nodiscard]] bool tracks() const { return major >= 4; }
};

struct TableSpec {
  std::string name;     ///< without the suffix
  std::string columns;  ///< declarations beside id and guid
};

/// The tables of a schema version, as far as rocpd.md §1.2 and §1.5 describe it. What they do not spell out
/// (the columns of rocpd_hip_event and rocpd_event_operation, and most of schema 4.1) is a guess.
std::vector<TableSpec> rocpd_tables_of(SchemaVersion version, bool event_operations);

/// CREATE TABLE statements for one recording.
std::string create_tables_sql(const std::vector<TableSpec>& tables, std::string_view suffix,
                              std::string_view guid);
/// A view per table without its suffix, and the views that people query most.
std::string create_views_sql(const std::vector<TableSpec>& tables, std::string_view suffix,
                             SchemaVersion version);

}  // namespace rpl::test
