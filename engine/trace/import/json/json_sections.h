// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/monitor.h"
#include "engine/base/result.h"
#include "engine/trace/bytes/byte_source.h"
#include "engine/trace/core/secondary.h"
#include "engine/trace/import/json/json_rows.h"
#include "engine/trace/import/json/json_scanner.h"

namespace rpl {

/// A rocprofv3 results JSON: where each process's sections lie, found in one pass, so that each can be read when it is
/// wanted and in any order. Memory use does not depend on the size of the file.
class JsonSections {
 public:
  /// Sections of one process by name ("agents", "strings.marker_api", "buffer_records.kernel_dispatch"), as offsets.
  /// Empty arrays and objects are left out.
  using Process = std::map<std::string, std::uint64_t, std::less<>>;

  /// Scans the file. Fails with unsupported when there is no "rocprofiler-sdk-tool" at the top, corrupt when it is cut
  /// short or malformed.
  static Result<JsonSections> scan(ByteSource source, const Monitor& monitor = {});

  [[nodiscard]] std::size_t processes() const { return processes_.size(); }
  [[nodiscard]] bool has(std::size_t process, std::string_view section) const {
    return processes_[process].contains(section);
  }
  [[nodiscard]] const Process& sections(std::size_t process) const { return processes_[process]; }
  [[nodiscard]] std::uint64_t bytes() const { return scanner_.source().size(); }

  /// Reads the objects of an array section, or the one object that the section is; nothing when it is absent.
  Status rows(std::size_t process, std::string_view section, std::vector<JsonField> fields,
              const JsonRows::Body& body);
  /// The same; `body` is also given the text of each object. For sections of few and large objects.
  Status texts(std::size_t process, std::string_view section, std::vector<JsonField> fields,
               const std::function<Status(std::string_view, std::span<const JsonCell>)>& body);
  /// Whether bytes that are not UTF-8 were replaced in what was read so far.
  [[nodiscard]] bool repaired() const { return repaired_; }

 private:
  explicit JsonSections(ByteSource source) : scanner_(std::move(source)) {}

  Status scan_root(const Monitor& monitor);
  Status scan_tool();
  Status scan_process();
  Status scan_group(const std::string& name, Process& into);
  /// Notes where the next value is unless it is empty, and passes it.
  Status note_section(std::string name, Process& into);
  [[nodiscard]] std::string where(std::size_t process, std::string_view section) const;

  JsonScanner scanner_;
  std::vector<Process> processes_;
  bool found_tool_ = false;
  bool repaired_ = false;
};

/// The tables of a rocprofv3 results JSON, read section by section from the places that the first pass found. A dispatch's
/// event_id is its internal correlation id, for JSON has no event table. Order between streams comes
/// from buffer_records.hip_event where the recording has it, else from the names of API functions.
std::unique_ptr<FileTables> json_tables(JsonSections sections);

}  // namespace rpl
