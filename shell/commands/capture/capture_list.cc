// SPDX-License-Identifier: MIT
// capture list, rm: capture folders on the disk, and those that are open.
#include <fmt/format.h>

#include <filesystem>

#include "engine/base/units.h"
#include "engine/capture/find_captures.h"
#include "engine/isa/traits/architecture.h"
#include "engine/optimize/verify/self_check.h"
#include "shell/commands/capture/kernel_report.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/context.h"
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

/// The row of an open capture, and what became of its folder since. `check`: what its self-check says.
Row open_row(const Context& context, const CaptureEntry& entry, const CheckMark& check) {
  const Capture& capture = *entry->value;
  const auto found = look_at_capture(entry->path);
  return {Value(entry->id),
          Value(entry == context.workspace().captures.current()),
          Value(capture.kernel),
          Value(capture.architecture),
          Value(std::uint64_t{capture.regions.size()}),
          Value(memory_bytes(capture)),
          Value(capture.has_after),
          Value(entry->path),
          size3_value(capture.grid),
          found ? Value(found->stored_bytes) : Value(),
          Value(found ? to_string(found->state) : "removed"),
          found ? Value::known(found->reason) : Value(),
          Value(check.verdict)};
}

Row found_row(const FoundCapture& found) {
  const bool read = found.state == CaptureState::complete;
  const bool known = found.grid[0] != 0;
  return {Value(),
          Value(false),
          Value::known(found.kernel),
          Value::known(found.architecture),
          read ? Value(found.regions) : Value(),
          read ? Value(found.memory_bytes) : Value(),
          read ? Value(found.has_after) : Value(),
          Value(found.path),
          known ? size3_value(found.grid) : Value(),
          Value(found.stored_bytes),
          Value(to_string(found.state)),
          Value::known(found.reason),
          Value(found.check.verdict)};
}

/// Where captures are looked for: the named folder, else the current one and the session's.
Result<std::vector<FoundCapture>> found_captures(Context& context, const std::string& folder) {
  if (!folder.empty()) return find_captures(folder);
  auto out = TRY(find_captures("."));
  const std::string kept =
      context.log().session() ? context.log().session()->folder() + "/captures" : "";
  std::error_code ignored;
  if (kept.empty() || !fs::is_directory(kept, ignored)) return out;
  for (auto& one : TRY(find_captures(kept))) out.push_back(std::move(one));
  return out;
}

Result<Document> list_captures(Context& context, const CaptureListArgs& args) {
  Document out;
  std::set<std::string> shown;
  bool unfinished = false;
  for (const auto& entry : context.workspace().captures.all()) {
    const CheckMark check = self_check(*entry->value);
    out.rows.push_back(open_row(context, entry, check));
    if (check.verdict == "weak")
      out.notes.push_back(fmt::format("{}: {}", entry->id, warning_of(check)));
    shown.insert(one_spelling(entry->path));
  }
  for (const FoundCapture& found : TRY(found_captures(context, args.folder))) {
    if (!shown.insert(one_spelling(found.path)).second) continue;
    out.rows.push_back(found_row(found));
    if (found.state != CaptureState::complete)
      out.notes.push_back(
          fmt::format("{}: {}: {}", found.path, to_string(found.state), found.reason));
    unfinished = unfinished || found.state != CaptureState::complete;
    if (found.check.verdict == "weak")
      out.notes.push_back(fmt::format("{}: {}", found.path, warning_of(found.check)));
  }
  if (unfinished) out.next = {"capture rm DIR"};
  if (out.rows.empty())
    out.notes.emplace_back("no capture is open or in this folder; open one: capture open DIR");
  out.provenance = Provenance::recorded;
  return out;
}

struct CaptureRemoveArgs {
  std::vector<std::string> captures;
};

Result<Document> remove_captures(Context& context, const CaptureRemoveArgs& args) {
  std::vector<FoundCapture> all;
  std::uint64_t bytes = 0;
  // Nothing is removed when one of them cannot be.
  for (const std::string& name : args.captures) {
    const CaptureEntry entry = context.workspace().captures.find(name);
    all.push_back(TRY(check_removable(entry ? entry->path : name)));
    bytes += all.back().stored_bytes;
  }
  const std::string what =
      all.size() == 1 ? all.front().path : fmt::format("{} captures", all.size());
  if (!context.face().confirm(fmt::format("Remove {} ({})?", what, format_bytes(bytes)), true))
    return fail(Errc::denied, "nothing was removed");
  Document out;
  for (const FoundCapture& found : all) {
    if (auto removed = remove_capture(found.path); !removed) {
      if (!out.text.empty()) removed.error().message += "; before it: " + out.text;
      return Failure(removed.error());
    }
    std::vector<std::string> open;
    for (const auto& entry : context.workspace().captures.all()) {
      if (one_spelling(entry->path) == one_spelling(found.path)) open.push_back(entry->id);
    }
    for (const std::string& id : open) context.workspace().captures.close(id);
    out.rows.push_back({Value(found.path), Value(to_string(found.state)),
                        Value::known(found.kernel), Value(found.stored_bytes)});
    out.text += fmt::format("{}removed {} ({}, {})", out.text.empty() ? "" : "\n", found.path,
                            to_string(found.state), format_bytes(found.stored_bytes));
  }
  out.provenance = Provenance::recorded;
  return out;
}

void add_list(Registry& registry) {
  Command list{
      .path = "capture list",
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
      .columns =
          {{"id", Type::id, Unit::none,
            "name of the capture in this session; null for one that is not open"},
           {"current", Type::boolean, Unit::none, "whether commands work on it", InText::if_room},
           {"kernel", Type::kernel, Unit::none, "the captured kernel"},
           {"architecture", Type::string, Unit::none, isa::architecture_names(), InText::if_room},
           {"regions", Type::integer, Unit::count, "ranges of memory", InText::if_room},
           {"memory_bytes", Type::integer, Unit::bytes, "before and after"},
           {"post_image", Type::boolean, Unit::none,
            "whether memory after the dispatch was captured", InText::if_room},
           {"path", Type::string, Unit::none, "its folder"},
           {"grid", Type::dim3, Unit::none, "work-items in x, y, z"},
           {"stored_bytes", Type::integer, Unit::bytes, "what the folder takes on the disk"},
           {"state", Type::string, Unit::none,
            "complete, being written, interrupted, failed, damaged; removed for an open one "
            "whose folder is gone"},
           {"reason", Type::string, Unit::none, "of a state that is not complete", InText::never},
           {"self_check", Type::string, Unit::none,
            "strong: a kernel that does nothing, and one that copies its input, fail "
            "against it; else weak or unchecked",
            InText::never}},
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
      .chapter = Class::files,
      .summary = "Remove captures from the disk.",
      .help =
          "Takes folders and names like c1, whole captures and unfinished ones. It refuses what is "
          "no capture, what holds files that belong to none, "
          "links, and captures that are being written; then it removes nothing at all. At the "
          "prompt it asks first. An open one is closed.",
      .columns = {{"path", Type::string, Unit::none, "the folder that was removed"},
                  {"state", Type::string, Unit::none,
                   "what it was: complete, interrupted, failed, damaged"},
                  {"kernel", Type::kernel, Unit::none, "the captured kernel"},
                  {"stored_bytes", Type::integer, Unit::bytes, "what it took on the disk"}},
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
