// SPDX-License-Identifier: MIT
#include "engine/capture/capture_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/base/numbers.h"
#include "engine/capture/arguments.h"
#include "engine/document/json.h"
#include "engine/document/records.h"

namespace rpl {
namespace {

constexpr int kOneDispatch = 2,  ///< the version of captures of one
    kWithoutSteps = 3;           ///< and of those with nothing between their dispatches
constexpr std::string_view kSchemaName = "rpl.capture/", kDescriptorSuffix = ".kd";

constexpr auto kQueue = bound_to<CapturedQueue>(column<&CapturedQueue::id>("id").or_absent(),
                                                column<&CapturedQueue::size>("size").or_absent(),
                                                column<&CapturedQueue::priority>("priority"));
constexpr auto kAgent = bound_to<CapturedAgent>(column<&CapturedAgent::name>("name").or_absent(),
                                                column<&CapturedAgent::isa>("isa").or_absent(),
                                                column<&CapturedAgent::index>("index").or_absent());
constexpr auto kTable = bound_to<CapturedTable>(column<&CapturedTable::name>("name").or_absent(),
                                                column<&CapturedTable::major>("major").or_absent(),
                                                column<&CapturedTable::minor>("minor").or_absent(),
                                                column<&CapturedTable::step>("step").or_absent());
}  // namespace

Columns<CapturedQueue> bound(const CapturedQueue*) { return kQueue; }
Columns<CapturedAgent> bound(const CapturedAgent*) { return kAgent; }
Columns<CapturedTable> bound(const CapturedTable*) { return kTable; }

namespace {

constexpr auto kRuntime =
    bound_to<CapturedRuntime>(column<&CapturedRuntime::name>("name").or_absent(),
                              column<&CapturedRuntime::tables>("tables").or_absent(),
                              column<&CapturedRuntime::rocm_version>("rocm_version").or_absent());

constexpr auto kArgument = bound_to<CapturedArgument>(
    converted<&CapturedArgument::buffer, [](bool buffer) { return buffer ? "buffer" : "value"; },
              [](const std::string& kind, bool& buffer) {
                buffer = kind == "buffer";
                return buffer || kind == "value" ? nullptr : "buffer or value";
              }>("kind"),
    column<&CapturedArgument::kernarg_offset>("kernarg_offset"),
    column<&CapturedArgument::kernarg_size>("kernarg_size"),
    column<&CapturedArgument::region>("region").when<&CapturedArgument::buffer>(),
    column<&CapturedArgument::count>("count").when<&CapturedArgument::buffer>(),
    column<&CapturedArgument::element>("element"));

constexpr auto kPointer = bound_to<HiddenPointer>(
    column<&HiddenPointer::name>("name"), column<&HiddenPointer::offset>("kernarg_offset"),
    column<&HiddenPointer::value>("captured").as(Type::address));

constexpr auto kFile =
    bound_to<CaptureFile>(column<&CaptureFile::path>("path"), column<&CaptureFile::bytes>("bytes"),
                          column<&CaptureFile::sha256>("sha256"));

bool is_pool(const CapturedRegion& region) {
  return region.kind == RegionKind::unknown || region.kind == RegionKind::pool;
}
bool is_kernarg(const CapturedRegion& region) { return region.kind == RegionKind::kernarg; }
int zero(const CapturedRegion&) { return 0; }

/// The first seven are those of older tools, which know nothing of the others.
constexpr auto kRegion = bound_to<CapturedRegion>(
    column<&CapturedRegion::base>("base"), column<&CapturedRegion::size>("size"),
    column<&is_pool>("is_pool"),
    converted<&CapturedRegion::kind,
              [](const RegionKind& kind) { return kind == RegionKind::vmem; },
              [](bool vmem, RegionKind& kind) -> const char* {
                if (vmem) kind = RegionKind::vmem;
                return nullptr;
              }>("is_vmem")
        .or_absent(),
    column<&is_kernarg>("contains_kernarg"), column<&zero>("handle"), column<&zero>("access"),
    column<&CapturedRegion::name>("name").or_absent(),
    column<&CapturedRegion::variable>("variable").or_absent(),
    column<&CapturedRegion::changed>("changed").or_absent(),
    column<&CapturedRegion::kind>("kind").or_null().if_known(),
    column<&CapturedRegion::owner>("owner").or_null().if_known(),
    converted<&CapturedRegion::flags, &pool_flag_names,
              [](const std::vector<std::string>& names, std::uint32_t& flags) {
                bool known = true;
                for (const std::string& name : names) {
                  flags |= pool_flag(name);
                  known = known && pool_flag(name) != 0;
                }
                return known ? nullptr : "names of properties of a pool";
              }>("flags")
        .or_null()
        .if_known());

}  // namespace

Columns<CapturedRuntime> bound(const CapturedRuntime*) { return kRuntime; }
Columns<CapturedArgument> bound(const CapturedArgument*) { return kArgument; }
Columns<HiddenPointer> bound(const HiddenPointer*) { return kPointer; }
Columns<CaptureFile> bound(const CaptureFile*) { return kFile; }
Columns<CapturedRegion> bound(const CapturedRegion*) { return kRegion; }

namespace {

constexpr auto kRegions = bound_to<Capture>(column<&Capture::regions>("regions"));

constexpr auto kFacts =
    bound_to<CaptureFacts>(column<&CaptureFacts::dispatch_index>("dispatch_index").if_known(),
                           column<&CaptureFacts::demangled>("demangled_name").or_null().if_known(),
                           column<&CaptureFacts::time>("time").or_null().if_known(),
                           column<&CaptureFacts::host_saw_by>("host_saw_by").or_null().if_known(),
                           converted<&CaptureFacts::packet, &packet_hex,
                                     [](const std::string& hex, RawPacket& packet) {
                                       const auto parsed = parse_packet(hex);
                                       if (parsed) packet = *parsed;
                                       return parsed ? nullptr : "64 bytes in hexadecimal";
                                     }>("packet")
                               .if_known(),
                           column<&CaptureFacts::queue>("queue").if_known(),
                           column<&CaptureFacts::agent>("agent").if_known(),
                           column<&CaptureFacts::runtime>("runtime").if_known());

constexpr auto kHead = bound_to<Capture>(
    column<&Capture::tool>("tool"), column<&Capture::target>("target"),
    column<&Capture::model>("model"), column<&Capture::source_note>("source_note"),
    column<&Capture::has_after>("has_after"),
    converted<&Capture::load_base,
              [](const std::optional<std::uint64_t>& base) { return base.value_or(0); },
              [](std::uint64_t written, std::optional<std::uint64_t>& base) -> const char* {
                if (written != 0) base = written;
                return nullptr;
              }>("load_base")
        .or_absent(),
    through<kFacts, &Capture::facts>());
constexpr auto kHeadLists =
    bound_to<CaptureDocuments>(column<&CaptureDocuments::capture, &Capture::arguments>("arguments"),
                               column<&CaptureDocuments::files>("files"));

struct HiddenArguments {
  std::string verdict;
  std::vector<HiddenPointer> pointers;
};
constexpr auto kHidden = bound_to<HiddenArguments>(column<&HiddenArguments::verdict>("verdict"),
                                                   column<&HiddenArguments::pointers>("pointers"));

/// What of the captured process the kernel may follow; for people and other programs, as readers find it out from the code object.
Value hidden_json(const isa::Kernel& kernel, const Capture& capture) {
  HiddenArguments out{.verdict = "replayable",
                      .pointers = hidden_pointers(kernel, capture.kernarg)};
  if (!dead_pointers(capture).empty()) out.verdict = "points into the captured process";
  return to_value(kHidden, out);
}

/// dispatch.json: what only other tools read is not read back.
struct DispatchFile {
  std::string mangled_name, demangled_name, agent_name, isa_name;
  std::uint32_t wavefront_size = 0;
  std::optional<std::uint64_t> kernel_object;
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t group_segment_size = 0, private_segment_size = 0;
  std::uint64_t kernarg_size = 0, dispatch_index = 0;
};
constexpr auto kDispatch = bound_to<DispatchFile>(
    column<&DispatchFile::mangled_name>("mangled_name"),
    column<&DispatchFile::demangled_name>("demangled_name").or_null().if_known().unread(),
    column<&DispatchFile::agent_name>("agent_name").unread(),
    column<&DispatchFile::isa_name>("isa_name"),
    column<&DispatchFile::wavefront_size>("wavefront_size").unread(),
    column<&DispatchFile::kernel_object>("kernel_object").if_known().unread(),
    column<&DispatchFile::grid>("grid"), column<&DispatchFile::block>("block"),
    column<&DispatchFile::group_segment_size>("group_segment_size"),
    column<&DispatchFile::private_segment_size>("private_segment_size").or_absent(),
    column<&DispatchFile::kernarg_size>("kernarg_size"),
    column<&DispatchFile::dispatch_index>("dispatch_index").unread());

/// AQL kernel dispatch packet: kernel_object is the 64-bit word at byte 32.
std::uint64_t kernel_object_of(const RawPacket& packet) {
  constexpr std::size_t kAt = 32;
  std::uint64_t out = 0;
  std::memcpy(&out, packet.data() + kAt, sizeof(out));
  return out;
}

/// A step before such a dispatch. Its bytes lie in a file of their own.
struct StepRow {
  MemoryStep step;
  std::uint64_t data_bytes = 0;
};
constexpr auto kStep =
    bound_to<StepRow>(column<&StepRow::step, &MemoryStep::kind>("kind"),
                      column<&StepRow::step, &MemoryStep::to>("to"),
                      column<&StepRow::step, &MemoryStep::from>("from").or_absent(),
                      column<&StepRow::step, &MemoryStep::width>("width"),
                      column<&StepRow::step, &MemoryStep::rows>("rows"),
                      column<&StepRow::step, &MemoryStep::to_pitch>("to_pitch"),
                      column<&StepRow::step, &MemoryStep::from_pitch>("from_pitch").or_absent(),
                      column<&StepRow::data_bytes>("data_bytes"),
                      column<&StepRow::step, &MemoryStep::time_ns>("time_ns"));
Columns<StepRow> bound(const StepRow* /*of*/) { return kStep; }

/// A dispatch after the first, as following.json has it.
struct FollowingRow {
  FollowingDispatch dispatch;
  std::uint64_t kernarg_bytes = 0;
  std::optional<std::vector<StepRow>> steps = {};
};
template <auto step>
consteval BoundColumn of_following(Label name) {
  return column<&FollowingRow::dispatch, step>(name);
}
constexpr auto kFollowing =
    bound_to<FollowingRow>(of_following<&FollowingDispatch::kernel>("kernel"),
                           of_following<&FollowingDispatch::grid>("grid"),
                           of_following<&FollowingDispatch::workgroup>("workgroup"),
                           of_following<&FollowingDispatch::dynamic_lds_bytes>("dynamic_lds_bytes"),
                           of_following<&FollowingDispatch::scratch_bytes>("scratch_bytes"),
                           column<&FollowingRow::kernarg_bytes>("kernarg_bytes"),
                           column<&FollowingRow::steps>("steps").if_known(),
                           of_following<&FollowingDispatch::arguments>("arguments"));
Columns<FollowingRow> bound(const FollowingRow* /*of*/) { return kFollowing; }

struct FollowingList {
  std::vector<FollowingRow> dispatches;
};
constexpr auto kFollowingList =
    bound_to<FollowingList>(column<&FollowingList::dispatches>("dispatches"));

Result<int> version_of(const Value& head) {
  const Value* found = head.find("schema");
  const auto* schema = found == nullptr ? nullptr : found->as<std::string>();
  const auto version = schema != nullptr && schema->starts_with(kSchemaName)
                           ? whole_number<int>(std::string_view(*schema).substr(kSchemaName.size()))
                           : std::nullopt;
  if (!version || *version < 1)
    return fail(Errc::corrupt, fmt::format("capture.json: schema: expected {}N, not '{}'",
                                           kSchemaName, schema == nullptr ? "" : *schema));
  if (*version > kCaptureVersion) {
    return fail(Errc::unsupported,
                fmt::format("capture.json: version {} is newer than {}", *version, kCaptureVersion),
                "use a newer rpl");
  }
  return *version;
}

/// "gfx942" of "amdgcn-amd-amdhsa--gfx942:sramecc-:xnack-".
std::string architecture_of(const std::string& isa) {
  const std::size_t dash = isa.rfind("--");
  const std::string tail = dash == std::string::npos ? isa : isa.substr(dash + 2);
  return tail.substr(0, tail.find(':'));
}

Status read_dispatch(std::string_view text, CaptureDocuments& out) {
  const DispatchFile file =
      TRY(from_value(kDispatch, TRY(parse_file(text, "dispatch.json")), "dispatch.json"));
  Capture& capture = out.capture;
  capture.kernel = file.mangled_name;
  if (capture.kernel.ends_with(kDescriptorSuffix)) {
    capture.kernel.resize(capture.kernel.size() - kDescriptorSuffix.size());
  }
  capture.architecture = architecture_of(file.isa_name);
  capture.grid = file.grid;
  capture.workgroup = file.block;
  capture.scratch_bytes = file.private_segment_size;
  out.group_segment_bytes = file.group_segment_size;
  out.kernarg_bytes = file.kernarg_size;
  return {};
}

Status read_head(std::string_view text, CaptureDocuments& out) {
  constexpr std::string_view kPlace = "capture.json";
  const Value head = TRY(parse_file(text, kPlace));
  out.has_following = TRY(version_of(head)) > kOneDispatch;
  TRY(read_into(out.capture, kHead, head, kPlace));
  TRY(read_into(out, kHeadLists, head, kPlace));
  const Capture& capture = out.capture;
  for (std::size_t i = 0; i < capture.arguments.size(); ++i) {
    if (capture.arguments[i].buffer && capture.arguments[i].region >= capture.regions.size())
      return fail(Errc::corrupt, fmt::format("{}: arguments[{}].region: expected one of {} regions",
                                             kPlace, i, capture.regions.size()));
  }
  return {};
}

}  // namespace

std::string before_file(std::uint64_t base) { return fmt::format("memory/region_{:x}.bin", base); }

std::string after_file(std::uint64_t base) { return fmt::format("post/region_{:x}.bin", base); }

std::string before_file(const CapturedRegion& region) { return before_file(region.base); }

std::string after_file(const CapturedRegion& region) { return after_file(region.base); }

std::string head_json(const Capture& capture, const isa::Kernel& kernel,
                      const std::vector<CaptureFile>& files) {
  const int version = capture.then.empty()       ? kOneDispatch
                      : step_count(capture) == 0 ? kWithoutSteps
                                                 : kCaptureVersion;
  Record head{{"schema", Value(fmt::format("{}{}", kSchemaName, version))}};
  append(head, kHead, capture);
  head.emplace_back("hidden_arguments", hidden_json(kernel, capture));
  head.emplace_back("arguments", to_value(capture.arguments));
  head.emplace_back("files", to_value(files));
  return to_json(Value(std::move(head))) + "\n";
}

std::string dispatch_json(const Capture& capture, const isa::Kernel& kernel) {
  const CaptureFacts& facts = capture.facts;
  DispatchFile file{.mangled_name = capture.kernel + std::string(kDescriptorSuffix),
                    .demangled_name = facts.demangled,
                    .agent_name = facts.agent ? facts.agent->name : "",
                    .isa_name = facts.agent ? facts.agent->isa : "",
                    .wavefront_size = kernel.wave_size,
                    .kernel_object = {},
                    .grid = capture.grid,
                    .block = capture.workgroup,
                    .group_segment_size = kernel.lds_bytes + capture.dynamic_lds_bytes,
                    .private_segment_size = std::max(kernel.scratch_bytes, capture.scratch_bytes),
                    .kernarg_size = capture.kernarg.size(),
                    .dispatch_index = facts.dispatch_index.value_or(0)};
  if (file.agent_name.empty()) file.agent_name = capture.architecture;
  if (file.isa_name.empty()) file.isa_name = "amdgcn-amd-amdhsa--" + capture.architecture;
  if (facts.packet) file.kernel_object = kernel_object_of(*facts.packet);
  return to_json(to_value(kDispatch, file)) + "\n";
}

std::string regions_json(const Capture& capture) {
  return to_json(to_value(kRegions, capture)) + "\n";
}

Result<CaptureDocuments> read_documents(std::string_view head, std::string_view dispatch,
                                        std::string_view regions) {
  CaptureDocuments out;
  TRY(read_dispatch(dispatch, out));
  TRY(read_into(out.capture, kRegions, TRY(parse_file(regions, "memory_regions.json")),
                "memory_regions.json"));
  out.has_head = !head.empty();
  if (out.has_head) TRY(read_head(head, out));
  return out;
}

std::string following_json(const Capture& capture) {
  FollowingList list;
  for (const FollowingDispatch& dispatch : capture.then) {
    FollowingRow& row = list.dispatches.emplace_back(
        FollowingRow{.dispatch = dispatch, .kernarg_bytes = dispatch.kernarg.size()});
    if (dispatch.steps.empty()) continue;
    row.steps.emplace();
    for (const MemoryStep& step : dispatch.steps) row.steps->push_back({step, step.data.size()});
  }
  return to_json(to_value(kFollowingList, list)) + "\n";
}

std::vector<std::byte> following_kernargs(const Capture& capture) {
  std::vector<std::byte> out;
  for (const FollowingDispatch& dispatch : capture.then)
    out.insert(out.end(), dispatch.kernarg.begin(), dispatch.kernarg.end());
  return out;
}

std::vector<std::byte> step_data(const Capture& capture) {
  std::vector<std::byte> out;
  for (const FollowingDispatch& dispatch : capture.then) {
    for (const MemoryStep& step : dispatch.steps)
      out.insert(out.end(), step.data.begin(), step.data.end());
  }
  return out;
}

namespace {

/// What the rows say of the steps before a dispatch.
Status read_steps(FollowingRow& row, CaptureDocuments& documents) {
  if (!row.steps) return {};
  for (StepRow& step : *row.steps) {
    if (documents.step_bytes.size() == kMostMemorySteps)
      return fail(Errc::corrupt, fmt::format("more than {} steps", kMostMemorySteps));
    // An upload lies in captured memory, and a fill repeats a few bytes.
    if (step.data_bytes > kMostStepBytes - documents.all_step_bytes)
      return fail(Errc::corrupt,
                  fmt::format("data_bytes: {} is more than steps have", step.data_bytes));
    documents.all_step_bytes += step.data_bytes;
    documents.step_bytes.push_back(step.data_bytes);
    row.dispatch.steps.push_back(std::move(step.step));
  }
  return {};
}

}  // namespace

Status read_following(std::string_view text, CaptureDocuments& documents) {
  const Value value = TRY(parse_file(text, kFollowingFile));
  FollowingList list = TRY(from_value(kFollowingList, value, kFollowingFile));
  const auto bad = [](const std::string& what) {
    return fail(Errc::corrupt, fmt::format("{}: {}", kFollowingFile, what));
  };
  if (list.dispatches.empty()) return bad("no dispatches");
  if (list.dispatches.size() >= kMostCapturedDispatches)
    return bad(fmt::format("{} dispatches after the first, {} are the most", list.dispatches.size(),
                           kMostCapturedDispatches - 1));
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < list.dispatches.size(); ++i) {
    FollowingRow& row = list.dispatches[i];
    if (row.kernarg_bytes > kMostKernargBytes ||
        (total += row.kernarg_bytes) > kMostFollowingKernargBytes)
      return bad(fmt::format("dispatches[{}].kernarg_bytes: {} is more than kernels take", i,
                             row.kernarg_bytes));
    const std::size_t regions = documents.capture.regions.size();
    for (std::size_t j = 0; j < row.dispatch.arguments.size(); ++j) {
      if (row.dispatch.arguments[j].buffer && row.dispatch.arguments[j].region >= regions)
        return bad(fmt::format("dispatches[{}].arguments[{}].region: expected one of {} regions", i,
                               j, regions));
    }
    if (const Status read = read_steps(row, documents); !read)
      return bad(fmt::format("dispatches[{}].steps: {}", i, read.error().message));
    documents.following_kernarg_bytes.push_back(row.kernarg_bytes);
    documents.capture.then.push_back(std::move(row.dispatch));
  }
  return {};
}

}  // namespace rpl
