// SPDX-License-Identifier: MIT
// capture open, info, regions, verify: dispatches that were frozen in folders.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

#include "engine/base/demangle.h"
#include "engine/capture/hidden_pointers.h"
#include "engine/isa/traits/architecture.h"
#include "engine/optimize/verify/oracle.h"
#include "engine/optimize/verify/self_check.h"
#include "engine/replay/elements.h"
#include "engine/replay/images.h"
#include "shell/commands/capture/kernel_report.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/opened.h"

namespace rpl {
namespace {

struct CaptureArgs {
  std::string capture;
};

constexpr std::string_view kNoHidden = "none";

/// "hostcall_buffer, heap_v1": what the kernel may follow into the captured process.
Value hidden_value(const Capture& capture) {
  const auto pointers = dead_pointers(capture);
  return Value(pointers.empty() ? std::string(kNoHidden) : names_of(pointers));
}

void add_cautions(const Capture& capture, Document& out) {
  out.notes.insert(out.notes.end(), capture.cautions.begin(), capture.cautions.end());
}

Value packet_text(const Capture& capture) {
  return capture.facts.packet ? Value(packet_hex(*capture.facts.packet)) : Value();
}

Value queue_text(const Capture& capture) {
  if (!capture.facts.queue) return {};
  const CapturedQueue& queue = *capture.facts.queue;
  return Value(fmt::format("{} of {} packets{}", queue.id, queue.size,
                           queue.priority ? fmt::format(", priority {}", *queue.priority) : ""));
}

Value agent_text(const Capture& capture) {
  if (!capture.facts.agent) return {};
  return Value(fmt::format("{} {} ({})", capture.facts.agent->index, capture.facts.agent->name,
                           capture.facts.agent->isa));
}

Value runtime_text(const Capture& capture) {
  if (!capture.facts.runtime) return {};
  std::string out = capture.facts.runtime->name;
  if (!capture.facts.runtime->rocm_version.empty())
    out += ", ROCm " + capture.facts.runtime->rocm_version;
  for (const CapturedTable& table : capture.facts.runtime->tables)
    out += fmt::format(", {} {}/{}/{}", table.name, table.major, table.minor, table.step);
  return Value(out);
}

/// A parameter by value whose type nobody knows: its bytes as one number, or as they lie there.
Value untyped_value(const Capture& capture, const CapturedArgument& argument) {
  std::uint64_t bits = 0;
  if (argument.kernarg_size > sizeof(bits)) return {};
  std::memcpy(&bits, capture.kernarg.data() + argument.kernarg_offset, argument.kernarg_size);
  return argument.buffer ? Value(hex(bits)) : Value(fmt::format("{} ({})", hex(bits), bits));
}

std::size_t changed_regions(const Capture& capture) {
  return static_cast<std::size_t>(std::ranges::count_if(
      capture.regions, [](const auto& region) { return region.after.has_value(); }));
}

/// Where it came from, as far as is known: most of it is not for captures of the emulated device.
void set_facts(const Capture& capture, Document& out) {
  const auto set = [&](const char* name, Value value) {
    if (!value.is_null()) out.set(name, std::move(value));
  };
  const std::string name = demangled(capture.kernel);
  set("source_name", Value::known(name == capture.kernel ? capture.facts.demangled : name));
  set("dispatch_index",
      capture.facts.dispatch_index ? Value(*capture.facts.dispatch_index) : Value());
  set("captured_at", Value::known(capture.facts.time));
  set("agent", agent_text(capture));
  set("queue", queue_text(capture));
  set("runtime", runtime_text(capture));
  set("packet", packet_text(capture));
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
  out.set("target", Value::known(capture.target));
  out.set("model", Value::known(capture.model));
  out.set("tool", Value::known(capture.tool));
  out.set("origin", Value::known(capture.source_note));
  out.set("layout", to_string(capture.layout));
  out.set("hidden_arguments", hidden_value(capture));
  set_facts(capture, out);
  const CheckMark check = self_check(capture);
  out.set("self_check", check.verdict);
  if (check.verdict == "weak") out.notes.push_back(warning_of(check));
  add_cautions(capture, out);
  for (std::size_t i = 0; i < capture.arguments.size(); ++i) {
    const CapturedArgument& argument = capture.arguments[i];
    Value value;
    if (!argument.buffer && argument.element) {
      value = element_text(*argument.element, capture.kernarg.data() + argument.kernarg_offset);
    } else {
      value = untyped_value(capture, argument);
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

Value flags_of(const CapturedRegion& region) {
  if (region.flags == 0) return {};
  return Value(fmt::format("{}", fmt::join(pool_flag_names(region.flags), ", ")));
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
                        std::move(changed), change ? Value(change->first_offset) : Value(),
                        Value::known(std::string(to_string(region.kind))),
                        Value::known(region.owner), flags_of(region)});
  }
  out.provenance = Provenance::recorded;
  if (!capture.regions.empty())
    out.next = {"x/8wf " + hex(capture.regions[0].base), "capture verify"};
  return out;
}

/// What comparing with this capture can refuse.
void set_oracle(const OracleStrength& oracle, Document& out) {
  out.set("null_kernel", Value(oracle.null_fails ? "fails" : "passes"));
  out.set("copy_kernel", Value(oracle.copy_fails ? "fails" : "passes"));
  for (const std::string& weakness : oracle.weaknesses)
    out.notes.push_back("weak oracle: " + weakness);
}

Result<Document> verify_capture(Context& context, const CaptureArgs& args) {
  const CaptureEntry entry = TRY(capture_named(context, args.capture));
  // What is open was read some time ago: the files are read and hashed again.
  const Capture capture = TRY(read_capture(entry->path));
  const ReplayRun run =
      TRY(replay_once({.capture = &capture, .execute = {.mode = emu::Mode::functional}}));
  const auto comparison = compare_with_post_image(capture, run.memory);
  std::uint64_t differing = 0;
  for (const auto& difference : comparison.differences) differing += difference.differing_bytes;
  Document out;
  out.set("id", entry->id);
  out.set("path", entry->path);
  out.set("files", capture.layout == CaptureLayout::own ? "intact" : "no hashes");
  out.set("post_image", to_string(comparison.match));
  out.set("differing_bytes", differing);
  out.set("layout", to_string(capture.layout));
  out.set("hidden_arguments", hidden_value(capture));
  set_oracle(oracle_strength(capture, run.memory), out);
  if (comparison.match == ImageMatch::differs) {
    out.exit_code = exit_status(Errc::verification_failed);
    const ImageDifference& first = comparison.differences.front();
    out.notes.push_back(fmt::format("{} differs first at offset {}",
                                    capture.regions[first.region].name, first.first_offset));
  }
  add_cautions(capture, out);
  out.provenance = Provenance::modelled;
  out.next = {"replay", "capture regions"};
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

void add_capture_open(Registry& registry) {
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
                      "the pointer. Types are known where whoever captured knew them, or where the "
                      "kernel's name "
                      "has them, as mangled C++ names do; a value of unknown type is shown in "
                      "hexadecimal.\n\n"
                      "`capture regions` lists its memory, `x/8f ADDRESS` shows it, `capture "
                      "verify` checks it; `object kernel` and "
                      "`disassemble` take a capture for its code object.",
              .fields =
                  {kId,
                   kPath,
                   {"kernel", Type::kernel, Unit::none, "name in the code object"},
                   {"architecture", Type::string, Unit::none, isa::architecture_names()},
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
                   {"origin", Type::string, Unit::none, "how it came to be"},
                   {"layout", Type::string, Unit::none,
                    "whose folder it is: rpl, older (the isolate tool of rocm-perf-lab) or kerncap",
                    InText::if_room},
                   {"hidden_arguments", Type::string, Unit::none,
                    "those that point into the captured process, which a replay cannot give; none "
                    "for a kernel without"},
                   {"self_check", Type::string, Unit::none,
                    "strong: a kernel that does nothing, and one that copies its input, fail "
                    "against it; weak, or unchecked without a post image",
                    InText::never},
                   {"source_name", Type::string, Unit::none, "the kernel's name as in the source",
                    InText::if_room},
                   {"dispatch_index", Type::integer, Unit::count,
                    "among those of the process, from 0", InText::if_room},
                   {"captured_at", Type::string, Unit::none, "when, in UTC", InText::if_room},
                   {"agent", Type::string, Unit::none,
                    "number among the GPUs, name and ISA of the device", InText::if_room},
                   {"queue", Type::string, Unit::none, "its number and size", InText::if_room},
                   {"runtime", Type::string, Unit::none,
                    "name, version, and major/size/step of its function tables", InText::if_room},
                   {"packet", Type::string, Unit::none, "the AQL packet, 64 bytes", InText::never}},
              .columns = {{"argument", Type::integer, Unit::count, "its number, from 1"},
                          {"kind", Type::string, Unit::none, "buffer or value"},
                          {"element", Type::string, Unit::none, "type of its elements"},
                          {"count", Type::integer, Unit::count, "elements of a buffer"},
                          {"offset_bytes", Type::integer, Unit::bytes,
                           "in the kernel argument segment"},
                          {"size_bytes", Type::integer, Unit::bytes, "there"},
                          {"value", Type::string, Unit::none, "of a scalar; a buffer's pointer"}},
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
                                   "offset of the first of them"},
                                  {"kind", Type::string, Unit::none,
                                   "how the program came by it: pool, region, locked, svm, vmem, "
                                   "variable, kernarg",
                                   InText::if_room},
                                  {"owner", Type::string, Unit::none,
                                   "the agent whose memory it is, or host", InText::if_room},
                                  {"flags", Type::string, Unit::none,
                                   "of its pool: kernarg, fine, coarse, extended-fine",
                                   InText::if_room}},
                      .scalar = "region",
                      .examples = {"capture regions CAPTURE"}},
              {capture_argument()}, capture_regions));
}

void add_capture_verify(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "capture verify",
              .chapter = Class::files,
              .summary = "Check a capture: its files, and that replaying gives its image.",
              .help = "Reads every file again, checks hashes, and replays the dispatch on the "
                      "emulated device; memory afterwards must be the post image byte by "
                      "byte, else the exit status is 5. Notes say what a folder of another tool "
                      "does not let check. "
                      "A kernel that does nothing, and one that copies an input to each result, "
                      "must fail when their memory is compared with what this dispatch "
                      "left; notes name where one would pass.",
              .fields =
                  {kId,
                   kPath,
                   {"files", Type::string, Unit::none,
                    "intact, or `no hashes` for captures of older tools"},
                   {"post_image", Type::string, Unit::none, "matched, differs or not-captured"},
                   {"differing_bytes", Type::integer, Unit::bytes,
                    "bytes that differ from the post image"},
                   {"layout", Type::string, Unit::none,
                    "whose folder it is: rpl, older or kerncap"},
                   {"hidden_arguments", Type::string, Unit::none,
                    "those that a replay cannot give, or none"},
                   {"null_kernel", Type::string, Unit::none,
                    "whether one that does nothing fails when it is compared with this capture"},
                   {"copy_kernel", Type::string, Unit::none,
                    "whether one that copies an input to each result does"}},
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
  add_capture_open(registry);
  add_capture_facts(registry);
}

}  // namespace rpl
