// SPDX-License-Identifier: MIT
// profile --target recorded: what an earlier profile of the same program with the same arguments measured, from the session; nothing runs.
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/base/sha256.h"
#include "engine/document/json_parse.h"
#include "engine/target/emu/program_check.h"
#include "shell/commands/profile/profile_files.h"
#include "shell/commands/profile/profile_run.h"
#include "shell/core/session/context.h"
#include "shell/core/session/folders.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

/// A program of that size is hashed in a second; larger ones are known by their arguments alone.
constexpr std::uintmax_t kMostCodeBytes = 256U << 20U;
constexpr std::size_t kCodeDigits = 16;

std::string text_of(const Value* record, std::string_view name) {
  const Value* found = record == nullptr ? nullptr : record->find(name);
  const auto* text = found == nullptr ? nullptr : found->as<std::string>();
  return text == nullptr ? std::string() : *text;
}

/// profile.json of profiles/N, the newest first; what cannot be read is none of them.
std::vector<std::pair<std::string, Value>> recorded_profiles(const fs::path& folder) {
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

std::vector<double> samples_of(const Value& document) {
  std::vector<double> out;
  const Value* stability = document.find("stability");
  const Value* samples = stability == nullptr ? nullptr : stability->find("samples_ms");
  const List* list = samples == nullptr ? nullptr : samples->as<List>();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    if (const auto number = (*list)[i].number()) out.push_back(*number);
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

/// Stability comes from the samples again; everything else is what was written.
Document document_of(const Value& recorded, const std::vector<double>& samples_ms) {
  DocumentShape shape = document_shape("rpl.profile/1");
  Document out;
  out.schema = std::move(shape.schema);
  for (const Column& field : shape.fields) {
    const Value* value = recorded.find(field.name);
    out.set(field.name, value == nullptr ? Value() : *value);
  }
  out.fields = std::move(shape.fields);
  set_stability(samples_ms, out);
  out.provenance = provenance_named(text_of(&recorded, "provenance"));
  return out;
}

}  // namespace

std::string code_of_program(const std::string& program) {
  const auto path = profile::found_in_path(program);
  std::error_code error;
  if (!path || fs::file_size(*path, error) > kMostCodeBytes || error) return {};
  const auto bytes = read_text_file(*path);
  return bytes ? sha256_hex(*bytes).substr(0, kCodeDigits) : std::string();
}

Result<Document> profile_recorded(Context& context, const ProfileRunArgs& args,
                                  const ProfilePlan& plan) {
  if (args.roofline || args.deep_analysis || args.focus_critical || !args.counters.empty() ||
      !args.att.empty() || !args.pc_sampling.empty())
    TRY(require(plan.target, Ability::more_records));
  const fs::path folder =
      fs::path(TRY(numbered_folder(context.log(), "profiles", Numbered::free))).parent_path();
  const std::string program = command_line(plan.argv);
  bool other_code = false;
  for (const auto& [path, recorded] : recorded_profiles(folder)) {
    const Value* run = recorded.find("run");
    const std::vector<double> samples = samples_of(recorded);
    if (text_of(run, "program") != program || samples.empty()) continue;
    if (text_of(run, "code") != plan.code) {
      other_code = true;
      continue;
    }
    Document out = document_of(recorded, samples);
    out.notes.insert(out.notes.begin(), fmt::format("nothing ran: this is {}", path));
    out.text = fmt::format("{} as it was recorded on {} in {}: nothing ran\n{}", program,
                           text_of(run, "target"), path, stability_line(samples));
    out.next = {"info profile " + (fs::path(path) / "profile.json").string()};
    return out;
  }
  return fail(Errc::not_found,
              fmt::format("no profile of '{}' with code {} is in {}{}", program,
                          plan.code.empty() ? "unknown" : plan.code, folder.string(),
                          other_code ? ": it was another build" : ""),
              fmt::format("record one: profile -- {}", program));
}

}  // namespace rpl
