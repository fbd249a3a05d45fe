// SPDX-License-Identifier: MIT
#include "engine/capture/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "engine/base/text.h"
#include "engine/capture/dispatches.h"

namespace rpl {
namespace {

// As the demangler spells them, for x86-64 Linux and AMD GPUs alike (LP64).
constexpr std::array<std::pair<std::string_view, Element>, 21> kTypeNames = {
    {{"float", Element::f32},        {"double", Element::f64},
     {"_Float16", Element::f16},     {"__half", Element::f16},
     {"half", Element::f16},         {"__fp16", Element::f16},
     {"__bf16", Element::bf16},      {"__hip_bfloat16", Element::bf16},
     {"char", Element::i8},          {"signed char", Element::i8},
     {"unsigned char", Element::u8}, {"bool", Element::u8},
     {"short", Element::i16},        {"unsigned short", Element::u16},
     {"int", Element::i32},          {"unsigned int", Element::u32},
     {"long", Element::i64},         {"unsigned long", Element::u64},
     {"long long", Element::i64},    {"unsigned long long", Element::u64},
     {"std::byte", Element::u8}}};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool take_end(std::string_view& text, std::string_view end) {
  text = trimmed(text);
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  text = trimmed(text);
  return true;
}

ParameterType type_of(std::string_view text) {
  ParameterType out;
  const auto drop_qualifiers = [&] {
    while (take_end(text, " const") || take_end(text, " volatile") ||
           take_end(text, "__restrict") || take_end(text, "restrict")) {
    }
  };
  drop_qualifiers();
  out.pointer = take_end(text, "*");
  drop_qualifiers();
  const auto found =
      std::ranges::find(kTypeNames, trimmed(text), &std::pair<std::string_view, Element>::first);
  if (found != kTypeNames.end()) out.element = found->second;
  return out;
}

/// What stands between the last parenthesis and the one that it closes.
std::string_view parameter_list(std::string_view name) {
  if (!name.ends_with(')')) return {};
  std::size_t depth = 0;
  for (std::size_t at = name.size(); at-- > 0;) {
    if (name[at] == ')') ++depth;
    if (name[at] == '(' && --depth == 0) return name.substr(at + 1, name.size() - at - 2);
  }
  return {};
}

}  // namespace

std::vector<ParameterType> parameter_types(const std::string& mangled) {
  std::vector<ParameterType> out;
  if (!mangled.starts_with("_Z")) return out;
  const std::string name = demangled(mangled);
  const std::string_view list = parameter_list(name);
  std::size_t depth = 0, begin = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const char c = at < list.size() ? list[at] : ',';
    if (c == '<' || c == '(' || c == '[') ++depth;
    if ((c == '>' || c == ')' || c == ']') && depth > 0) --depth;
    if (c != ',' || depth > 0) continue;
    if (at > begin) out.push_back(type_of(list.substr(begin, at - begin)));
    begin = at + 1;
  }
  return out;
}

namespace {

// LLVM's AMDGPU usage, "Code object metadata": the hidden arguments whose value is an address of something that the runtime made.
constexpr std::string_view kHiddenPrefix = "hidden_";
constexpr std::array<std::string_view, 7> kHiddenPointers = {
    "hostcall_buffer", "printf_buffer",     "multigrid_sync_arg", "heap_v1",
    "default_queue",   "completion_action", "queue_ptr"};

}  // namespace

std::vector<HiddenPointer> hidden_pointers(const isa::Kernel& kernel,
                                           std::span<const std::byte> kernarg) {
  std::vector<HiddenPointer> out;
  for (const isa::KernelArgument& argument : kernel.arguments) {
    std::string_view kind = argument.value_kind;
    if (!kind.starts_with(kHiddenPrefix)) continue;
    kind.remove_prefix(kHiddenPrefix.size());
    if (std::ranges::find(kHiddenPointers, kind) == kHiddenPointers.end()) continue;
    HiddenPointer pointer{.name = std::string(kind), .offset = argument.offset};
    if (std::uint64_t{argument.offset} + sizeof(pointer.value) <= kernarg.size()) {
      std::memcpy(&pointer.value, kernarg.data() + argument.offset, sizeof(pointer.value));
    }
    out.push_back(std::move(pointer));
  }
  return out;
}

std::vector<HiddenPointer> dead_pointers(const Capture& capture) {
  std::vector<HiddenPointer> out;
  const auto object = object_of(capture);
  if (!object) return out;
  for (std::size_t i = 0; i < dispatch_count(capture); ++i) {
    const DispatchView dispatch = dispatch_view(capture, i);
    const isa::Kernel* kernel = (*object)->kernel_exactly(dispatch.kernel);
    if (kernel == nullptr) continue;
    for (HiddenPointer& pointer : hidden_pointers(*kernel, dispatch.kernarg)) {
      const bool told =
          i > 0 && std::ranges::find(out, pointer.name, &HiddenPointer::name) != out.end();
      if (pointer.value != 0 && !told) out.push_back(std::move(pointer));
    }
  }
  return out;
}

std::string names_of(const std::vector<HiddenPointer>& pointers) {
  std::string out;
  for (const HiddenPointer& pointer : pointers) out += (out.empty() ? "" : ", ") + pointer.name;
  return out;
}

namespace {

std::optional<std::size_t> region_of(const isa::KernelArgument& parameter,
                                     std::span<const std::byte> kernarg,
                                     const std::vector<CapturedRegion>& regions) {
  std::uint64_t address = 0;
  const bool pointer = parameter.kind == isa::KernelArgument::Kind::global_buffer &&
                       parameter.size == sizeof(address) &&
                       std::uint64_t{parameter.offset} + sizeof(address) <= kernarg.size();
  if (!pointer) return std::nullopt;
  std::memcpy(&address, kernarg.data() + parameter.offset, sizeof(address));
  return region_holding(regions, address, 1);
}

void add_types(const std::string& kernel, std::vector<CapturedArgument>& arguments) {
  const auto types = parameter_types(kernel);
  // Structs by value may take several parameters' places, and methods one more; then nothing is known.
  if (types.size() != arguments.size()) return;
  for (std::size_t i = 0; i < types.size(); ++i) {
    CapturedArgument& argument = arguments[i];
    const bool fits = types[i].element &&
                      (types[i].pointer ? argument.buffer
                                        : !argument.buffer &&
                                              size_of(*types[i].element) == argument.kernarg_size);
    if (fits && !argument.element) argument.element = types[i].element;
  }
}

/// `place` stands behind the names of regions: " of dispatch 2".
std::vector<CapturedArgument> arguments_of(const isa::Kernel* kernel,
                                           std::span<const std::byte> kernarg,
                                           std::vector<CapturedRegion>& regions,
                                           std::string_view place) {
  std::vector<CapturedArgument> out;
  if (kernel == nullptr) return out;
  for (const auto& parameter : kernel->explicit_arguments()) {
    CapturedArgument argument{.kernarg_offset = parameter.offset, .kernarg_size = parameter.size};
    const auto region = region_of(parameter, kernarg, regions);
    if (region) {
      argument.buffer = true;
      argument.region = *region;
    }
    out.push_back(argument);
    if (region && regions[*region].name.empty())
      regions[*region].name = fmt::format("argument {}{}", out.size(), place);
  }
  return out;
}

}  // namespace

void add_element_types(Capture& capture) {
  add_types(capture.kernel, capture.arguments);
  for (FollowingDispatch& dispatch : capture.then) add_types(dispatch.kernel, dispatch.arguments);
}

void find_arguments(const isa::CodeObject& object, Capture& capture) {
  capture.arguments =
      arguments_of(object.kernel_exactly(capture.kernel), capture.kernarg, capture.regions, "");
  for (std::size_t i = 0; i < capture.then.size(); ++i) {
    FollowingDispatch& dispatch = capture.then[i];
    dispatch.arguments = arguments_of(object.kernel_exactly(dispatch.kernel), dispatch.kernarg,
                                      capture.regions, fmt::format(" of dispatch {}", i + 2));
  }
  add_element_types(capture);
  for (auto& region : capture.regions) {
    if (region.name.empty()) region.name = fmt::format("region 0x{:x}", region.base);
  }
}

}  // namespace rpl
