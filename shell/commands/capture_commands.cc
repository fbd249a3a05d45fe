// SPDX-License-Identifier: MIT
// capture list, open, info, regions, verify: dispatches that were frozen in folders.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/replay/elements.h"
#include "engine/replay/images.h"
#include "shell/command/define.h"
#include "shell/commands/families.h"
#include "shell/commands/kernel_report.h"
#include "shell/commands/opened.h"

namespace rpl {
namespace {

struct CaptureArgs {
  std::string capture;
};

Value text_or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

Result<Document> list_captures(Context& context) {
  Document out;
  for (const auto& entry : context.captures.all()) {
    const Capture& capture = *entry->value;
    out.rows.push_back({Value(entry->id), Value(entry == context.captures.current()),
                        Value(capture.kernel), Value(capture.architecture),
                        Value(std::uint64_t{capture.regions.size()}), Value(memory_bytes(capture)),
                        Value(capture.has_after), Value(entry->path)});
  }
  if (out.rows.empty()) out.notes.emplace_back("no capture is open; open one: capture open DIR");
  out.provenance = Provenance::recorded;
  return out;
}

std::size_t changed_regions(const Capture& capture) {
  return static_cast<std::size_t>(std::ranges::count_if(
      capture.regions, [](const auto& region) { return region.after.has_value(); }));
}

Result<Document> capture_info(Context& context, const CaptureArgs& args) {
  const CaptureEntry entry = TRY(capture_named(context, args.capture));
  const Capture& capture = *entry->value;
  Document out;
  out.set("id", entry->id);
  out.set("path", entry->path);
  out.set("kernel", capture.kernel);
  out.set("architecture", capture.architecture);
  out.set("grid", size3_value(capture.grid));
  out.set("workgroup", size3_value(capture.workgroup));
  out.set("dynamic_lds_bytes", capture.dynamic_lds_bytes);
  out.set("kernarg_bytes", std::uint64_t{capture.kernarg.size()});
  out.set("regions", std::uint64_t{capture.regions.size()});
  out.set("memory_bytes", memory_bytes(capture));
  out.set("changed_regions",
          capture.has_after ? Value(std::uint64_t{changed_regions(capture)}) : Value());
  out.set("code_hash", TRY(object_of(capture))->hash());
  out.set("target", text_or_null(capture.target));
  out.set("model", text_or_null(capture.model));
  out.set("tool", text_or_null(capture.tool));
  out.set("origin", text_or_null(capture.source_note));
  for (std::size_t i = 0; i < capture.arguments.size(); ++i) {
    const CapturedArgument& argument = capture.arguments[i];
    Value value;
    if (!argument.buffer && argument.element) {
      value = element_text(*argument.element, capture.kernarg.data() + argument.kernarg_offset);
    } else if (argument.buffer) {
      value = hex(capture.regions[argument.region].base);
    }
    out.rows.push_back({Value(std::uint64_t{i + 1}), Value(argument.buffer ? "buffer" : "value"),
                        argument.element ? Value(to_string(*argument.element)) : Value(),
                        argument.buffer && argument.count > 0 ? Value(argument.count) : Value(),
                        Value(argument.kernarg_offset), Value(argument.kernarg_size), value});
  }
  out.provenance = Provenance::recorded;
  out.next = {"replay", "capture regions", "capture verify"};
  return out;
}

Result<Document> capture_regions(Context& context, const CaptureArgs& args) {
  const CaptureEntry entry = TRY(capture_named(context, args.capture));
  const Capture& capture = *entry->value;
  Document out;
  for (std::size_t i = 0; i < capture.regions.size(); ++i) {
    const CapturedRegion& region = capture.regions[i];
    const auto change = difference_of(i, region.before, after_of(region));
    Value changed = capture.has_after ? Value(change ? change->differing_bytes : 0) : Value();
    out.rows.push_back({Value(region.name), Value(hex(region.base)), Value(region.size),
                        std::move(changed), change ? Value(change->first_offset) : Value()});
  }
  out.provenance = Provenance::recorded;
  return out;
}

Result<Document> verify_capture(Context& context, const CaptureArgs& args) {
  const CaptureEntry entry = TRY(capture_named(context, args.capture));
  // What is open was read some time ago: the files are read and hashed anew.
  const Capture capture = TRY(read_capture(entry->path));
  const ReplayRun run =
      TRY(replay_once({.capture = &capture, .execute = {.mode = emu::Mode::functional}}));
  const auto comparison = compare_with_post_image(capture, run.memory);
  std::uint64_t differing = 0;
  for (const auto& difference : comparison.differences) differing += difference.differing_bytes;
  Document out;
  out.set("id", entry->id);
  out.set("path", entry->path);
  out.set("files", capture.tool.empty() ? "no hashes" : "intact");
  out.set("post_image", to_string(comparison.match));
  out.set("differing_bytes", differing);
  if (comparison.match == ImageMatch::differs) {
    out.exit_code = exit_status(Errc::verification_failed);
    const ImageDifference& first = comparison.differences.front();
    out.notes.push_back(fmt::format("{} differs first at offset {}",
                                    capture.regions[first.region].name, first.first_offset));
  }
  out.provenance = Provenance::modelled;
  return out;
}

Result<Document> open_capture(Context& context, const CaptureArgs& args) {
  const CaptureEntry entry = TRY(capture_named(context, args.capture));
  Document out;
  out.set("id", entry->id);
  out.set("path", entry->path);
  out.text = one_line(entry);
  out.provenance = Provenance::recorded;
  out.next = {"replay", "capture info", "capture regions"};
  return out;
}

const Column kId{"id", Type::id, Unit::none, "name of the capture in this session"};
const Column kPath{"path", Type::string, Unit::none, "its folder"};

Bound capture_argument() {
  return arg("capture", &CaptureArgs::capture, "capture: a folder or c1; the current one without")
      .completes(Complete::file);
}

void add_capture_lists(Registry& registry) {
  add(registry,
      command(
          Command{.path = "capture list",
                  .chapter = Class::files,
                  .summary = "List the open captures.",
                  .help = "Captures are opened by `capture open`, by naming their folder in any "
                          "command that takes one, and by `kernel run --capture`.",
                  .columns = {kId,
                              {"current", Type::boolean, Unit::none, "whether commands work on it"},
                              {"kernel", Type::kernel, Unit::none, "the captured kernel"},
                              {"architecture", Type::string, Unit::none, "gfx90a or gfx942"},
                              {"regions", Type::integer, Unit::count, "ranges of memory"},
                              {"memory_bytes", Type::integer, Unit::bytes, "before and after"},
                              {"post_image", Type::boolean, Unit::none,
                               "whether memory after the dispatch was captured"},
                              kPath},
                  .scalar = "id",
                  .aliases = {"info captures"},
                  .examples = {"capture list"}},
          list_captures));
  add(registry, command(Command{.path = "capture open",
                                .chapter = Class::files,
                                .summary = "Open a capture and make it current.",
                                .help = "Reads the whole folder and checks every size, address and "
                                        "hash; folders of older capture tools, which have no "
                                        "hashes, are read too.",
                                .fields = {kId, kPath},
                                .scalar = "id",
                                .examples = {"capture open CAPTURE"},
                                .changes_program = true},
                        {arg("capture", &CaptureArgs::capture, "folder of a capture, or c1")
                             .required()
                             .completes(Complete::file)},
                        open_capture));
}

void add_capture_info(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "capture info",
              .chapter = Class::files,
              .summary = "Show what was captured: the dispatch and its arguments.",
              .help = "The rows are the arguments of the kernel in order. A buffer's value is "
                      "the address of its region. Types are known where whoever captured knew "
                      "them.",
              .fields = {kId,
                         kPath,
                         {"kernel", Type::kernel, Unit::none, "name in the code object"},
                         {"architecture", Type::string, Unit::none, "gfx90a or gfx942"},
                         {"grid", Type::dim3, Unit::none, "work-items in x, y, z"},
                         {"workgroup", Type::dim3, Unit::none, "work-items of a workgroup"},
                         {"dynamic_lds_bytes", Type::integer, Unit::bytes,
                          "LDS beyond what the kernel declares"},
                         {"kernarg_bytes", Type::integer, Unit::bytes,
                          "size of the kernel argument segment"},
                         {"regions", Type::integer, Unit::count, "ranges of memory"},
                         {"memory_bytes", Type::integer, Unit::bytes, "before and after"},
                         {"changed_regions", Type::integer, Unit::count,
                          "regions that the dispatch changed; null without a post image"},
                         {"code_hash", Type::string, Unit::none, "SHA-256 of the code object"},
                         {"target", Type::string, Unit::none, "where it ran"},
                         {"model", Type::string, Unit::none, "cycle model of the emulated device"},
                         {"tool", Type::string, Unit::none, "what wrote the capture"},
                         {"origin", Type::string, Unit::none, "how it came to be"}},
              .columns = {{"argument", Type::integer, Unit::count, "its number, from 1"},
                          {"kind", Type::string, Unit::none, "buffer or value"},
                          {"element", Type::string, Unit::none, "type of its elements"},
                          {"count", Type::integer, Unit::count, "elements of a buffer"},
                          {"offset_bytes", Type::integer, Unit::bytes,
                           "in the kernel argument segment"},
                          {"size_bytes", Type::integer, Unit::bytes, "there"},
                          {"value", Type::string, Unit::none, "of a scalar; a buffer's address"}},
              .scalar = "kernel",
              .examples = {"capture info CAPTURE"}},
          {capture_argument()}, capture_info));
}

void add_capture_regions(Registry& registry) {
  add(registry,
      command(Command{.path = "capture regions",
                      .chapter = Class::files,
                      .summary = "List the memory of a capture and what the dispatch changed.",
                      .help = "Regions are ranges of device memory at the addresses they had.",
                      .columns = {{"region", Type::string, Unit::none, "what the memory is"},
                                  {"base", Type::address, Unit::none, "its address"},
                                  {"size_bytes", Type::integer, Unit::bytes, "its size"},
                                  {"changed_bytes", Type::integer, Unit::bytes,
                                   "bytes that the dispatch changed; null without a post image"},
                                  {"first_offset", Type::integer, Unit::none,
                                   "offset of the first of them"}},
                      .scalar = "region",
                      .examples = {"capture regions CAPTURE"}},
              {capture_argument()}, capture_regions));
}

void add_capture_verify(Registry& registry) {
  add(registry,
      command(
          Command{.path = "capture verify",
                  .chapter = Class::files,
                  .summary = "Check a capture: its files, and that replaying gives its image.",
                  .help = "Reads every file again, checks hashes, and replays the dispatch on the "
                          "emulated device; memory afterwards must be the post image byte by "
                          "byte, else the exit status is 5.",
                  .fields = {kId,
                             kPath,
                             {"files", Type::string, Unit::none,
                              "intact, or `no hashes` for captures of older tools"},
                             {"post_image", Type::string, Unit::none,
                              "matched, differs or not-captured"},
                             {"differing_bytes", Type::integer, Unit::bytes,
                              "bytes that differ from the post image"}},
                  .scalar = "post_image",
                  .examples = {"capture verify CAPTURE"}},
          {capture_argument()}, verify_capture));
}

void add_capture_facts(Registry& registry) {
  add_capture_info(registry);
  add_capture_regions(registry);
  add_capture_verify(registry);
}

}  // namespace

void add_capture_commands(Registry& registry) {
  add_capture_lists(registry);
  add_capture_facts(registry);
}

}  // namespace rpl
