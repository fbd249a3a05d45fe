// SPDX-License-Identifier: MIT
// capture open, info, regions, verify: dispatches that were frozen in folders.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

#include "engine/base/text.h"
#include "engine/capture/arguments.h"
#include "engine/capture/dispatches.h"
#include "engine/document/bound.h"
#include "engine/isa/traits/architecture.h"
#include "engine/optimize/verify/oracle.h"
#include "engine/replay/elements.h"
#include "engine/replay/images.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/opened.h"

namespace rpl {
namespace {

struct CaptureArgs {
  std::string capture;
};

constexpr auto kShelfFields = bound_to<Shelved<Capture>>(
    column<&Shelved<Capture>::id>("id", "name of the capture in this session").as(Type::id),
    column<&Shelved<Capture>::path>("path", "its folder"));

/// "hostcall_buffer, heap_v1": what the kernel may follow into the captured process.
std::string hidden_arguments(const Capture& capture) {
  const auto pointers = dead_pointers(capture);
  return pointers.empty() ? "none" : names_of(pointers);
}

void add_cautions(const Capture& capture, Document& out) {
  out.notes.insert(out.notes.end(), capture.cautions.begin(), capture.cautions.end());
}

std::string queue_text(const CapturedQueue& queue) {
  return fmt::format("{} of {} packets{}", queue.id, queue.size,
                     queue.priority ? fmt::format(", priority {}", *queue.priority) : "");
}

std::string agent_text(const CapturedAgent& agent) {
  return fmt::format("{} {} ({})", agent.index, agent.name, agent.isa);
}

std::string runtime_text(const CapturedRuntime& runtime) {
  std::string out = runtime.name;
  if (!runtime.rocm_version.empty()) out += ", ROCm " + runtime.rocm_version;
  for (const CapturedTable& table : runtime.tables)
    out += fmt::format(", {} {}/{}/{}", table.name, table.major, table.minor, table.step);
  return out;
}

std::string source_name(const Capture& capture) {
  const std::string name = demangled(capture.kernel);
  return name == capture.kernel ? capture.facts.demangled : name;
}

std::optional<std::size_t> changed_regions(const Capture& capture) {
  if (!capture.has_after) return std::nullopt;
  return std::ranges::count_if(capture.regions,
                               [](const auto& region) { return region.after.has_value(); });
}

/// One of several.
struct ShownDispatch {
  std::size_t number = 1;
  std::string kernel;
  std::array<std::uint32_t, 3> grid{}, workgroup{};
  std::vector<std::string> after = {};  ///< steps
};
constexpr auto kDispatchFields = bound_to<ShownDispatch>(
    column<&ShownDispatch::number>("number", "in the capture, from 1"),
    column<&ShownDispatch::kernel>("kernel", "name in the code object").as(Type::kernel),
    column<&ShownDispatch::grid>("grid", "work-items in x, y, z"),
    column<&ShownDispatch::workgroup>("workgroup", "work-items of a workgroup"),
    column<&ShownDispatch::after>("after",
                                  "copies, fills and uploads between the one before it and it, "
                                  "each with its bytes")
        .or_null()
        .if_known());
Columns<ShownDispatch> bound(const ShownDispatch* /*of*/) { return kDispatchFields; }

std::optional<std::vector<ShownDispatch>> shown_dispatches(const Capture& capture) {
  if (capture.then.empty()) return std::nullopt;
  std::vector<ShownDispatch> out;
  for (std::size_t i = 0; i < dispatch_count(capture); ++i) {
    const DispatchView one = dispatch_view(capture, i);
    out.push_back({i + 1, one.kernel, one.grid, one.workgroup});
    if (i == 0) continue;
    for (const MemoryStep& step : capture.then[i - 1].steps)
      out.back().after.push_back(to_text(step));
  }
  return out;
}

struct ShownCapture {
  CaptureEntry entry;
  std::string code_hash;
};

template <auto... steps>
consteval BoundColumn of_capture(Label name, Label text) {
  return column<&ShownCapture::entry, &Shelved<Capture>::value, steps...>(name, text);
}

constexpr auto kInfoFields = bound_to<ShownCapture>(
    through<kShelfFields, &ShownCapture::entry>(),
    of_capture<&Capture::kernel>("kernel", "name in the code object").as(Type::kernel),
    of_capture<&shown_dispatches>("dispatches",
                                  "of a capture of several, in order; what else is said of launch "
                                  "and arguments is of the first")
        .if_known(),
    of_capture<&Capture::architecture>("architecture", isa::kArchitectureNames),
    of_capture<&Capture::grid>("grid", "work-items in x, y, z"),
    of_capture<&Capture::workgroup>("workgroup", "work-items of a workgroup"),
    of_capture<&Capture::dynamic_lds_bytes>("dynamic_lds_bytes",
                                            "LDS beyond what the kernel declares"),
    of_capture<&Capture::kernarg, &how_many<std::vector<std::byte>>>(
        "kernarg_bytes", "size of the kernel argument segment"),
    of_capture<&Capture::regions, &how_many<std::vector<CapturedRegion>>>("regions",
                                                                          "ranges of memory"),
    of_capture<&memory_bytes>("memory_bytes", "before and after"),
    of_capture<&changed_regions>("changed_regions",
                                 "regions that the dispatch changed; null without a post image"),
    column<&ShownCapture::code_hash>("code_hash", "SHA-256 of the code object"),
    of_capture<&Capture::target>("target", "where it ran").or_null(),
    of_capture<&Capture::model>("model", "cycle model of the emulated device").or_null(),
    of_capture<&Capture::tool>("tool", "what wrote the capture").or_null(),
    of_capture<&Capture::source_note>("origin", "how it came to be").or_null(),
    of_capture<&Capture::layout>(
        "layout", "whose folder it is: rpl, older (the isolate tool of rocm-perf-lab) or kerncap")
        .if_room(),
    of_capture<&hidden_arguments>("hidden_arguments",
                                  "those that point into the captured process, which a replay "
                                  "cannot give; none for a kernel without"));

constexpr auto kCheckField = bound_to<CheckMark>(
    column<&CheckMark::verdict>("self_check",
                                "strong: a kernel that does nothing, and one that copies its "
                                "input, fail against it; weak, or unchecked without a post image")
        .never());

template <auto... steps>
consteval BoundColumn fact(Label name, Label text) {
  return column<&Capture::facts, steps...>(name, text).or_null().if_known().if_room();
}

/// Where it came from, as far as is known: most of it is not for captures of the emulated device.
constexpr auto kOriginFields = bound_to<Capture>(
    column<&source_name>("source_name", "the kernel's name as in the source")
        .or_null()
        .if_known()
        .if_room(),
    column<&Capture::facts, &CaptureFacts::dispatch_index>("dispatch_index",
                                                           "among those of the process, from 0")
        .if_known()
        .if_room(),
    fact<&CaptureFacts::time>("captured_at", "when, in UTC"),
    fact<&CaptureFacts::agent, &agent_text>("agent",
                                            "number among the GPUs, name and ISA of the device"),
    fact<&CaptureFacts::queue, &queue_text>("queue", "its number and size"),
    fact<&CaptureFacts::runtime, &runtime_text>(
        "runtime", "name, version, and major/size/step of its function tables"),
    fact<&CaptureFacts::packet, &packet_hex>("packet", "the AQL packet, 64 bytes").never());

/// An argument, and what the dispatch was given for it.
struct GivenArgument {
  const CapturedArgument* argument = nullptr;
  const Capture* capture = nullptr;

  [[nodiscard]] std::int64_t number() const { return argument - capture->arguments.data() + 1; }
  [[nodiscard]] std::string_view kind() const { return argument->buffer ? "buffer" : "value"; }
  [[nodiscard]] std::uint64_t count() const { return argument->buffer ? argument->count : 0; }
  /// One of unknown type as a number, or nothing where its bytes are more than that.
  [[nodiscard]] std::string value() const {
    const std::byte* at = capture->kernarg.data() + argument->kernarg_offset;
    if (!argument->buffer && argument->element) return element_text(*argument->element, at);
    std::uint64_t bits = 0;
    if (argument->kernarg_size > sizeof(bits)) return {};
    std::memcpy(&bits, at, argument->kernarg_size);
    return argument->buffer ? hex(bits) : fmt::format("{} ({})", hex(bits), bits);
  }
};

constexpr auto kArgumentColumns = bound_to<GivenArgument>(
    column<&GivenArgument::number>("argument", "its number, from 1"),
    column<&GivenArgument::kind>("kind", "buffer or value"),
    column<&GivenArgument::argument, &CapturedArgument::element>("element", "type of its elements"),
    column<&GivenArgument::count>("count", "elements of a buffer").or_null(),
    column<&GivenArgument::argument, &CapturedArgument::kernarg_offset>(
        "offset_bytes", "in the kernel argument segment"),
    column<&GivenArgument::argument, &CapturedArgument::kernarg_size>("size_bytes", "there"),
    column<&GivenArgument::value>("value", "of a scalar; a buffer's pointer").or_null());

Result<Document> capture_info(const CaptureArgs& args, Inputs inputs) {
  const CaptureEntry entry = TRY(capture_named(inputs, args.capture));
  const Capture& capture = *entry->value;
  const CheckMark check = self_check(capture);
  const auto object = TRY(object_of(capture));
  Document out;
  out.put(kInfoFields, ShownCapture{entry, object->hash()});
  out.put(kOriginFields, capture);
  out.put(kCheckField, check);
  if (check.verdict == "weak") out.notes.push_back(warning_of(check));
  add_cautions(capture, out);
  std::vector<GivenArgument> given;
  for (const CapturedArgument& argument : capture.arguments) given.push_back({&argument, &capture});
  out.table(kArgumentColumns, given);
  out.provenance = Provenance::recorded;
  out.next = {"replay", "capture regions", "capture verify"};
  return out;
}

struct RegionChange {
  const CapturedRegion* region = nullptr;
  std::optional<ImageDifference> change;
  std::optional<std::uint64_t> changed_bytes;
};

std::string flags_of(const CapturedRegion& region) {
  return fmt::format("{}", fmt::join(pool_flag_names(region.flags), ", "));
}

template <auto step>
consteval BoundColumn of_region(Label name, Label text) {
  return column<&RegionChange::region, step>(name, text);
}

constexpr auto kRegionColumns = bound_to<RegionChange>(
    of_region<&CapturedRegion::name>("region", "what the memory is"),
    of_region<&CapturedRegion::base>("base", "its address").as(Type::address),
    of_region<&CapturedRegion::size>("size_bytes", "its size"),
    column<&RegionChange::changed_bytes>(
        "changed_bytes", "bytes that the dispatch changed; null without a post image"),
    column<&RegionChange::change, &ImageDifference::first_offset>("first_offset",
                                                                  "offset of the first of them")
        .in(Unit::none),
    of_region<&CapturedRegion::kind>("kind",
                                     "how the program came by it: pool, region, locked, svm, "
                                     "vmem, variable, kernarg")
        .or_null()
        .if_room(),
    of_region<&CapturedRegion::owner>("owner", "the agent whose memory it is, or host")
        .or_null()
        .if_room(),
    of_region<&flags_of>("flags", "of its pool: kernarg, fine, coarse, extended-fine")
        .or_null()
        .if_room());

Result<Document> capture_regions(const CaptureArgs& args, Inputs inputs) {
  const CaptureEntry entry = TRY(capture_named(inputs, args.capture));
  const Capture& capture = *entry->value;
  std::vector<RegionChange> rows;
  for (std::size_t i = 0; i < capture.regions.size(); ++i) {
    const CapturedRegion& region = capture.regions[i];
    const auto change = TRY(difference_of(i, region.before, after_of(region)));
    RegionChange& row = rows.emplace_back(RegionChange{&region, change, std::nullopt});
    if (capture.has_after) row.changed_bytes = row.change ? row.change->differing_bytes : 0;
  }
  Document out;
  out.table(kRegionColumns, rows);
  out.provenance = Provenance::recorded;
  if (!capture.regions.empty())
    out.next = {"x/8wf " + hex(capture.regions[0].base), "capture verify"};
  return out;
}

struct VerifiedCapture {
  CaptureEntry entry;
  const Capture* capture = nullptr;  ///< as it was read again
  ImageComparison image;
  OracleStrength oracle;  ///< what comparing with this capture can refuse
};

std::string_view files_of(const Capture& capture) {
  return capture.layout == CaptureLayout::own ? "intact" : "no hashes";
}

std::uint64_t differing_bytes(const ImageComparison& image) {
  std::uint64_t bytes = 0;
  for (const auto& difference : image.differences) bytes += difference.differing_bytes;
  return bytes;
}

template <bool OracleStrength::* refuses>
std::string_view outcome(const OracleStrength& oracle) {
  return oracle.*refuses ? "fails" : "passes";
}

constexpr auto kVerifyFields = bound_to<VerifiedCapture>(
    through<kShelfFields, &VerifiedCapture::entry>(),
    column<&VerifiedCapture::capture, &files_of>("files",
                                                 "intact, or `no hashes` for captures of older "
                                                 "tools"),
    column<&VerifiedCapture::image, &ImageComparison::match>("post_image",
                                                             "matched, differs or not-captured"),
    column<&VerifiedCapture::image, &differing_bytes>("differing_bytes",
                                                      "bytes that differ from the post image"),
    column<&VerifiedCapture::capture, &Capture::layout>("layout",
                                                        "whose folder it is: rpl, older or "
                                                        "kerncap"),
    column<&VerifiedCapture::capture, &hidden_arguments>(
        "hidden_arguments", "those that a replay cannot give, or none"),
    column<&VerifiedCapture::oracle, &outcome<&OracleStrength::null_fails>>(
        "null_kernel", "whether one that does nothing fails when it is compared with this capture"),
    column<&VerifiedCapture::oracle, &outcome<&OracleStrength::copy_fails>>(
        "copy_kernel", "whether one that copies an input to each result does"));

Result<Document> verify_capture(const CaptureArgs& args, Inputs inputs) {
  const CaptureEntry entry = TRY(capture_named(inputs, args.capture));
  // What is open was read some time ago: the files are read and hashed again.
  const Capture capture = TRY(read_capture(entry->path));
  const ReplayRun run =
      TRY(replay_once({.capture = &capture, .execute = {.mode = emu::Mode::functional}}));
  ImageComparison image = TRY(compare_with_post_image(capture, run.memory));
  const VerifiedCapture verified{entry, &capture, std::move(image),
                                 oracle_strength(capture, run.memory)};
  Document out;
  out.put(kVerifyFields, verified);
  for (const std::string& weakness : verified.oracle.weaknesses)
    out.notes.push_back("weak oracle: " + weakness);
  if (verified.image.match == ImageMatch::differs) {
    out.exit_code = exit_status(Errc::verification_failed);
    const ImageDifference& first = verified.image.differences.front();
    out.notes.push_back(fmt::format("{} differs first at offset {}",
                                    capture.regions[first.region].name, first.first_offset));
  }
  add_cautions(capture, out);
  out.provenance = Provenance::modelled;
  out.next = {"replay", "capture regions"};
  return out;
}

Result<Document> open_capture(const CaptureArgs& args, Inputs inputs) {
  const CaptureEntry entry = TRY(capture_named(inputs, args.capture));
  Document out;
  out.put(kShelfFields, *entry);
  out.text = one_line(entry);
  out.provenance = Provenance::recorded;
  out.next = {"replay", "capture info", "capture regions"};
  return out;
}

Bound capture_argument() {
  return arg("capture", &CaptureArgs::capture, "capture: a folder or c1; the current one without")
      .completes(Complete::capture);
}

void add_capture_open(Registry& registry) {
  add(registry, command(Command{.path = "capture open",
                                .does = kKeeps,
                                .chapter = Class::files,
                                .summary = "Open a capture and make it current.",
                                .help = "Reads the whole folder and checks every size, address and "
                                        "hash; folders of older capture tools, which have no "
                                        "hashes, are read too.",
                                .fields = described(kShelfFields),
                                .scalar = "id",
                                .examples = {"capture open CAPTURE"},
                                .changes_program = true},
                        {arg("capture", &CaptureArgs::capture, "folder of a capture, or c1")
                             .required()
                             .completes(Complete::capture)},
                        open_capture));
}

void add_capture_info(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "capture info",
              .does = kReads,
              .chapter = Class::files,
              .summary = "Show what was captured: the dispatch and its arguments.",
              .help =
                  "The rows are the arguments of the kernel, of several dispatches of the first, "
                  "in order. A buffer's value is "
                  "the pointer. Types are known where whoever captured knew them, or where the "
                  "kernel's name "
                  "has them, as mangled C++ names do; a value of unknown type is shown in "
                  "hexadecimal.\n\n"
                  "`capture regions` lists its memory, `x/8f ADDRESS` shows it, `capture "
                  "verify` checks it; `object kernel` and "
                  "`disassemble` take a capture for its code object.",
              .fields = described({kInfoFields, kCheckField, kOriginFields}),
              .columns = described(kArgumentColumns),
              .scalar = "kernel",
              .examples = {"capture info CAPTURE"}},
          {capture_argument()}, capture_info));
}

void add_capture_regions(Registry& registry) {
  add(registry,
      command(Command{.path = "capture regions",
                      .does = kReads,
                      .chapter = Class::files,
                      .summary = "List the memory of a capture and what the dispatch changed.",
                      .help = "Regions are ranges of device memory at the addresses they had.",
                      .columns = described(kRegionColumns),
                      .scalar = "region",
                      .examples = {"capture regions CAPTURE"}},
              {capture_argument()}, capture_regions));
}

void add_capture_verify(Registry& registry) {
  add(registry,
      command(
          Command{.path = "capture verify",
                  .does = kReads,
                  .chapter = Class::files,
                  .summary = "Check a capture: its files, and that replaying gives its image.",
                  .help =
                      "Reads every file again, checks hashes, and replays the dispatches on the "
                      "emulated device; memory afterwards must be the post image byte by "
                      "byte, else the exit status is 5. Notes say what a folder of another tool "
                      "does not let check. "
                      "A kernel that does nothing, and one that copies an input to each result, "
                      "must fail when their memory is compared with what this dispatch "
                      "left; notes name where one would pass.",
                  .fields = described(kVerifyFields),
                  .scalar = "post_image",
                  .examples = {"capture verify CAPTURE"}},
          {capture_argument()}, verify_capture));
}

}  // namespace

void add_capture_commands(Registry& registry) {
  add_capture_open(registry);
  add_capture_info(registry);
  add_capture_regions(registry);
  add_capture_verify(registry);
}

}  // namespace rpl
