// SPDX-License-Identifier: MIT
#include "shell/core/inputs/profile_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/input_file.h"
#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

/// What a name of `compare` means, for people.
std::string what_is(const Inputs& inputs, const std::string& name) {
  if (names_profile(inputs, name)) return "a profile document";
  for (const auto& open : inputs.workspace.traces()) {
    if (open->id() == name) return "a trace";
  }
  if (inputs.workspace.captures.find(name)) return "a capture";
  if (inputs.workspace.objects.find(name)) return "a code object";
  if (inputs.workspace.thread_traces.find(name)) return "a thread trace";
  const std::string schema = document_schema_of(name);
  if (!schema.empty()) return fmt::format("a document of this program ({})", schema);
  switch (openable(name)) {
    case Openable::recording:
      return "a recording";
    case Openable::capture:
      return "a capture";
    case Openable::object:
      return "a code object";
    case Openable::thread_trace:
      return "a thread trace";
    case Openable::profile:
    case Openable::nothing:
      break;
  }
  std::error_code ignored;
  return std::filesystem::exists(name, ignored) ? "none that rpl knows" : "neither open nor a file";
}

Error mismatch(const Inputs& inputs, const std::string& before, const std::string& after) {
  const std::string first = what_is(inputs, before), second = what_is(inputs, after);
  const bool profile_first = names_profile(inputs, before);
  const std::string& other = profile_first ? after : before;
  const std::string kind = profile_first ? second : first;
  std::string hint = "name two profile documents or two recordings";
  if (kind == "a recording" || kind == "a trace") {
    hint = fmt::format(
        "make a profile document of the recording: export profile -o DIR --trace {0}; then compare "
        "{1}",
        other, profile_first ? before + " DIR/profile.json" : "DIR/profile.json " + after);
  }
  return {
      Errc::usage,
      fmt::format("{} is {} and {} is {}: they cannot be compared", before, first, after, second),
      std::move(hint)};
}

using diagnose::ProfileDifference;
using diagnose::ProfileDocument;
using Held = Shelved<ProfileDocument>;

constexpr auto kProfileFields = bound_to<Held>(
    column<&Held::id>("id", "name in this session: prof1").as(Type::id),
    column<&Held::path>("path", "the file"),
    column<&Held::value, &ProfileDocument::version>("version", "of the document"),
    column<&Held::value, &ProfileDocument::kernel>("kernel", "the dominant one").as(Type::kernel),
    column<&Held::value, &ProfileDocument::architecture>("architecture", "null when unknown")
        .or_null());

using Leaf = decltype(ProfileDocument::leaves)::value_type;

constexpr auto kLeafColumns = bound_to<Leaf>(column<&Leaf::first>("field", "dotted path"),
                                             column<&Leaf::second>("value", "as written"));

std::optional<double> ratio_of(const Value& before, const Value& after) {
  const auto x = before.number(), y = after.number();
  return x && y && *x > 0 ? std::optional(*y / *x) : std::nullopt;
}

struct Comparison {
  std::string before, after;
  std::optional<double> ratio;
};

constexpr auto kPairFields = bound_to<Comparison>(
    column<&Comparison::before>("before", "first document"),
    column<&Comparison::after>("after", "second document"),
    column<&Comparison::ratio>("runtime_ratio", "after / before: below 1 is faster"));

constexpr auto kDifferenceColumns = bound_to<ProfileDifference>(
    column<&ProfileDifference::field>("field", "dotted path"),
    column<&ProfileDifference::before>("before", "null where it is lacking"),
    column<&ProfileDifference::after>("after", "null where it is lacking"),
    column<+[](const ProfileDifference& row) { return ratio_of(row.before, row.after); }>(
        "ratio", "after / before, of positive numbers")
        .in(Unit::ratio));

}  // namespace

std::string document_schema_of(const std::string& path) {
  constexpr std::size_t kBeginning = 256;
  const std::string head = first_bytes(path, kBeginning);
  const std::size_t at = head.find("\"schema\": \"rpl.");
  if (at == std::string::npos || head.find_first_not_of(" \t\r\n{") != at) return {};
  const std::size_t begin = head.find("rpl.", at), end = head.find('"', begin);
  return end == std::string::npos ? std::string() : head.substr(begin, end - begin);
}

bool names_profile(const Inputs& inputs, const std::string& name) {
  return inputs.workspace.profiles.find(name) || diagnose::is_profile_file(name);
}

Result<ProfileEntry> profile_named(const Inputs& inputs, const std::string& reference) {
  ProfileEntry entry = reference.empty() ? inputs.workspace.profiles.current()
                                         : inputs.workspace.profiles.find(reference);
  if (reference.empty() && !entry)
    return fail(Errc::not_found, "no profile document is open",
                "open one: open profile.json; 'export profile' writes one of a trace");
  // The file may have been written again since.
  if (!entry || entry->path == reference) {
    auto read =
        std::make_shared<const diagnose::ProfileDocument>(TRY(diagnose::read_profile(reference)));
    if (!entry || entry->value->leaves != read->leaves)
      entry = inputs.workspace.profiles.add(reference, std::move(read));
  }
  inputs.workspace.profiles.make_current(entry);
  inputs.values.set("profile", Value(entry->id));
  return entry;
}

std::string one_line(const ProfileEntry& entry) {
  const diagnose::ProfileDocument& profile = *entry->value;
  const Value* runtime = profile.find("runtime_ms");
  const auto time = runtime == nullptr ? std::nullopt : runtime->number();
  return fmt::format("{}: {}{}, {} (profile document {}{})", entry->id,
                     profile.kernel.empty() ? "no kernel" : short_kernel(profile.kernel),
                     profile.architecture.empty() ? "" : " on " + profile.architecture,
                     time ? fmt::format("{:.6g} ms", *time) : "no times", profile.version,
                     profile.older_tool ? " of the older tool" : "");
}

std::vector<Column> profile_fields() { return described(kProfileFields); }
std::vector<Column> profile_columns() { return described(kLeafColumns); }
std::vector<Column> profiles_fields() { return described(kPairFields); }
std::vector<Column> profiles_columns() { return described(kDifferenceColumns); }

Document profile_document(const ProfileEntry& entry) {
  const diagnose::ProfileDocument& profile = *entry->value;
  Document out;
  out.put(kProfileFields, *entry);
  out.table(kLeafColumns, profile.leaves);
  if (profile.older_tool)
    out.notes.emplace_back(
        "the older tool wrote this: its roofline, att and headroom_fraction follow formulas that "
        "are wrong");
  out.provenance = Provenance::recorded;
  out.next = {"compare " + entry->id + " OTHER.json"};
  return out;
}

Result<Document> compare_profiles(const Inputs& inputs, const std::string& before,
                                  const std::string& after) {
  if (!names_profile(inputs, before) || !names_profile(inputs, after))
    return Failure(mismatch(inputs, before, after));
  const ProfileEntry first = TRY(profile_named(inputs, before));
  const ProfileEntry second = TRY(profile_named(inputs, after));
  const ProfileDocument &old = *first->value, &fresh = *second->value;
  const auto runtime = [](const ProfileDocument& document) {
    const Value* value = document.find("runtime_ms");
    return value == nullptr ? Value() : *value;
  };
  Document out;
  out.schema = "rpl.compare.profiles/1";
  out.fields = profiles_fields();
  out.scalar = "runtime_ratio";
  out.put(kPairFields, Comparison{before, after, ratio_of(runtime(old), runtime(fresh))});
  out.table(kDifferenceColumns, differences(old, fresh));
  out.notes = comparison_notes(old, fresh);
  out.provenance = Provenance::recorded;
  return out;
}

}  // namespace rpl
