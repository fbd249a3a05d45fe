// SPDX-License-Identifier: MIT
#include "engine/isa/traits/architecture.h"

#include <fmt/format.h>

namespace rpl::isa {

std::string usual_architecture() { return std::string(to_string(kUsualArch)); }

std::optional<Arch> find_architecture(std::string_view name) {
  const auto found = std::ranges::find(kTraits, name, &Traits::name);
  if (found == kTraits.end()) return std::nullopt;
  return static_cast<Arch>(found - kTraits.begin());
}

std::vector<Arch> by_preference() {
  const auto all = architectures();
  std::vector<Arch> out(all.rbegin(), all.rend());
  std::ranges::stable_partition(out, [](Arch arch) { return arch == kUsualArch; });
  return out;
}

std::string architecture_names(std::string_view conjunction, std::string_view prefix) {
  std::string out;
  for (std::size_t i = 0; i < kArchCount; ++i) {
    const std::string_view between = i == 0 ? "" : i + 1 == kArchCount ? conjunction : ", ";
    out += fmt::format("{}{}{}", between, prefix, kTraits[i].name);
  }
  return out;
}

std::string_view first_with(bool Traits::* trait) {
  const auto found = std::ranges::find(kTraits, true, trait);
  return found == kTraits.end() ? std::string_view() : found->name;
}

bool is_rdna(std::string_view target) {
  // Behind the major version are two letters, minor version and stepping: gfx90a, gfx1100.
  constexpr std::string_view kPrefix = "gfx";
  constexpr std::size_t kBehind = 2;
  if (!target.starts_with(kPrefix)) return false;
  const std::string_view version = target.substr(kPrefix.size());
  const std::size_t digits = std::min(version.find_first_not_of("0123456789"), version.size());
  return digits >= 2 && version.size() >= 2 + kBehind;
}

}  // namespace rpl::isa
