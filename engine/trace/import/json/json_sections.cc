// SPDX-License-Identifier: MIT
#include "engine/trace/import/json/json_sections.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace rpl {

namespace {

constexpr std::string_view kRoot = "rocprofiler-sdk-tool";
/// Objects whose members are sections of their own.
constexpr std::array<std::string_view, 3> kGroups{"strings", "buffer_records", "callback_records"};

}  // namespace

Result<JsonSections> JsonSections::scan(ByteSource source, const Monitor& monitor) {
  JsonSections sections(std::move(source));
  TRY(sections.scan_root(monitor));
  return sections;
}

std::string JsonSections::where(std::size_t process, std::string_view section) const {
  return fmt::format("{}: {}[{}].{}", scanner_.source().name(), kRoot, process, section);
}

Status JsonSections::scan_root(const Monitor& monitor) {
  monitor.report("finding sections", 0, bytes());
  if (TRY(scanner_.peek()) != '{') {
    return fail(Errc::unsupported,
                fmt::format("{} is not a rocprofv3 results JSON", scanner_.source().name()),
                "rpl reads *_results.json, whose top key is rocprofiler-sdk-tool");
  }
  TRY(scanner_.enter('{'));
  std::string key;
  while (TRY(scanner_.next_member(key))) {
    TRY(key == kRoot ? scan_tool() : scanner_.skip());
    found_tool_ = found_tool_ || key == kRoot;
  }
  if (!found_tool_) {
    return fail(Errc::unsupported,
                fmt::format("{} has no key '{}'", scanner_.source().name(), kRoot),
                "rpl reads *_results.json of rocprofv3");
  }
  monitor.report("finding sections", bytes(), bytes());
  return {};
}

Status JsonSections::scan_tool() {
  // Some readers flatten the array of processes away before they write the document again.
  if (TRY(scanner_.peek()) == '{') return scan_process();
  TRY(scanner_.enter('['));
  while (TRY(scanner_.next_element())) TRY(scan_process());
  return {};
}

Status JsonSections::scan_process() {
  TRY(scanner_.enter('{'));
  Process process;
  std::string key;
  while (TRY(scanner_.next_member(key))) {
    const bool group = std::find(kGroups.begin(), kGroups.end(), key) != kGroups.end();
    if (group && TRY(scanner_.peek()) == '{') {
      TRY(scan_group(key, process));
    } else {
      TRY(note_section(key, process));
    }
  }
  processes_.push_back(std::move(process));
  return {};
}

Status JsonSections::scan_group(const std::string& name, Process& into) {
  TRY(scanner_.enter('{'));
  std::string key;
  while (TRY(scanner_.next_member(key))) {
    TRY(note_section(fmt::format("{}.{}", name, key), into));
  }
  return {};
}

Status JsonSections::note_section(std::string name, Process& into) {
  const char open = TRY(scanner_.peek());
  const std::uint64_t begin = scanner_.offset();
  if (open == '[') {
    TRY(scanner_.enter('['));
    if (!TRY(scanner_.next_element())) return {};
    into.insert_or_assign(std::move(name), begin);
    TRY(scanner_.skip());
    while (TRY(scanner_.next_element())) TRY(scanner_.skip());
    return {};
  }
  if (open == '{') into.insert_or_assign(std::move(name), begin);
  return scanner_.skip();
}

Status JsonSections::rows(std::size_t process, std::string_view section,
                          std::vector<JsonField> fields, const JsonRows::Body& body) {
  const auto found = processes_[process].find(section);
  if (found == processes_[process].end()) return {};
  JsonRows rows(where(process, section), std::move(fields));
  scanner_.seek(found->second);
  if (TRY(scanner_.peek()) == '{') {
    TRY(rows.read(TRY(scanner_.value()), body));
  } else {
    TRY(scanner_.enter('['));
    while (true) {
      const std::string_view batch = TRY(scanner_.elements());
      if (batch.empty()) break;
      TRY(rows.read(batch, body));
    }
  }
  repaired_ = repaired_ || rows.repaired();
  return {};
}

Status JsonSections::texts(
    std::size_t process, std::string_view section, std::vector<JsonField> fields,
    const std::function<Status(std::string_view, std::span<const JsonCell>)>& body) {
  const auto found = processes_[process].find(section);
  if (found == processes_[process].end()) return {};
  JsonRows rows(where(process, section), std::move(fields));
  scanner_.seek(found->second);
  TRY(scanner_.enter('['));
  while (TRY(scanner_.next_element())) {
    const std::string_view text = TRY(scanner_.value());
    TRY(rows.read(text, [&](std::span<const JsonCell> cells) { return body(text, cells); }));
  }
  repaired_ = repaired_ || rows.repaired();
  return {};
}

}  // namespace rpl
