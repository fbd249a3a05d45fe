// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/store/foreign.h"

namespace rpl {

/// The tables of one recording inside a rocpd database: they share a suffix made of the guid. A merged file has several.
struct RocpdSource {
  std::string suffix;     ///< "_0000ddb5_…", or "" for tables without one
  std::string guid;       ///< "0000ddb5-…"; "" when neither metadata nor suffix say
  std::string version;    ///< metadata's schema_version; "" when missing
  bool modelled = false;  ///< metadata says provenance = modelled
  bool joined_counters =
      false;  ///< metadata says counters = joined: the times are of a run without counters
  /// Kernel::time_low, time_high, ratio_band.
  struct Band {
    double low = 0, high = 0, ratio = 0;
  };
  std::map<std::string, Band, std::less<>>
      bands;  ///< by mangled name: metadata's model_band, "LOW HIGH RATIO NAME"
  std::map<std::string, std::string, std::less<>>
      findings;                     ///< by mangled name: metadata's findings, "NAME JSON"
  std::vector<std::string> tables;  ///< full names, sorted

  /// The full name of `base` ("rocpd_event").
  [[nodiscard]] std::string table(std::string_view base) const {
    return std::string(base) + suffix;
  }
  [[nodiscard]] bool has(std::string_view base) const;
};

/// In the order of their suffixes. Views are not looked at: in a merged file they may join what does not belong together.
Result<std::vector<RocpdSource>> rocpd_sources(ForeignDatabase& database);

/// SELECT of the named columns of a table, in that order; columns that the table lacks are NULL, and a table that is
/// missing has no rows. `tail` is what follows the table's name ("WHERE …").
Result<Statement> select_columns(ForeignDatabase& database, const std::string& table,
                                 std::initializer_list<std::string_view> columns,
                                 std::string_view tail = {});

/// Whether the recorder numbers the rows of a table ("rocpd_event", with or without suffix) from 1 on without holes. Seen in recordings of ROCm 7 for
/// these; of others nothing is known.
bool is_numbered(std::string_view table);
/// Whether rows of a table were only ever added, so that it ends with the last one that was written: what happened, not what describes it.
bool is_appended(std::string_view table);

/// An SQL identifier in quotes.
std::string sql_name(std::string_view identifier);

}  // namespace rpl
