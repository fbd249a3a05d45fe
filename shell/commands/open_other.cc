// SPDX-License-Identifier: MIT
// open, for everything that is no recording.
#include <fmt/format.h>

#include "shell/commands/att_view.h"
#include "shell/commands/opened.h"
#include "shell/commands/profile_view.h"

namespace rpl {
namespace {

/// All thread traces of a folder; the fields are the last one's.
Result<Document> opened_thread_traces(Context& context, const std::string& path) {
  const auto entries = TRY(open_thread_traces(context, path));
  Document out;
  for (const AttEntry& entry : entries)
    out.text += (out.text.empty() ? "" : "\n") + one_line(entry);
  const AttEntry& last = entries.back();
  out.set("id", last->id);
  out.set("path", last->path);
  out.set("ready", true);
  out.set("format", to_string(last->value->trace->kind));
  for (const std::string& note : last->value->trace->notes) out.notes.push_back(note);
  out.provenance = provenance_of(*last->value->trace);
  out.next = {"att summary", "att lines", "att insts"};
  return out;
}

Result<Document> opened_profile(Context& context, const std::string& path) {
  const ProfileEntry entry = TRY(profile_named(context, path));
  Document out;
  out.set("id", entry->id);
  out.set("path", path);
  out.set("ready", true);
  out.set("format", "profile document " + entry->value->version);
  out.text = one_line(entry);
  out.provenance = Provenance::recorded;
  out.next = {"info profile " + entry->id, "compare " + entry->id + " OTHER.json"};
  return out;
}

}  // namespace

Result<std::optional<Document>> open_other(Context& context, const std::string& path) {
  const Openable kind = openable(path);
  if (kind == Openable::thread_trace) return TRY(opened_thread_traces(context, path));
  if (kind == Openable::profile) return TRY(opened_profile(context, path));
  if (const std::string schema = document_schema_of(path); !schema.empty()) {
    return fail(Errc::usage,
                fmt::format("{} is a document of this program ({}), no recording", path, schema),
                "open the recording that it was made of, or profile.json beside it");
  }
  if (kind != Openable::capture && kind != Openable::object) return std::nullopt;
  Document out;
  std::string id;
  if (kind == Openable::capture) {
    const CaptureEntry entry = TRY(capture_named(context, path));
    id = entry->id;
    out.text = one_line(entry);
    out.next = {"replay", "capture info", "capture regions"};
  } else {
    const ObjectEntry entry = TRY(object_named(context, path));
    id = entry->id;
    out.set("kernels", std::uint64_t{entry->value->kernels().size()});
    out.text = one_line(entry);
    out.next = {"object meta " + id, "object kernel " + id};
  }
  out.set("id", std::move(id));
  out.set("path", path);
  out.set("ready", true);
  out.set("format", kind == Openable::capture ? "capture" : "code object");
  out.provenance = Provenance::recorded;
  return out;
}

}  // namespace rpl
