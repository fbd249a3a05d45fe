// SPDX-License-Identifier: MIT
#include "engine/capture/capture_json.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "engine/capture/json_fields.h"
#include "engine/table/json_parse.h"
#include "engine/table/json_text.h"

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

Status read_version(const JsonFields& fields) {
  const std::string schema = TRY(fields.text("schema"));
  int version = 0;
  const char* end = schema.data() + schema.size();
  const bool ours = schema.starts_with(kSchemaName);
  const auto [stop, code] = ours ? std::from_chars(schema.data() + kSchemaName.size(), end, version)
                                 : std::from_chars_result{end, std::errc::invalid_argument};
  if (code != std::errc() || stop != end || version < 1) {
    return fields.error("schema", fmt::format("is '{}', not {}N", schema, kSchemaName));
  }
  if (version > kCaptureVersion) {
    return fail(Errc::unsupported,
                fmt::format("capture.json: version {} is newer than {}", version, kCaptureVersion),
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
    if (!parsed) return fields.error("element", "is no element type");
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
  if (!parsed) return tl::unexpected(std::move(parsed).error().in(kPlace));
  const JsonFields fields = TRY(JsonFields::of(*parsed, kPlace));
  TRY(read_version(fields));
  Capture& capture = out.capture;
  capture.tool = TRY(fields.text("tool"));
  capture.target = TRY(fields.text("target"));
  capture.model = TRY(fields.text("model"));
  capture.source_note = TRY(fields.text("source_note"));
  capture.has_after = TRY(fields.flag("has_after"));
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
  if (!parsed) return tl::unexpected(std::move(parsed).error().in(kPlace));
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
  return {};
}

Status read_regions(std::string_view text, CaptureDocuments& out) {
  constexpr const char* kPlace = "memory_regions.json";
  auto parsed = parse_json(text);
  if (!parsed) return tl::unexpected(std::move(parsed).error().in(kPlace));
  const JsonFields fields = TRY(JsonFields::of(*parsed, kPlace));
  const List* rows = TRY(fields.list("regions"));
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const JsonFields row = TRY(JsonFields::of((*rows)[i], fields.element("regions", i)));
    CapturedRegion region;
    region.base = TRY(row.number("base", kAnySize));
    region.size = TRY(row.number("size", kAnySize));
    if (row.has("name")) region.name = TRY(row.text("name"));
    out.changed.push_back(row.has("changed") && TRY(row.flag("changed")));
    out.capture.regions.push_back(std::move(region));
  }
  return {};
}

}  // namespace

std::string before_file(const CapturedRegion& region) {
  return fmt::format("memory/region_{:x}.bin", region.base);
}

std::string after_file(const CapturedRegion& region) {
  return fmt::format("post/region_{:x}.bin", region.base);
}

std::string head_json(const Capture& capture, const std::vector<CaptureFile>& files) {
  List arguments, rows;
  for (const auto& argument : capture.arguments) arguments.push_back(argument_json(argument));
  for (const auto& file : files) {
    rows.emplace_back(Record{
        {"path", Value(file.path)}, {"bytes", Value(file.bytes)}, {"sha256", Value(file.sha256)}});
  }
  return to_json(Value(Record{{"schema", Value(fmt::format("{}{}", kSchemaName, kCaptureVersion))},
                              {"tool", Value(capture.tool)},
                              {"target", Value(capture.target)},
                              {"model", Value(capture.model)},
                              {"source_note", Value(capture.source_note)},
                              {"has_after", Value(capture.has_after)},
                              {"arguments", Value(std::move(arguments))},
                              {"files", Value(std::move(rows))}})) +
         "\n";
}

std::string dispatch_json(const Capture& capture, const isa::Kernel& kernel) {
  return to_json(
             Value(Record{{"mangled_name", Value(capture.kernel + std::string(kDescriptorSuffix))},
                          {"agent_name", Value(capture.architecture)},
                          {"isa_name", Value("amdgcn-amd-amdhsa--" + capture.architecture)},
                          {"wavefront_size", Value(kernel.wave_size)},
                          {"grid", sizes(capture.grid)},
                          {"block", sizes(capture.workgroup)},
                          {"group_segment_size",
                           Value(std::uint64_t{kernel.lds_bytes} + capture.dynamic_lds_bytes)},
                          {"private_segment_size", Value(kernel.scratch_bytes)},
                          {"kernarg_size", Value(std::uint64_t{capture.kernarg.size()})},
                          {"dispatch_index", Value(0)}})) +
         "\n";
}

std::string regions_json(const Capture& capture) {
  List rows;
  for (const auto& region : capture.regions) {
    rows.emplace_back(Record{{"base", Value(region.base)},
                             {"size", Value(region.size)},
                             {"is_pool", Value(true)},
                             {"is_vmem", Value(false)},
                             {"contains_kernarg", Value(false)},
                             {"handle", Value(0)},
                             {"access", Value(0)},
                             {"name", Value(region.name)},
                             {"changed", Value(region.after.has_value())}});
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
