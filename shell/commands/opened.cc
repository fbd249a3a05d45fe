// SPDX-License-Identifier: MIT
#include "shell/commands/opened.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "engine/base/units.h"
#include "shell/render/names.h"

namespace rpl {
namespace {

/// A file for an AMD GPU: an ELF file for machine 224 (llvm.org/docs/AMDGPUUsage.html, "Code Object"), or a bundle of clang's.
bool is_code_object(const std::string& path) {
  constexpr std::size_t kMachineAt = 18;
  constexpr char kAmdGpu = '\xe0';
  std::ifstream file(path, std::ios::binary);
  std::array<char, 32> head{};
  file.read(head.data(), head.size());
  const std::string_view bytes(head.data(), static_cast<std::size_t>(file.gcount()));
  if (bytes.starts_with("__CLANG_OFFLOAD_BUNDLE__")) return true;
  return bytes.starts_with(
             "\x7f"
             "ELF") &&
         bytes.size() > kMachineAt + 1 && bytes[kMachineAt] == kAmdGpu &&
         bytes[kMachineAt + 1] == 0;
}

Value opened_event(const std::string& id, const std::string& path) {
  return Value(Record{{"id", Value(id)}, {"paths", Value(List{Value(path)})}});
}

template <class T>
std::string names_of(const Shelf<T>& shelf) {
  std::vector<std::string> names;
  for (const auto& entry : shelf.all()) {
    names.push_back(fmt::format("{} ({})", entry->id, entry->path));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The open one that `reference` names, made current; null when it may be a path.
template <class T>
Result<typename Shelf<T>::Entry> already_open(Shelf<T>& shelf, const std::string& reference,
                                              std::string_view what, std::string_view how) {
  if (reference.empty() && !shelf.current()) {
    return fail(Errc::not_found, fmt::format("no {} is open", what), std::string(how));
  }
  auto entry = reference.empty() ? shelf.current() : shelf.find(reference);
  if (entry) {
    shelf.make_current(entry);
    return entry;
  }
  std::error_code ignored;
  if (std::filesystem::exists(reference, ignored)) return entry;
  const std::string open = names_of(shelf);
  return fail(Errc::not_found, fmt::format("no {} '{}'", what, reference),
              open.empty() ? std::string(how) : "open: " + open);
}

}  // namespace

Openable openable(std::string_view path) {
  const std::string name(path);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(name, ignored) && is_code_object(name)) {
    return Openable::object;
  }
  if (is_capture(name)) return Openable::capture;
  return is_recording(path) ? Openable::recording : Openable::nothing;
}

Result<CaptureEntry> shelve(Context& context, const std::string& path,
                            std::shared_ptr<const Capture> capture) {
  CaptureEntry entry = context.captures.add(path, std::move(capture));
  context.values.set("capture", Value(entry->id));
  TRY(context.events.emit("capture_opened", opened_event(entry->id, path)));
  return entry;
}

Result<CaptureEntry> capture_named(Context& context, const std::string& reference) {
  CaptureEntry entry = TRY(already_open(context.captures, reference, "capture",
                                        "open one: capture open DIR, or name it in the command"));
  if (!entry) {
    auto capture = std::make_shared<const Capture>(TRY(read_capture(reference)));
    return shelve(context, reference, std::move(capture));
  }
  context.values.set("capture", Value(entry->id));
  return entry;
}

Result<ObjectEntry> object_named(Context& context, const std::string& reference) {
  ObjectEntry entry = TRY(already_open(context.objects, reference, "code object",
                                       "open one: open FILE.co, or name it in the command"));
  if (!entry || entry->path == reference) {
    // Files are built again while the shell runs.
    auto object = TRY(isa::CodeObject::open(reference));
    if (!entry || entry->value->hash() != object->hash()) {
      entry = context.objects.add(reference, std::move(object));
      TRY(context.events.emit("object_opened", opened_event(entry->id, reference)));
    }
  }
  context.values.set("object", Value(entry->id));
  return entry;
}

Status open_in_passing(Context& context, const std::string& name) {
  const Openable kind = openable(name);
  if (kind == Openable::capture || context.captures.find(name)) {
    return capture_named(context, name).map([](const auto&) {});
  }
  if (kind == Openable::object || context.objects.find(name)) {
    return object_named(context, name).map([](const auto&) {});
  }
  if (kind == Openable::nothing && context.workspace.select(name)) return {};
  const OpenTrace* trace = TRY(context.workspace.open({name}));
  return context.events.emit("trace_opened", opened_event(trace->id(), name));
}

std::string one_line(const CaptureEntry& entry) {
  const Capture& capture = *entry->value;
  return fmt::format("{}: {} on {}, {} work-items in workgroups of {}, {} region{}, {}{}",
                     entry->id, short_kernel(capture.kernel), capture.architecture,
                     fmt::join(capture.grid, " x "), fmt::join(capture.workgroup, " x "),
                     capture.regions.size(), capture.regions.size() == 1 ? "" : "s",
                     format_bytes(memory_bytes(capture)),
                     capture.has_after ? ", post image" : ", no post image");
}

std::string one_line(const ObjectEntry& entry) {
  std::vector<std::string> names;
  for (const auto& kernel : entry->value->kernels()) names.push_back(short_kernel(kernel.name));
  return fmt::format("{}: {}, {} kernel{}: {}", entry->id, to_string(entry->value->arch()),
                     names.size(), names.size() == 1 ? "" : "s", fmt::join(names, ", "));
}

}  // namespace rpl
