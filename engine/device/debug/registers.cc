// SPDX-License-Identifier: MIT
#include "engine/device/debug/registers.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"

namespace rpl::debug {
namespace {

using Kind = RegisterName::Kind;

constexpr std::uint32_t kScalars = 102;  ///< s0 to s101, the ones that are named by number

struct Named {
  std::string_view text;
  RegisterName name;
};
constexpr Named kNamed[] = {{"vcc", {Kind::scalar, isa::kVccLo, 2}},
                            {"vcc_lo", {Kind::scalar, isa::kVccLo, 1}},
                            {"vcc_hi", {Kind::scalar, isa::kVccLo + 1, 1}},
                            {"exec", {Kind::scalar, isa::kExecLo, 2}},
                            {"exec_lo", {Kind::scalar, isa::kExecLo, 1}},
                            {"exec_hi", {Kind::scalar, isa::kExecLo + 1, 1}},
                            {"flat_scratch", {Kind::scalar, isa::kFlatScratchLo, 2}},
                            {"m0", {Kind::scalar, isa::kM0, 1}},
                            {"scc", {Kind::scc, 0, 1}},
                            {"mode", {Kind::mode, 0, 1}},
                            {"pc", {Kind::pc, 0, 2}}};

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// "3" or "[2:3]" to the end.
bool parse_numbers(std::string_view text, RegisterName& name) {
  const bool several = take(text, '[');
  const auto first = take_number<std::uint32_t>(text);
  if (!first) return false;
  name.number = *first;
  if (!several) return text.empty();
  const auto last = take(text, ':') ? take_number<std::uint32_t>(text) : first;
  if (!last || text != "]" || *last < *first || *last - *first >= emu::kLanes) return false;
  name.count = *last - *first + 1;
  return true;
}

std::uint32_t vector_number_of(const emu::Program& program, const RegisterName& name) {
  return name.kind == Kind::accumulation ? program.first_agpr + name.number : name.number;
}

/// The names of one dword, for those that have one of their own.
std::string scalar_text(std::uint32_t number, std::uint32_t count) {
  for (const Named& known : kNamed) {
    const RegisterName& name = known.name;
    if (name.kind == Kind::scalar && name.number == number && name.count == count)
      return std::string(known.text);
  }
  return count == 1 ? fmt::format("s{}", number)
                    : fmt::format("s[{}:{}]", number, number + count - 1);
}

}  // namespace

Result<RegisterName> parse_register(std::string_view text) {
  const std::string_view whole = text;
  take(text, '$');
  for (const Named& known : kNamed) {
    if (known.text == text) return known.name;
  }
  RegisterName name;
  const char kind = text.empty() ? ' ' : text.front();
  text.remove_prefix(text.empty() ? 0 : 1);
  name.kind = kind == 's' ? Kind::scalar : kind == 'a' ? Kind::accumulation : Kind::vector;
  if ((kind != 'v' && kind != 's' && kind != 'a') || !parse_numbers(text, name)) {
    return fail(Errc::usage, fmt::format("'{}' is not a register", whole),
                "v3, v[2:3], a0, s4, s[4:5], vcc, exec, m0, scc, mode or pc");
  }
  return name;
}

Result<std::pair<RegisterName, std::string_view>> parse_typed_register(std::string_view text) {
  constexpr std::string_view kTypes[] = {"f32", "f64", "i32", "i64", "u32", "u64", "f16"};
  const std::size_t underscore = text.rfind('_');
  const std::string_view type =
      underscore == std::string_view::npos ? std::string_view() : text.substr(underscore + 1);
  if (std::ranges::find(kTypes, type) != std::end(kTypes))
    return std::pair(TRY(parse_register(text.substr(0, underscore))), type);
  return std::pair(TRY(parse_register(text)), std::string_view());
}

bool is_kernel_name(std::string_view name) {
  if (name == "lane" || name == "wave" || name == "workgroup") return true;
  if (name.starts_with("arg") && whole_number<std::uint32_t>(name.substr(3)).value_or(0) > 0)
    return true;
  return parse_typed_register(name).has_value();
}

std::string to_string(const RegisterName& name) {
  if (name.kind == Kind::scalar) return scalar_text(name.number, name.count);
  if (name.kind == Kind::scc) return "scc";
  if (name.kind == Kind::mode) return "mode";
  if (name.kind == Kind::pc) return "pc";
  const char letter = name.kind == Kind::vector ? 'v' : 'a';
  if (name.count == 1) return fmt::format("{}{}", letter, name.number);
  return fmt::format("{}[{}:{}]", letter, name.number, name.number + name.count - 1);
}

Status check_register(const emu::Program& program, const RegisterName& name) {
  std::uint32_t most = name.number + name.count;
  std::string has;
  const auto special = [&](const Named& known) { return known.name == name; };
  if (name.kind == Kind::scalar && std::ranges::none_of(kNamed, special)) {
    most = kScalars;
    has = "s0 to s101";
  } else if (name.kind == Kind::vector) {
    most = std::min(program.first_agpr, program.vgprs);
    has = fmt::format("v0 to v{}", most - 1);
  } else if (name.kind == Kind::accumulation) {
    most = program.vgprs - std::min(program.first_agpr, program.vgprs);
    has = most == 0 ? "no accumulation registers" : fmt::format("a0 to a{}", most - 1);
  }
  if (name.number + name.count <= most) return {};
  return fail(Errc::not_found, fmt::format("{} has no {}", program.kernel, to_string(name)),
              fmt::format("it has {}", has));
}

std::vector<std::uint32_t> read_register(const emu::Program& program, const emu::Wave& wave,
                                         const RegisterName& name, unsigned lane) {
  if (name.kind == Kind::scc) return {wave.scc ? 1U : 0U};
  if (name.kind == Kind::mode) return {wave.mode};
  if (name.kind == Kind::pc) {
    const std::uint64_t address = wave.pc < program.ops.size() ? program.ops[wave.pc].address : 0;
    return {static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(address >> 32)};
  }
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < name.count; ++i) {
    out.push_back(name.has_lanes() ? wave.vgprs[vector_number_of(program, name) + i].lane[lane]
                                   : wave.sgprs[name.number + i]);
  }
  return out;
}

std::vector<ChangedRegister> changed_registers(const emu::Program& program, const emu::Wave& before,
                                               const emu::Wave& after) {
  std::vector<ChangedRegister> out;
  for (std::uint32_t i = 0; i < std::min(before.vgprs.size(), after.vgprs.size()); ++i) {
    std::uint64_t lanes = 0;
    for (unsigned lane = 0; lane < emu::kLanes; ++lane)
      lanes |= std::uint64_t{before.vgprs[i].lane[lane] != after.vgprs[i].lane[lane]} << lane;
    const bool accumulation = i >= program.first_agpr;
    const RegisterName name{accumulation ? Kind::accumulation : Kind::vector,
                            accumulation ? i - program.first_agpr : i, 1};
    if (lanes != 0) out.push_back({name, lanes});
  }
  for (std::uint32_t i = 0; i < before.sgprs.size(); ++i) {
    if (before.sgprs[i] == after.sgprs[i]) continue;
    const bool paired =
        i == isa::kVccLo || i == isa::kVccLo + 1 || i == isa::kExecLo || i == isa::kExecLo + 1;
    if (paired) {
      const std::uint32_t first = i & ~1U;
      out.push_back({{Kind::scalar, first, 2}, 0});
      i = first + 1;
      continue;
    }
    std::uint32_t count = 1;
    while (i + count < kScalars && before.sgprs[i + count] != after.sgprs[i + count]) ++count;
    out.push_back({{Kind::scalar, i, count}, 0});
    i += count - 1;
  }
  if (before.scc != after.scc) out.push_back({{Kind::scc, 0, 1}, 0});
  if (before.mode != after.mode) out.push_back({{Kind::mode, 0, 1}, 0});
  return out;
}

}  // namespace rpl::debug
