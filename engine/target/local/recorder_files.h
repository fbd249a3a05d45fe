// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/target/local/recorder_failures.h"

/// Which files a run of the recorder left. They are told from older ones by what was there before it, never by their age alone.
namespace rpl::profile {

/// What lies in a folder: databases, decoded thread traces (folders), files of samples.
class RecordedFiles {
 public:
  /// Looks at the folder and those below it; one that does not exist is empty.
  static RecordedFiles in(const std::string& folder);

  /// Those that `before` does not have, or has with another size or time of writing; sorted.
  [[nodiscard]] std::vector<std::string> databases_since(const RecordedFiles& before) const;
  [[nodiscard]] std::vector<std::string> thread_traces_since(const RecordedFiles& before) const;
  /// With addresses before those without: results.json, then CSV.
  [[nodiscard]] std::vector<std::string> samples_since(const RecordedFiles& before) const;

 private:
  struct Stamp {
    std::filesystem::file_time_type written;
    std::uintmax_t bytes = 0;
    bool operator==(const Stamp&) const = default;
  };
  using Stamps = std::map<std::string, Stamp>;
  static std::vector<std::string> since(const Stamps& now, const Stamps& before);

  Stamps databases_, thread_traces_, samples_json_, samples_csv_;
};

/// What a database holds. Never fails: one that cannot be read is cut short.
RecordedDatabase look_at(const std::string& path);

/// Databases of one run, in the order of their processes: by start, then by pid. Those that were cut short come last.
std::vector<RecordedDatabase> look_at_all(const std::vector<std::string>& paths);

}  // namespace rpl::profile
