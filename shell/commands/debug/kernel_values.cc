// SPDX-License-Identifier: MIT
// What the source of a kernel calls its values: parameters from the kernarg segment, and the grid.
#include <fmt/format.h>

#include <array>

#include "engine/isa/object/function_names.h"
#include "engine/replay/elements.h"
#include "engine/source/text/declarations.h"
#include "engine/triton/python_source.h"
#include "shell/commands/debug/expressions.h"
#include "shell/commands/debug/source_variables.h"

namespace rpl {
namespace {

using debug::Datum, debug::Session;
using Base = debug::Type::Base;

/// Name and type of each parameter, as the source declares them.
using Declared = std::vector<std::pair<std::string, std::string>>;

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// Those of a kernel of Triton, which adds pointers of its own behind them; Python names no types.
Declared declared_in_python(const std::string& text, const Session& session, std::size_t count) {
  constexpr std::array<const char*, 2> kAdded = {"global_scratch", "profile_scratch"};
  const auto names = triton::launch_parameters(text, session.program().kernel);
  if (names.empty() || names.size() > count || count - names.size() > kAdded.size()) return {};
  Declared out;
  for (const std::string& name : names) out.emplace_back(name, "");
  for (std::size_t i = 0; out.size() < count; ++i) out.emplace_back(kAdded[i], "");
  return out;
}

/// The parameters of the kernel in its source; nothing when that is not at hand, or has another number of them.
Declared declared_in_source(Debugging& all, const Session& session, std::size_t count) {
  const auto chain = session.lines().chain(session.program().ops[session.program().entry].address);
  if (chain.empty()) return {};
  const std::string text = joined_lines(source_lines_of(all, chain.back().file, all.path));
  if (chain.back().file.ends_with(".py")) return declared_in_python(text, session, count);
  const SourceText source(text);
  for (const SourceKernel& kernel : find_declarations(source).kernels) {
    if (!isa::names_function(kernel.qualified, session.program().kernel)) continue;
    std::size_t open = kernel.header_begin;
    while (open < kernel.body_open && source[open].text != kernel.name) ++open;
    while (open < kernel.body_open && !source.is(open, "(")) ++open;
    if (open >= kernel.body_open) continue;
    Declared out;
    for (const ByteRange& range : parameters_of(source, open)) {
      std::string name;
      for (std::size_t i = range.begin; i < range.end; ++i) {
        if (source.is(i, "=") || source.is(i, "[")) break;
        if (source[i].kind == SourceTokenKind::identifier) name = std::string(source[i].text);
      }
      out.emplace_back(std::move(name), canonical_type(source, range.begin, range.end));
    }
    if (out.size() == count) return out;
  }
  return {};
}

/// The type of a buffer that the source does not name: that of its elements as they were given.
std::string type_of_argument(const emu::KernelRun& run, std::size_t index) {
  if (index >= run.arguments.size()) return "";
  const auto c_name = [](Element element) -> std::string {
    const std::string_view name = to_string(element);
    return name == "f32"   ? "float"
           : name == "f64" ? "double"
           : name == "f16" ? "half"
           : name == "i32" ? "int"
           : name == "i8"  ? "int8_t"
           : name == "i16" ? "int16_t"
           : name == "i64" ? "int64_t"
           : name == "u8"  ? "uint8_t"
           : name == "u16" ? "uint16_t"
           : name == "u32" ? "unsigned int"
           : name == "u64" ? "uint64_t"
                           : "unsigned int";
  };
  if (const auto* buffer = std::get_if<emu::BufferArgument>(&run.arguments[index]))
    return c_name(buffer->element) + " *";
  const auto& value = std::get<emu::ValueArgument>(run.arguments[index]);
  return value.element ? c_name(*value.element) : "";
}

debug::Type type_by_size(std::uint32_t bytes, bool pointer) {
  if (pointer) return {.base = Base::u32, .pointers = 1};
  if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8)
    return {.base = bytes == 1   ? Base::u8
                    : bytes == 2 ? Base::u16
                    : bytes == 4 ? Base::u32
                                 : Base::u64};
  return {.base = Base::u8, .count = bytes};
}

/// The parameters as debug information with variables describes them; nothing without, or where they are not those that are passed.
std::optional<std::vector<KernelParameter>> described_parameters(
    const Debugger& debugger, const Session& session,
    const std::vector<isa::KernelArgument>& arguments) {
  const auto variables = variables_of(debugger, session);
  if (!variables || (*variables)->empty()) return std::nullopt;
  const auto frames = (*variables)->frames(session.program().ops[session.program().entry].address);
  if (frames.empty() || frames.back().parameters.size() != arguments.size()) return std::nullopt;
  std::vector<KernelParameter> out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const isa::SourceVariable& variable = frames.back().parameters[i];
    const debug::Type type = debug::type_of(variable.type);
    if (type.bytes() != arguments[i].size) return std::nullopt;
    out.push_back({.name = variable.name,
                   .type = type,
                   .type_text = debug::to_string(type),
                   .offset = arguments[i].offset,
                   .bytes = arguments[i].size});
  }
  return out;
}

Datum three(std::string_view name, const emu::Size3& size) {
  Datum out{.type = {.base = Base::structure, .name = std::string(name)}};
  const char* const members[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < size.size(); ++i)
    out.parts.emplace_back(members[i], debug::integer_datum(size[i], Base::u32));
  return out;
}

}  // namespace

std::vector<KernelParameter> parameters_of(const Debugger& debugger, const Session& session) {
  Debugging& all = debugging(debugger);
  if (all.parameters_of == &session) return all.parameters;
  const auto arguments = session.prepared().launch->kernel->explicit_arguments();
  if (auto described = described_parameters(debugger, session, arguments)) {
    all.parameters = *described;
    all.parameters_of = &session;
    return *described;
  }
  const Declared declared = declared_in_source(all, session, arguments.size());
  std::vector<KernelParameter> out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    KernelParameter parameter{.name = fmt::format("arg{}", i + 1),
                              .offset = arguments[i].offset,
                              .bytes = arguments[i].size};
    parameter.type_text = type_of_argument(session.launch(), i);
    if (!declared.empty() && !declared[i].first.empty()) parameter.name = declared[i].first;
    // A type of a template or a struct is one by its bytes.
    const bool typed = !declared.empty() && !declared[i].second.empty();
    auto type = debug::parse_type(typed ? declared[i].second : parameter.type_text);
    if (!type) type = debug::parse_type(parameter.type_text);
    if (typed) parameter.type_text = declared[i].second;
    const bool pointer = arguments[i].kind == isa::KernelArgument::Kind::global_buffer;
    const bool fits = type && type->bytes() == arguments[i].size && type->is_pointer() == pointer;
    parameter.type = fits ? *type : type_by_size(arguments[i].size, pointer);
    if (parameter.type_text.empty()) parameter.type_text = debug::to_string(parameter.type);
    out.push_back(std::move(parameter));
  }
  all.parameters = out;
  all.parameters_of = &session;
  return out;
}

Result<Datum> argument_datum(const Session& session, const KernelParameter& parameter) {
  debug::Watched where{.space = debug::Watched::Space::memory,
                       .address = session.prepared().kernarg + parameter.offset,
                       .bytes = parameter.bytes,
                       .wave = session.selected_wave};
  const auto bytes =
      TRY(debug::read(session, {debug::Address::Space::global, where.address}, where.bytes));
  return debug::whole_datum(parameter.type, {bytes.begin(), bytes.end()},
                            {.where = [&](std::uint64_t offset, std::uint64_t size) {
                              return debug::part_of_place(where, offset, size);
                            }});
}

std::string argument_note(Session& session, const debug::Watched& where) {
  const std::uint64_t begin = session.prepared().kernarg;
  const emu::Region* segment = session.memory().find(begin);
  if (where.space != debug::Watched::Space::memory || segment == nullptr ||
      !segment->contains(where.address, where.bytes))
    return {};
  const auto op = session.last_load(where);
  if (!op) return {};
  const std::uint64_t address = session.program().ops[*op].address;
  const auto chain = isa::own_frames(session.lines().chain(address));
  return fmt::format(
      "wave {} of workgroup {} loaded it already, at 0x{:x}{}: what it loaded stays as it was; "
      "loads from here on, of waves that begin later, too, give what was written",
      session.selected_wave.wave, session.selected_wave.workgroup, address,
      chain.empty() ? "" : fmt::format(" ({})", isa::place_text({chain.front()})));
}

Result<Datum> grid_datum(const Session& session, std::string_view name) {
  const emu::Launch& launch = *session.prepared().launch;
  const emu::Wave& wave = *TRY(selected_wave(session));
  const emu::Workgroup* group = nullptr;
  for (const emu::Workgroup& one : session.schedule().active()) {
    if (one.number == wave.workgroup) group = &one;
  }
  if (group == nullptr) return fail(Errc::not_found, "the workgroup has ended", "info waves");
  if (name == "blockIdx") return three("dim3", {group->id[0], group->id[1], group->id[2]});
  if (name == "gridDim") return three("dim3", session.prepared().workgroups);
  if (name == "blockDim") return three("dim3", launch.workgroup);
  if (name != "threadIdx") return fail(Errc::not_found, fmt::format("no '{}'", name), "info args");
  // Workgroups at the edge of the grid are smaller.
  emu::Size3 size{};
  for (std::size_t i = 0; i < size.size(); ++i)
    size[i] = std::min(launch.workgroup[i], launch.grid[i] - group->id[i] * launch.workgroup[i]);
  const std::uint32_t item = wave.id * emu::kLanes + session.selected_lane;
  return three("dim3", {item % size[0], item / size[0] % size[1], item / (size[0] * size[1])});
}

}  // namespace rpl
