// SPDX-License-Identifier: MIT
// capture list, rm: capture folders on the disk, and those that are open.
#include <fmt/format.h>

#include <filesystem>

#include "engine/base/numbers.h"
#include "engine/capture/dispatches.h"
#include "engine/capture/find_captures.h"
#include "engine/document/bound.h"
#include "engine/isa/traits/architecture.h"
#include "engine/optimize/verify/oracle.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/face.h"
#include "shell/core/session/session_log.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

struct CaptureListArgs {
  std::string folder;
};

std::string one_spelling(const std::string& path) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(path, error);
  return error ? path : canonical.string();
}

struct ListedCapture {
  FoundCapture found;
  std::string id;  ///< of an open one
  bool current = false;
  bool removed = false;  ///< its folder, since it was opened

  [[nodiscard]] const FoundCapture* read() const {
    return id.empty() && found.state != CaptureState::complete ? nullptr : &found;
  }
  [[nodiscard]] const FoundCapture* on_disk() const { return removed ? nullptr : &found; }
  [[nodiscard]] std::string_view state() const {
    return removed ? "removed" : to_string(found.state);
  }
};

std::optional<std::array<std::uint32_t, 3>> known_grid(const FoundCapture& found) {
  if (found.grid[0] == 0) return std::nullopt;
  return found.grid;
}

template <auto step>
consteval BoundColumn found(Label name, Label text) {
  return column<&ListedCapture::found, step>(name, text);
}
template <auto step>
consteval BoundColumn read(Label name, Label text) {
  return column<&ListedCapture::read, step>(name, text);
}

constexpr auto kListColumns = bound_to<ListedCapture>(
    column<&ListedCapture::id>("id",
                               "name of the capture in this session; null for one that is not open")
        .as(Type::id)
        .or_null(),
    column<&ListedCapture::current>("current", "whether commands work on it").if_room(),
    found<&FoundCapture::kernel>("kernel", "the captured kernel").as(Type::kernel).or_null(),
    found<&FoundCapture::architecture>("architecture", isa::kArchitectureNames).or_null().if_room(),
    read<&FoundCapture::regions>("regions", "ranges of memory").if_room(),
    read<&FoundCapture::memory_bytes>("memory_bytes", "before and after"),
    read<&FoundCapture::has_after>("post_image", "whether memory after the dispatch was captured")
        .if_room(),
    found<&FoundCapture::dispatches>("dispatches",
                                     "how many it holds, in a row; in text a note, where there are "
                                     "several")
        .never(),
    found<&FoundCapture::path>("path", "its folder"),
    found<&known_grid>("grid", "work-items in x, y, z"),
    column<&ListedCapture::on_disk, &FoundCapture::stored_bytes>("stored_bytes",
                                                                 "what the folder takes on the "
                                                                 "disk"),
    column<&ListedCapture::state>("state",
                                  "complete, being written, interrupted, failed, damaged; removed "
                                  "for an open one whose folder is gone"),
    found<&FoundCapture::reason>("reason", "of a state that is not complete").or_null().never(),
    column<&ListedCapture::found, &FoundCapture::check, &CheckMark::verdict>(
        "self_check",
        "strong: a kernel that does nothing, and one that copies its input, fail against it; else "
        "weak or unchecked")
        .never());

/// An open capture as it was read, and what became of its folder since.
ListedCapture open_capture_row(const CaptureEntry& entry, bool current) {
  const Capture& capture = *entry->value;
  const auto now = look_at_capture(entry->path);
  ListedCapture row{now.value_or(FoundCapture{}), entry->id, current, !now};
  row.found.path = entry->path;
  row.found.kernel = capture.kernel;
  row.found.architecture = capture.architecture;
  row.found.grid = capture.grid;
  row.found.dispatches = dispatch_count(capture);
  row.found.regions = capture.regions.size();
  row.found.memory_bytes = memory_bytes(capture);
  row.found.has_after = capture.has_after;
  row.found.check = self_check(capture);
  return row;
}

/// Where captures are looked for: the named folder, else the current one and the session's.
Result<std::vector<FoundCapture>> found_captures(const SessionLog& log, const std::string& folder) {
  if (!folder.empty()) return find_captures(folder);
  auto out = TRY(find_captures("."));
  const std::string kept = log.session() ? log.session()->folder() + "/captures" : "";
  std::error_code ignored;
  if (kept.empty() || !fs::is_directory(kept, ignored)) return out;
  for (auto& one : TRY(find_captures(kept))) out.push_back(std::move(one));
  return out;
}

void note_dispatches(const std::string& name, const FoundCapture& found, Document& out) {
  if (found.dispatches > 1)
    out.notes.push_back(fmt::format("{}: {} dispatches in a row", name, found.dispatches));
}

Result<Document> list_captures(const CaptureListArgs& args, Workspace& workspace, SessionLog& log) {
  Document out;
  std::vector<ListedCapture> rows;
  std::set<std::string> shown;
  bool unfinished = false;
  for (const auto& entry : workspace.captures.all()) {
    rows.push_back(open_capture_row(entry, entry == workspace.captures.current()));
    note_dispatches(entry->id, rows.back().found, out);
    const CheckMark& check = rows.back().found.check;
    if (check.verdict == "weak")
      out.notes.push_back(fmt::format("{}: {}", entry->id, warning_of(check)));
    shown.insert(one_spelling(entry->path));
  }
  for (const FoundCapture& found : TRY(found_captures(log, args.folder))) {
    if (!shown.insert(one_spelling(found.path)).second) continue;
    rows.push_back({found, {}});
    note_dispatches(found.path, found, out);
    if (found.state != CaptureState::complete)
      out.notes.push_back(
          fmt::format("{}: {}: {}", found.path, to_string(found.state), found.reason));
    unfinished = unfinished || found.state != CaptureState::complete;
    if (found.check.verdict == "weak")
      out.notes.push_back(fmt::format("{}: {}", found.path, warning_of(found.check)));
  }
  out.table(kListColumns, rows);
  if (unfinished) out.next = {"capture rm DIR"};
  if (rows.empty())
    out.notes.emplace_back("no capture is open or in this folder; open one: capture open DIR");
  out.provenance = Provenance::recorded;
  return out;
}

constexpr auto kRemovedColumns = bound_to<FoundCapture>(
    column<&FoundCapture::path>("path", "the folder that was removed"),
    column<&FoundCapture::state>("state", "what it was: complete, interrupted, failed, damaged"),
    column<&FoundCapture::kernel>("kernel", "the captured kernel").as(Type::kernel).or_null(),
    column<&FoundCapture::stored_bytes>("stored_bytes", "what it took on the disk"));

struct CaptureRemoveArgs {
  std::vector<std::string> captures;
};

Result<Document> remove_captures(const CaptureRemoveArgs& args, Workspace& workspace, Face& face) {
  std::vector<FoundCapture> all;
  std::uint64_t bytes = 0;
  // Nothing is removed when one of them cannot be.
  for (const std::string& name : args.captures) {
    const CaptureEntry entry = workspace.captures.find(name);
    all.push_back(TRY(check_removable(entry ? entry->path : name)));
    bytes += all.back().stored_bytes;
  }
  const std::string what =
      all.size() == 1 ? all.front().path : fmt::format("{} captures", all.size());
  if (!face.confirm(fmt::format("Remove {} ({})?", what, format_bytes(bytes)), true))
    return fail(Errc::denied, "nothing was removed");
  Document out;
  for (const FoundCapture& found : all) {
    if (auto removed = remove_capture(found.path); !removed) {
      if (!out.text.empty()) removed.error().message += "; before it: " + out.text;
      return Failure(removed.error());
    }
    std::vector<std::string> open;
    for (const auto& entry : workspace.captures.all()) {
      if (one_spelling(entry->path) == one_spelling(found.path)) open.push_back(entry->id);
    }
    for (const std::string& id : open) workspace.captures.close(id);
    out.text += fmt::format("{}removed {} ({}, {})", out.text.empty() ? "" : "\n", found.path,
                            to_string(found.state), format_bytes(found.stored_bytes));
  }
  out.table(kRemovedColumns, all);
  out.provenance = Provenance::recorded;
  return out;
}

void add_list(Registry& registry) {
  Command list{
      .path = "capture list",
      .does = kReads,
      .chapter = Class::files,
      .summary = "List captures: the open ones, and those in a folder.",
      .help =
          "Open captures come first; then those directly in FOLDER, or in the current folder and "
          "in the session's. Captures are opened by `capture "
          "open`, by naming their folder in any command that takes one, and by `kernel run "
          "--capture`.\n\n"
          "A folder that is being written, or was when its writer died or gave up, is listed with "
          "its state and the reason; `capture rm` removes it. "
          "`stored` is what the folder takes on the disk: pages of zeros take nothing, and equal "
          "regions are stored once. A note names what is weak: a kernel that does nothing, or one "
          "that copies its input, would pass a comparison with it.",
      .columns = described(kListColumns),
      .scalar = "id",
      .aliases = {"info captures"},
      .examples = {"capture list", "capture list CAPTURE"}};
  add(registry, command(std::move(list),
                        {arg("folder", &CaptureListArgs::folder,
                             "where to look; default: the current folder and the session's")
                             .completes(Complete::file)},
                        list_captures));
}

void add_remove(Registry& registry) {
  Command remove{
      .path = "capture rm",
      .does = {Capability::read, Capability::write},
      .chapter = Class::files,
      .summary = "Remove captures from the disk.",
      .help =
          "Takes folders and names like c1, whole captures and unfinished ones. It refuses what is "
          "no capture, what holds files that belong to none, "
          "links, and captures that are being written; then it removes nothing at all. At the "
          "prompt it asks first. An open one is closed.",
      .columns = described(kRemovedColumns),
      .scalar = "path",
      .examples = {"capture rm UNFINISHED"},
      .changes_program = true,
      .destroys = true};
  add(registry, command(std::move(remove),
                        {arg("captures", &CaptureRemoveArgs::captures, "folders, or c1")
                             .required()
                             .completes(Complete::file)},
                        remove_captures));
}

}  // namespace

void add_capture_list_commands(Registry& registry) {
  add_list(registry);
  add_remove(registry);
}

}  // namespace rpl
