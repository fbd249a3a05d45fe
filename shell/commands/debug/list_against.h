// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/isa/object/source_lines.h"
#include "shell/commands/debug/debugging.h"
#include "shell/commands/debug/list_columns.h"
#include "shell/core/session/inputs.h"

/// Two profiles of a kernel beside its source.
namespace rpl {

/// What one profile says of each line.
struct ProfiledSource {
  struct Line {
    ListedLine row;
    double cycles = 0;  ///< of a thread trace: latency and idle, per wave
  };
  std::string id, title, kernel;
  ListSource source = ListSource::run;
  double waves = 1;                ///< by which cycles are divided
  double cycles = 0, stalled = 0;  ///< of all lines, per wave
  std::map<std::pair<std::string, std::uint32_t>, Line> lines = {};  ///< by file and number
  std::function<std::vector<std::string>(const std::string& file)> text = {};
};

struct ComparedSources {
  ProfiledSource before, after;
  std::size_t compared = 0;  ///< which figure
  bool modelled = false;     ///< one of them is

  /// "cycles per wave"
  [[nodiscard]] std::string figure() const;
  [[nodiscard]] std::string before_id() const { return before.id; }
  [[nodiscard]] std::string after_id() const { return after.id; }
  /// In the later source; line 0 where no line has a figure.
  [[nodiscard]] isa::SourcePlace most_changed() const;
  /// A file of the later profile by its path or the end of it; `asked` for none.
  [[nodiscard]] std::string file_named(const std::string& asked) const;
  /// Lines `first` to `last` of a file of the later source, with what was removed between them. Fails with not_found.
  [[nodiscard]] Result<Document> document(const std::string& file, std::uint32_t first,
                                          std::uint32_t last) const;

 private:
  [[nodiscard]] std::vector<ListedLine> rows(const std::string& file,
                                             const std::vector<std::string>& old_text,
                                             const std::vector<std::string>& new_text,
                                             const std::string& old_file) const;
  [[nodiscard]] std::string file_before(const std::string& file) const;
};

inline constexpr auto kComparedFields = bound_to<ComparedSources>(
    column<&ComparedSources::before_id>("before", "with --against: the earlier profile"),
    column<&ComparedSources::after_id>("after", "the later one"),
    column<&ComparedSources::figure>("figure", "what is compared"));

/// `reference`: a thread trace, or "run"; what is current is the later one. Fails with not_found or usage, as where the two are of different kinds, or
/// have no such column.
Result<ComparedSources> compared_sources(const Debugger& debugger, const Inputs& inputs,
                                         const std::string& reference,
                                         const std::vector<std::string>& columns);

}  // namespace rpl
