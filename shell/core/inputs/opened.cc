// SPDX-License-Identifier: MIT
#include "shell/core/inputs/opened.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>

#include "engine/base/input_file.h"
#include "engine/base/monitor.h"
#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/isa/object/bundle.h"
#include "engine/isa/object/elf.h"
#include "engine/triton/metadata.h"
#include "shell/core/inputs/profile_view.h"
#include "shell/core/session/events.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

/// A code object, a bundle of clang's, or a program or library with device code. Only ELF files of the host are read as a whole.
bool is_code_object(const std::string& path) {
  std::string bytes = first_bytes(path, 64);
  const auto view = [&] { return isa::ByteView(std::as_bytes(std::span(bytes))); };
  if (isa::is_bundle(view())) return true;
  if (!bytes.starts_with("\x7f"
                         "ELF"))
    return false;
  if (!isa::is_host_elf(view())) return true;
  bytes = read_text_file(path).value_or("");
  const auto section = isa::elf_section(view(), ".hip_fatbin");
  return section && section->has_value();
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
  if (std::filesystem::exists(isa::split_choice(reference).first, ignored)) return entry;
  const std::string open = names_of(shelf);
  return fail(Errc::not_found, fmt::format("no {} '{}'", what, reference),
              open.empty() ? std::string(how) : "open: " + open);
}

}  // namespace

Openable openable(std::string_view path) {
  const std::string name(path);
  std::error_code ignored;
  if (name.ends_with(".json") && diagnose::is_profile_file(name)) return Openable::profile;
  const std::string file = isa::split_choice(name).first;
  if (std::filesystem::is_regular_file(file, ignored) && is_code_object(file))
    return Openable::object;
  if (is_capture(name)) return Openable::capture;
  if (att::is_trace_folder(name) || att::is_trace_csv(name)) return Openable::thread_trace;
  if (is_recording(path)) return Openable::recording;
  const bool folder = std::filesystem::is_directory(name, ignored);
  return folder && !att::find_traces(name).empty() ? Openable::thread_trace : Openable::nothing;
}

Result<CaptureEntry> shelve(const Inputs& inputs, const std::string& path,
                            std::shared_ptr<const Capture> capture) {
  CaptureEntry entry = inputs.workspace.captures.add(path, std::move(capture));
  inputs.values.set("capture", Value(entry->id));
  TRY(inputs.events.emit("capture_opened", Opened{entry->id, {path}}));
  return entry;
}

Result<CaptureEntry> capture_named(const Inputs& inputs, const std::string& reference) {
  CaptureEntry entry = TRY(already_open(inputs.workspace.captures, reference, "capture",
                                        "open one: capture open DIR, or name it in the command"));
  if (!reference.empty()) inputs.workspace.looks_at_capture = true;
  if (!entry) {
    auto capture = std::make_shared<const Capture>(TRY(read_capture(reference)));
    return shelve(inputs, reference, std::move(capture));
  }
  inputs.values.set("capture", Value(entry->id));
  return entry;
}

/// A capture stands for its code object.
std::string object_path_of(const Inputs& inputs, const std::string& reference) {
  if (reference.empty() || inputs.workspace.objects.find(reference)) return reference;
  const CaptureEntry capture = inputs.workspace.captures.find(reference);
  if (!capture && !is_capture(reference)) return reference;
  return (std::filesystem::path(capture ? capture->path : reference) / "kernel.hsaco").string();
}

Result<ObjectEntry> object_named(const Inputs& inputs, const std::string& given) {
  const std::string reference = object_path_of(inputs, given);
  ObjectEntry entry = TRY(already_open(inputs.workspace.objects, reference, "code object",
                                       "open one: open FILE.co, or name it in the command"));
  if (!entry || entry->path == reference) {
    // Files are built again while the shell runs.
    auto object = TRY(isa::CodeObject::open(reference));
    if (!entry || entry->value->hash() != object->hash()) {
      entry = inputs.workspace.objects.add(reference, std::move(object));
      TRY(inputs.events.emit("object_opened", Opened{entry->id, {reference}}));
    }
  }
  inputs.values.set("object", Value(entry->id));
  return entry;
}

namespace {

Result<AttEntry> shelve_trace(const Inputs& inputs, const std::string& path) {
  auto open = std::make_shared<OpenThreadTrace>();
  auto trace = att::open_trace(path);
  if (!trace) {
    Error error = std::move(trace).error();
    if (error.code == Errc::corrupt && error.hint.empty())
      error.hint =
          "the thread trace is damaged: copy it again, or record it again with rocprofv3 --att";
    return Failure(std::move(error));
  }
  open->trace = std::move(*trace);
  AttEntry entry = inputs.workspace.thread_traces.add(path, std::move(open));
  inputs.values.set("att", Value(entry->id));
  TRY(inputs.events.emit("att_opened", Opened{entry->id, {path}}));
  return entry;
}

}  // namespace

Result<AttEntry> thread_trace_named(const Inputs& inputs, const std::string& reference) {
  AttEntry entry = TRY(already_open(inputs.workspace.thread_traces, reference, "thread trace",
                                    "open one: att open DIR, or name it in the command"));
  if (entry) {
    inputs.values.set("att", Value(entry->id));
    return entry;
  }
  const auto found = std::filesystem::is_directory(reference) ? att::find_traces(reference)
                                                              : std::vector<std::string>{reference};
  if (found.empty()) {
    return fail(
        Errc::not_found, fmt::format("{}: no decoded thread trace in it", reference),
        "record one: rocprofv3 --att -d OUT -- APP; its ui_output_* folder is what rpl reads");
  }
  if (found.size() > 1) {
    constexpr std::size_t kNamed = 5;
    const std::vector<std::string> some(
        found.begin(), found.begin() + static_cast<std::ptrdiff_t>(std::min(kNamed, found.size())));
    return fail(Errc::ambiguous, fmt::format("{} holds {} thread traces", reference, found.size()),
                fmt::format("'att open' opens all of them; or name one: {}{}",
                            fmt::join(some, ", "), found.size() > kNamed ? ", ..." : ""));
  }
  // The folder above may have been named before.
  if (AttEntry open = inputs.workspace.thread_traces.find(found.front())) {
    inputs.workspace.thread_traces.make_current(open);
    inputs.values.set("att", Value(open->id));
    return open;
  }
  return shelve_trace(inputs, found.front());
}

Result<std::vector<AttEntry>> open_thread_traces(const Inputs& inputs, const std::string& path) {
  std::vector<AttEntry> entries;
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) {
    entries.push_back(TRY(thread_trace_named(inputs, path)));
    return entries;
  }
  std::vector<Error> failures;
  for (const std::string& folder : att::find_traces(path)) {
    auto entry = thread_trace_named(inputs, folder);
    if (entry) {
      entries.push_back(std::move(*entry));
    } else if (entry.error().code == Errc::denied) {
      return std::move(entry).failure();
    } else {
      failures.push_back(std::move(entry).error());
    }
  }
  if (entries.empty() && failures.empty()) entries.push_back(TRY(thread_trace_named(inputs, path)));
  if (entries.empty()) return Failure(std::move(failures.front()));
  for (const Error& failure : failures) {
    if (inputs.monitor.note) inputs.monitor.note(failure.message);
  }
  return entries;
}

Result<std::shared_ptr<const att::WaveFacts>> wave_facts_of(const Inputs& inputs,
                                                            const AttEntry& entry, bool strip) {
  const OpenThreadTrace& open = *entry->value;
  if (!open.facts || (strip && !open.with_strip)) {
    open.facts = std::make_shared<const att::WaveFacts>(
        TRY(att::read_waves(*open.trace, inputs.monitor, {.strip = strip})));
    open.with_strip = strip;
  }
  return open.facts;
}

Result<std::shared_ptr<const att::WaveFacts>> needed_wave_facts(const Inputs& inputs,
                                                                const AttEntry& entry, bool strip) {
  const att::ThreadTrace& trace = *entry->value->trace;
  if (trace.manifest.waves.empty() || (!trace.states.empty() && !trace.code.rows.empty()))
    return nullptr;
  return wave_facts_of(inputs, entry, strip);
}

Result<OpenTrace*> open_recordings(const Inputs& inputs, const std::vector<std::string>& paths) {
  OpenTrace* trace = TRY(inputs.workspace.open(paths));
  TRY(inputs.events.emit("trace_opened", Opened{trace->id(), paths}));
  return trace;
}

Status open_in_passing(const Inputs& inputs, const std::string& name) {
  const Openable kind = openable(name);
  if (kind == Openable::capture || inputs.workspace.captures.find(name)) {
    TRY(capture_named(inputs, name));
    return {};
  }
  if (kind == Openable::object || inputs.workspace.objects.find(name)) {
    TRY(object_named(inputs, name));
    return {};
  }
  if (kind == Openable::thread_trace || inputs.workspace.thread_traces.find(name)) {
    TRY(open_thread_traces(inputs, name));
    return {};
  }
  if (kind == Openable::profile || inputs.workspace.profiles.find(name)) {
    TRY(profile_named(inputs, name));
    return {};
  }
  if (kind == Openable::nothing && inputs.workspace.select(name)) return {};
  // What is open already is asked, and not read again.
  if (inputs.workspace.opened_from(name) != nullptr) return {};
  TRY(open_recordings(inputs, {name}));
  return {};
}

std::string one_line(const CaptureEntry& entry) {
  const Capture& capture = *entry->value;
  const std::string more =
      capture.then.empty() ? std::string() : fmt::format(" and {} more", capture.then.size());
  return fmt::format("{}: {}{} on {}, {} work-items in workgroups of {}, {} region{}, {}{}",
                     entry->id, short_kernel(capture.kernel), more, capture.architecture,
                     fmt::join(capture.grid, " x "), fmt::join(capture.workgroup, " x "),
                     capture.regions.size(), capture.regions.size() == 1 ? "" : "s",
                     format_bytes(memory_bytes(capture)),
                     capture.has_after ? ", post image" : ", no post image");
}

std::string one_line(const AttEntry& entry) {
  const att::ThreadTrace& trace = *entry->value->trace;
  std::uint64_t hits = 0, samples = 0;
  for (const att::Instruction& row : trace.code.rows) hits += row.hit;
  for (const att::Samples& row : trace.code.samples) samples += row.count();
  const std::string kernel = trace.kernel();
  const std::string what = trace.kind == att::Kind::samples
                               ? fmt::format("{} samples", format_count(samples))
                               : fmt::format("{} instructions executed", format_count(hits));
  const std::string waves =
      trace.manifest.waves.empty()
          ? std::string()
          : fmt::format(", {} waves", format_count(trace.manifest.waves.size()));
  const std::string& model = trace.manifest.model;
  return fmt::format("{}: {}, {}{}, {}{}", entry->id,
                     kernel.empty() ? "no kernel" : short_kernel(kernel), to_string(trace.kind),
                     waves, what, model.empty() ? "" : ", modelled by " + model);
}

namespace {

/// ", compiled by Triton 3.4.0: num_warps 4, num_stages 2", where its metadata lies beside; `object meta` tells what is wrong with them.
std::string compiled_by_triton(const Shelved<isa::CodeObject>& object) {
  const auto metadata = triton::metadata_beside(object.path, *object.value);
  if (!metadata || !*metadata) return {};
  const triton::Metadata& one = **metadata;
  return fmt::format(", compiled by Triton{}{}: num_warps {}, num_stages {}, {} of LDS",
                     one.version.empty() ? "" : " ", one.version, one.num_warps, one.num_stages,
                     format_bytes(one.shared_bytes));
}

}  // namespace

std::string one_line(const ObjectEntry& entry) {
  std::vector<std::string> names;
  for (const auto& kernel : entry->value->kernels()) names.push_back(short_kernel(kernel.name));
  return fmt::format("{}: {}, {} kernel{}: {}{}", entry->id, to_string(entry->value->arch()),
                     names.size(), names.size() == 1 ? "" : "s", fmt::join(names, ", "),
                     compiled_by_triton(*entry));
}

std::string shown_path(const std::string& path) {
  std::error_code error;
  const auto near = std::filesystem::proximate(path, error);
  return error || near.empty() || *near.begin() == ".." ? path : near.string();
}

}  // namespace rpl
