// SPDX-License-Identifier: MIT
#include "engine/target/recorded/recorded_target.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/document/json.h"
#include "engine/document/records.h"
#include "engine/target/stability.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

/// What of a profile.json says whether it is the one.
struct RecordedProfile {
  RunRecord run;
  profile::Stability stability;
  std::string provenance;
};
constexpr auto kRecordedProfileFields = bound_to<RecordedProfile>(
    column<&RecordedProfile::run>("run", "what was run"),
    column<&RecordedProfile::stability>("stability", "its times"),
    column<&RecordedProfile::provenance>("provenance", "where they come from"));

/// profile.json of FOLDER/N, the newest first; what cannot be read is none of them.
std::vector<std::pair<std::string, Value>> recorded_profiles(const std::string& folder) {
  std::map<int, std::string, std::greater<>> numbered;
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    std::string_view rest = name;
    if (const auto number = take_number<int>(rest)) numbered[*number] = entry->path().string();
  }
  std::vector<std::pair<std::string, Value>> out;
  for (const auto& [number, path] : numbered) {
    const auto text = read_text_file((fs::path(path) / "profile.json").string());
    if (!text) continue;
    if (auto document = parse_json(*text)) out.emplace_back(path, std::move(*document));
  }
  return out;
}

Provenance provenance_named(const std::string& name) {
  for (const Provenance one :
       {Provenance::measured, Provenance::modelled, Provenance::recorded, Provenance::estimated}) {
    if (to_string(one) == name) return one;
  }
  return Provenance::none;
}

}  // namespace

Result<ProfileRun> RecordedTarget::profile(const ProfileRequest& request) {
  const std::string program = command_line(request.argv);
  bool other_code = false;
  for (auto& [path, document] : recorded_profiles(folder_)) {
    auto held = from_value(kRecordedProfileFields, document);
    if (!held || held->run.program != program || held->stability.samples.empty()) continue;
    if (held->run.code != request.code) {
      other_code = true;
      continue;
    }
    return ProfileRun{.record = std::move(held->run),
                      .how = path,
                      .times = provenance_named(held->provenance),
                      .runtime_ms = std::move(held->stability.samples),
                      .recorded = std::move(document)};
  }
  return fail(Errc::not_found,
              fmt::format("no profile of '{}' with code {} is in {}{}", program,
                          request.code.empty() ? "unknown" : request.code, folder_,
                          other_code ? ": it was another build" : ""),
              fmt::format("record one: profile -- {}", program));
}

}  // namespace rpl
