// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

/// The layout of rocpd databases, for who writes them: the emulated device, and generators of test data.
namespace rpl::rocpd {

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

/// The tables of a schema version. Those of version 3 are AMD's, column by column (rocprofiler-sdk, rocpd; a test compares them
/// with a database of ROCm 7). Of later ones what is not documented is a guess: the columns of rocpd_hip_event and
/// rocpd_event_operation, and most of schema 4.1.
std::vector<TableSpec> tables_of(SchemaVersion version, bool event_operations);

/// CREATE TABLE statements for one recording. `suffix` is "" or begins with "_".
std::string create_tables_sql(const std::vector<TableSpec>& tables, std::string_view suffix,
                              std::string_view guid);
/// Two tables of our own beside them: from where in the program calls were made (docs/trace-formats.md).
std::string create_site_tables_sql(std::string_view suffix);
/// A view per table without its suffix, and the views that rocprofv3 adds; none of those for version 4.
std::string create_views_sql(const std::vector<TableSpec>& tables, std::string_view suffix,
                             SchemaVersion version);

/// CREATE VIEW statements for the views that rocprofv3 puts beside its tables in schema 3 (kernels, regions, memory_copies, top …): the
/// same names, columns and meaning, in our own words.
std::string convenience_views_sql();

}  // namespace rpl::rocpd
