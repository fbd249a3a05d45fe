// SPDX-License-Identifier: MIT
#include "shell/core/inputs/profile_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "engine/base/text_layout.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/inputs/profile_shapes.h"
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

Value number_or_null(const diagnose::ProfileDocument& document, std::string_view leaf) {
  const Value* value = document.find(leaf);
  return value == nullptr ? Value() : *value;
}

}  // namespace

std::string document_schema_of(const std::string& path) {
  constexpr std::size_t kBeginning = 256;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string head(kBeginning, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
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

std::vector<Column> profile_fields() {
  return {{"id", Type::id, Unit::none, "name in this session: prof1"},
          {"path", Type::string, Unit::none, "the file"},
          {"version", Type::string, Unit::none, "of the document"},
          {"kernel", Type::kernel, Unit::none, "the dominant one"},
          {"architecture", Type::string, Unit::none, "null when unknown"}};
}

Document profile_document(const ProfileEntry& entry) {
  const diagnose::ProfileDocument& profile = *entry->value;
  Document out;
  out.set("id", entry->id);
  out.set("path", entry->path);
  out.set("version", profile.version);
  out.set("kernel", profile.kernel);
  out.set("architecture", profile.architecture.empty() ? Value() : Value(profile.architecture));
  for (const auto& [field, value] : profile.leaves) out.rows.push_back({Value(field), value});
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
  const diagnose::ProfileDocument &old = *first->value, &fresh = *second->value;
  const auto ratio = [](const Value& a, const Value& b) {
    const auto x = a.number(), y = b.number();
    return x && y && *x > 0 ? Value(*y / *x) : Value();
  };
  DocumentShape shape = document_shape("rpl.compare.profiles/1");
  Document out;
  out.schema = std::move(shape.schema);
  out.fields = std::move(shape.fields);
  out.columns = std::move(shape.columns);
  out.scalar = "runtime_ratio";
  out.set("before", before);
  out.set("after", after);
  out.set("runtime_ratio",
          ratio(number_or_null(old, "runtime_ms"), number_or_null(fresh, "runtime_ms")));
  for (const diagnose::ProfileDifference& row : differences(old, fresh))
    out.rows.push_back({Value(row.field), row.before, row.after, ratio(row.before, row.after)});
  out.notes = comparison_notes(old, fresh);
  out.provenance = Provenance::recorded;
  return out;
}

}  // namespace rpl
