// SPDX-License-Identifier: MIT
#include "shell/commands/profile_view.h"

#include "engine/diagnose/profile_document.h"
#include "shell/commands/opened.h"

namespace rpl {

Result<Document> profile_document(const std::string& path) {
  const diagnose::ProfileDocument profile = TRY(diagnose::read_profile(path));
  Document out;
  out.schema = "rpl.profile/1";
  out.fields = {{"path", Type::string, Unit::none, "the file"},
                {"version", Type::string, Unit::none, "of the document"},
                {"kernel", Type::kernel, Unit::none, "the dominant one"},
                {"architecture", Type::string, Unit::none, "null when unknown"}};
  out.columns = {{"field", Type::string, Unit::none, "dotted path"},
                 {"value", Type::any, Unit::none, "as written"}};
  out.set("path", path);
  out.set("version", profile.version);
  out.set("kernel", profile.kernel);
  out.set("architecture", profile.architecture.empty() ? Value() : Value(profile.architecture));
  for (const auto& [field, value] : profile.leaves) out.rows.push_back({Value(field), value});
  if (profile.older_tool)
    out.notes.emplace_back(
        "the older tool wrote this: its roofline, att and headroom_fraction follow formulas that are wrong");
  out.provenance = Provenance::recorded;
  out.next = {"compare " + path + " OTHER.json"};
  return out;
}

Result<std::optional<Document>> opened_profile(const std::string& path) {
  if (!diagnose::is_profile_file(path)) return std::nullopt;
  return TRY(profile_document(path));
}

Result<Document> compare_profiles(const std::string& before, const std::string& after) {
  const diagnose::ProfileDocument old = TRY(diagnose::read_profile(before));
  const diagnose::ProfileDocument fresh = TRY(diagnose::read_profile(after));
  const auto ratio = [](const Value& a, const Value& b) {
    const auto x = a.number(), y = b.number();
    return x && y && *x > 0 ? Value(*y / *x) : Value();
  };
  Document out;
  out.schema = "rpl.compare.profiles/1";
  out.fields = {{"before", Type::string, Unit::none, "first document"},
                {"after", Type::string, Unit::none, "second document"},
                {"runtime_ratio", Type::number, Unit::ratio, "after / before: below 1 is faster"}};
  out.columns = {{"field", Type::string, Unit::none, "dotted path"},
                 {"before", Type::any, Unit::none, "null where it is lacking"},
                 {"after", Type::any, Unit::none, "null where it is lacking"},
                 {"ratio", Type::number, Unit::ratio, "after / before, of positive numbers"}};
  out.scalar = "runtime_ratio";
  out.set("before", before);
  out.set("after", after);
  out.set("runtime_ratio", ratio(*old.find("runtime_ms"), *fresh.find("runtime_ms")));
  for (const diagnose::ProfileDifference& row : differences(old, fresh))
    out.rows.push_back({Value(row.field), row.before, row.after, ratio(row.before, row.after)});
  out.notes = comparison_notes(old, fresh);
  out.provenance = Provenance::recorded;
  return out;
}

}  // namespace rpl
