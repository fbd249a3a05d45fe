// SPDX-License-Identifier: MIT
#include "shell/reference/manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "engine/device/execute/launch/coverage.h"
#include "engine/isa/traits/architecture.h"

namespace rpl {
namespace {

using Coverage = std::map<std::string, emu::Covered>;
using isa::Encoding;

struct Section {
  const char* title;
  std::vector<Encoding> encodings;
};

const std::vector<Section>& coverage_sections() {
  static const std::vector<Section> all = {
      {"Scalar", {Encoding::sop1, Encoding::sop2, Encoding::sopc, Encoding::sopk, Encoding::sopp}},
      {"Scalar memory", {Encoding::smem}},
      {"Vector", {Encoding::vop1, Encoding::vop2, Encoding::vop3}},
      {"Vector comparisons", {Encoding::vopc}},
      {"Packed and matrix", {Encoding::vop3p, Encoding::vop3px}},
      {"LDS", {Encoding::ds}},
      {"Flat, global and scratch memory", {Encoding::flat, Encoding::global, Encoding::scratch}},
      {"Buffers", {Encoding::mubuf, Encoding::mtbuf}}};
  return all;
}

bool is_in(const Section& section, const emu::Covered& covered) {
  return std::ranges::find(section.encodings, covered.encoding) != section.encodings.end();
}

/// How many mnemonics `arch` has, and how many of each fidelity.
struct MnemonicCounts {
  std::size_t all = 0;
  std::array<std::size_t, 3> by_fidelity{};
};

MnemonicCounts counted(const Coverage& coverage, isa::Arch arch, const Section* section) {
  MnemonicCounts result;
  for (const auto& [name, covered] : coverage) {
    const auto& fidelity = covered.on(arch);
    if (!fidelity || (section != nullptr && !is_in(*section, covered))) continue;
    ++result.all;
    ++result.by_fidelity[static_cast<std::size_t>(*fidelity)];
  }
  return result;
}

std::string coverage_row(const Coverage& coverage, const char* title, const Section* section) {
  std::string row = fmt::format("| {} |", title);
  for (const isa::Arch arch : isa::architectures()) {
    const MnemonicCounts c = counted(coverage, arch, section);
    row += fmt::format(" {} | {} | {} | {} |", c.all, c.by_fidelity[0], c.by_fidelity[1],
                       c.by_fidelity[2]);
  }
  return row + '\n';
}

/// The name if it has `fidelity` anywhere, marked where that does not hold for all architectures.
std::string name_in(const std::string& name, const emu::Covered& covered, emu::Fidelity fidelity) {
  std::vector<std::string_view> where;
  for (const isa::Arch arch : isa::architectures()) {
    if (covered.on(arch) == fidelity) where.push_back(isa::to_string(arch));
  }
  if (where.empty()) return {};
  const bool everywhere = where.size() == isa::kArchCount;
  return fmt::format("`{}`{}", name,
                     everywhere ? "" : fmt::format(" ({})", fmt::join(where, ", ")));
}

std::string names_of(const Coverage& coverage, const Section& section, emu::Fidelity fidelity) {
  std::vector<std::string> names;
  for (const auto& [name, covered] : coverage) {
    if (!is_in(section, covered)) continue;
    const std::string text = name_in(name, covered, fidelity);
    if (!text.empty()) names.push_back(text);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

using Reasons = std::string_view (*)(std::string_view name);

/// Those that share a reason stand together; those that have none are not in the list.
std::string reason_list(const Coverage& coverage, const Section& section, emu::Fidelity fidelity,
                        std::string_view title, Reasons reason_of) {
  std::map<std::string_view, std::vector<std::string>> names;
  for (const auto& [name, covered] : coverage) {
    const std::string_view why = reason_of(name);
    if (!is_in(section, covered) || why.empty()) continue;
    const std::string text = name_in(name, covered, fidelity);
    if (!text.empty()) names[why].push_back(text);
  }
  std::string text = names.empty() ? "" : fmt::format("\n{}:\n\n", title);
  for (const auto& [why, list] : names)
    text += fmt::format("- {}: {}\n", fmt::join(list, ", "), why);
  return text;
}

std::string section_text(const Coverage& coverage, const Section& section) {
  std::string text = fmt::format("\n## {}\n", section.title);
  const std::string exact = names_of(coverage, section, emu::Fidelity::exact);
  if (!exact.empty()) text += fmt::format("\nExact: {}.\n", exact);
  text +=
      reason_list(coverage, section, emu::Fidelity::exact,
                  "Of the exact ones MMA-Sim (arXiv 2511.10909), which they follow, leaves open",
                  emu::what_is_open);
  text += reason_list(coverage, section, emu::Fidelity::approximate, "Approximate",
                      emu::why_approximate);
  text += reason_list(coverage, section, emu::Fidelity::unsupported, "Unsupported",
                      emu::why_unsupported);
  return text;
}

}  // namespace

std::string instruction_page() {
  const Coverage coverage = emu::instruction_coverage();
  std::string text =
      "# Instructions that the emulated devices execute\n\n"
      "Generated by `rpl maint instructions` from the tables of the decoder and of the emulator. "
      "Every mnemonic of " +
      isa::architecture_names(" and ") +
      "\nthat LLVM 19 knows, or 22 where 19 does not know the architecture, without `_e32` and "
      "`_e64`. Approximate ones may differ from the "
      "hardware in the last bits, for the reason beside them; a run stops\n"
      "at an unsupported one and says where; why it has no semantics stands beside it. A modifier "
      "that has no meaning to the emulator makes any instruction unsupported; those\n"
      "that clang emits all have one.\n\n"
      "|";
  for (const isa::Arch arch : isa::architectures())
    text += fmt::format(" | {} | exact | approximate | unsupported", isa::to_string(arch));
  text += " |\n|---|";
  for (std::size_t i = 0; i < isa::kArchCount; ++i) text += "---|---|---|---|";
  text += '\n';
  for (const Section& section : coverage_sections())
    text += coverage_row(coverage, section.title, &section);
  text += coverage_row(coverage, "all", nullptr);
  for (const Section& section : coverage_sections()) text += section_text(coverage, section);
  return text;
}

}  // namespace rpl
