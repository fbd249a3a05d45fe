// SPDX-License-Identifier: MIT
#include "engine/capture/capture_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/base/numbers.h"
#include "engine/capture/facts_json.h"
#include "engine/capture/hidden_pointers.h"
#include "engine/capture/json_fields.h"
#include "engine/document/json_parse.h"
#include "engine/document/json_text.h"

namespace rpl {
namespace {

constexpr std::uint64_t kAnySize = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kAny32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::string_view kSchemaName = "rpl.capture/", kDescriptorSuffix = ".kd";

Value sizes(const std::array<std::uint32_t, 3>& three) {
  return Value(List{Value(three[0]), Value(three[1]), Value(three[2])});
}

Value argument_json(const CapturedArgument& argument) {
  Record record{{"kind", Value(argument.buffer ? "buffer" : "value")},
                {"kernarg_offset", Value(argument.kernarg_offset)},
                {"kernarg_size", Value(argument.kernarg_size)}};
  if (argument.buffer) {
    record.emplace_back("region", Value(std::uint64_t{argument.region}));
    record.emplace_back("count", Value(argument.count));
  }
  record.emplace_back("element", argument.element ? Value(to_string(*argument.element)) : Value());
  return Value(std::move(record));
}

/// What of the captured process the kernel may follow; for people and other programs, as readers find it out from the code object.
Value hidden_json(const isa::Kernel& kernel, const Capture& capture) {
  List pointers;
  bool whole = true;
  for (const HiddenPointer& pointer : hidden_pointers(kernel, capture.kernarg)) {
    whole = whole && pointer.value == 0;
    pointers.emplace_back(Record{{"name", Value(pointer.name)},
                                 {"kernarg_offset", Value(pointer.offset)},
                                 {"captured", Value(hex(pointer.value))}});
  }
  return Value(Record{{"verdict", Value(whole ? "replayable" : "points into the captured process")},
                      {"pointers", Value(std::move(pointers))}});
}

/// AQL kernel dispatch packet: kernel_object is the 64-bit word at byte 32.
std::uint64_t kernel_object_of(const RawPacket& packet) {
  constexpr std::size_t kAt = 32;
  std::uint64_t out = 0;
  std::memcpy(&out, packet.data() + kAt, sizeof(out));
  return out;
}

Status read_version(const JsonFields& fields) {
  const std::string schema = TRY(fields.text("schema"));
  const bool ours = schema.starts_with(kSchemaName);
  const auto version =
      ours ? whole_number<int>(std::string_view(schema).substr(kSchemaName.size())) : std::nullopt;
  if (!version || *version < 1) {
    return fields.error("schema", fmt::format("is '{}', not {}N", schema, kSchemaName));
  }
  if (*version > kCaptureVersion) {
    return fail(Errc::unsupported,
                fmt::format("capture.json: version {} is newer than {}", *version, kCaptureVersion),
                "use a newer rpl");
  }
  return {};
}

Result<CapturedArgument> read_argument(const Value& value, const std::string& place,
                                       std::size_t regions) {
  const JsonFields fields = TRY(JsonFields::of(value, place));
  CapturedArgument argument;
  const std::string kind = TRY(fields.text("kind"));
  if (kind != "buffer" && kind != "value")
    return fields.error("kind", "is neither buffer nor value");
  argument.buffer = kind == "buffer";
  argument.kernarg_offset = TRY(fields.number("kernarg_offset", kAny32));
  argument.kernarg_size = TRY(fields.number("kernarg_size", kAny32));
  if (argument.buffer) {
    if (regions == 0) return fields.error("region", "names a region, and there is none");
    argument.region = TRY(fields.number("region", regions - 1));
    argument.count = TRY(fields.number("count", kAnySize));
  }
  const auto element = fields.text("element");
  if (element) {
    auto parsed = parse_element(*element);
    if (!parsed) return fields.error("element", "is not an element type");
    argument.element = *parsed;
  }
  return argument;
}

Result<CaptureFile> read_file_row(const Value& value, const std::string& place) {
  const JsonFields fields = TRY(JsonFields::of(value, place));
  CaptureFile file;
  file.path = TRY(fields.text("path"));
  file.bytes = TRY(fields.number("bytes", kAnySize));
  file.sha256 = TRY(fields.text("sha256"));
  return file;
}

Status read_head(std::string_view text, CaptureDocuments& out) {
  constexpr const char* kPlace = "capture.json";
  auto parsed = parse_json(text);
  if (!parsed) return Failure(std::move(parsed).error().in(kPlace));
  const JsonFields fields = TRY(JsonFields::of(*parsed, kPlace));
  TRY(read_version(fields));
  Capture& capture = out.capture;
  capture.tool = TRY(fields.text("tool"));
  capture.target = TRY(fields.text("target"));
  capture.model = TRY(fields.text("model"));
  capture.source_note = TRY(fields.text("source_note"));
  capture.has_after = TRY(fields.flag("has_after"));
  if (fields.has("load_base")) {
    const std::uint64_t base = TRY(fields.number("load_base", kAnySize));
    if (base != 0) capture.load_base = base;
  }
  capture.facts = TRY(read_facts(fields));
  const List* arguments = TRY(fields.list("arguments"));
  for (std::size_t i = 0; i < arguments->size(); ++i) {
    capture.arguments.push_back(TRY(
        read_argument((*arguments)[i], fields.element("arguments", i), capture.regions.size())));
  }
  const List* files = TRY(fields.list("files"));
  for (std::size_t i = 0; i < files->size(); ++i) {
    out.files.push_back(TRY(read_file_row((*files)[i], fields.element("files", i))));
  }
  return {};
}

/// "gfx942" of "amdgcn-amd-amdhsa--gfx942:sramecc-:xnack-".
std::string architecture_of(const std::string& isa) {
  const std::size_t dash = isa.rfind("--");
  const std::string tail = dash == std::string::npos ? isa : isa.substr(dash + 2);
  return tail.substr(0, tail.find(':'));
}

Status read_dispatch(std::string_view text, CaptureDocuments& out) {
  constexpr const char* kPlace = "dispatch.json";
  auto parsed = parse_json(text);
  if (!parsed) return Failure(std::move(parsed).error().in(kPlace));
  const JsonFields fields = TRY(JsonFields::of(*parsed, kPlace));
  Capture& capture = out.capture;
  capture.kernel = TRY(fields.text("mangled_name"));
  if (capture.kernel.ends_with(kDescriptorSuffix)) {
    capture.kernel.resize(capture.kernel.size() - kDescriptorSuffix.size());
  }
  capture.architecture = architecture_of(TRY(fields.text("isa_name")));
  capture.grid = TRY(fields.three("grid"));
  capture.workgroup = TRY(fields.three("block"));
  out.group_segment_bytes =
      static_cast<std::uint32_t>(TRY(fields.number("group_segment_size", kAny32)));
  out.kernarg_bytes = TRY(fields.number("kernarg_size", kAny32));
  if (fields.find("private_segment_size") != nullptr) {
    capture.scratch_bytes =
        static_cast<std::uint32_t>(TRY(fields.number("private_segment_size", kAny32)));
  }
  return {};
}

Status read_regions(std::string_view text, CaptureDocuments& out) {
  constexpr const char* kPlace = "memory_regions.json";
  auto parsed = parse_json(text);
  if (!parsed) return Failure(std::move(parsed).error().in(kPlace));
  const JsonFields fields = TRY(JsonFields::of(*parsed, kPlace));
  const List* rows = TRY(fields.list("regions"));
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const JsonFields row = TRY(JsonFields::of((*rows)[i], fields.element("regions", i)));
    CapturedRegion region;
    region.base = TRY(row.number("base", kAnySize));
    region.size = TRY(row.number("size", kAnySize));
    if (row.has("name")) region.name = TRY(row.text("name"));
    if (row.has("variable")) region.variable = TRY(row.text("variable"));
    // What older tools know; ours say more below.
    if (row.has("is_vmem") && TRY(row.flag("is_vmem"))) region.kind = RegionKind::vmem;
    TRY(read_origin(row, region));
    out.changed.push_back(row.has("changed") && TRY(row.flag("changed")));
    out.capture.regions.push_back(std::move(region));
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
  List arguments, rows;
  for (const auto& argument : capture.arguments) arguments.push_back(argument_json(argument));
  for (const auto& file : files) {
    rows.emplace_back(Record{
        {"path", Value(file.path)}, {"bytes", Value(file.bytes)}, {"sha256", Value(file.sha256)}});
  }
  Record head{{"schema", Value(fmt::format("{}{}", kSchemaName, kCaptureVersion))},
              {"tool", Value(capture.tool)},
              {"target", Value(capture.target)},
              {"model", Value(capture.model)},
              {"source_note", Value(capture.source_note)},
              {"has_after", Value(capture.has_after)},
              {"load_base", Value(capture.load_base.value_or(0))}};
  add_facts(capture.facts, head);
  head.emplace_back("hidden_arguments", hidden_json(kernel, capture));
  head.emplace_back("arguments", Value(std::move(arguments)));
  head.emplace_back("files", Value(std::move(rows)));
  return to_json(Value(std::move(head))) + "\n";
}

std::string dispatch_json(const Capture& capture, const isa::Kernel& kernel) {
  const CaptureFacts& facts = capture.facts;
  const std::string isa = facts.agent && !facts.agent->isa.empty()
                              ? facts.agent->isa
                              : "amdgcn-amd-amdhsa--" + capture.architecture;
  Record packet{{"mangled_name", Value(capture.kernel + std::string(kDescriptorSuffix))}};
  if (!facts.demangled.empty()) packet.emplace_back("demangled_name", Value(facts.demangled));
  packet.emplace_back(
      "agent_name",
      Value(facts.agent && !facts.agent->name.empty() ? facts.agent->name : capture.architecture));
  packet.emplace_back("isa_name", Value(isa));
  packet.emplace_back("wavefront_size", Value(kernel.wave_size));
  if (facts.packet) packet.emplace_back("kernel_object", Value(kernel_object_of(*facts.packet)));
  packet.emplace_back("grid", sizes(capture.grid));
  packet.emplace_back("block", sizes(capture.workgroup));
  packet.emplace_back("group_segment_size",
                      Value(std::uint64_t{kernel.lds_bytes} + capture.dynamic_lds_bytes));
  packet.emplace_back("private_segment_size",
                      Value(std::max(kernel.scratch_bytes, capture.scratch_bytes)));
  packet.emplace_back("kernarg_size", Value(std::uint64_t{capture.kernarg.size()}));
  packet.emplace_back("dispatch_index", Value(facts.dispatch_index.value_or(0)));
  return to_json(Value(std::move(packet))) + "\n";
}

std::string regions_json(const Capture& capture, const std::vector<bool>& changed) {
  List rows;
  for (std::size_t i = 0; i < capture.regions.size(); ++i) {
    const CapturedRegion& region = capture.regions[i];
    const bool pool = region.kind == RegionKind::unknown || region.kind == RegionKind::pool;
    Record row{{"base", Value(region.base)},
               {"size", Value(region.size)},
               {"is_pool", Value(pool)},
               {"is_vmem", Value(region.kind == RegionKind::vmem)},
               {"contains_kernarg", Value(region.kind == RegionKind::kernarg)},
               {"handle", Value(0)},
               {"access", Value(0)},
               {"name", Value(region.name)},
               {"variable", Value(region.variable)},
               {"changed", Value(bool{changed[i]})}};
    add_origin(region, row);
    rows.emplace_back(std::move(row));
  }
  return to_json(Value(Record{{"regions", Value(std::move(rows))}})) + "\n";
}

Result<CaptureDocuments> read_documents(std::string_view head, std::string_view dispatch,
                                        std::string_view regions) {
  CaptureDocuments out;
  TRY(read_dispatch(dispatch, out));
  TRY(read_regions(regions, out));
  out.has_head = !head.empty();
  if (out.has_head) TRY(read_head(head, out));
  return out;
}

}  // namespace rpl
