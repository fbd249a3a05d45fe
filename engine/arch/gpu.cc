// SPDX-License-Identifier: MIT
#include "engine/arch/gpu.h"

#include <fmt/format.h>

#include <cmath>

namespace rpl::arch {

std::string_view to_string(Origin origin) {
  switch (origin) {
    case Origin::file:
      return "file";
    case Origin::recording:
      return "recording";
    case Origin::user:
      return "user";
  }
  return "file";
}

void Gpu::put(Fact fact) {
  std::string key = fact.key;
  facts_.insert_or_assign(std::move(key), std::move(fact));
}

const Fact* Gpu::find(std::string_view key) const {
  const auto found = facts_.find(key);
  return found == facts_.end() ? nullptr : &found->second;
}

std::optional<double> Gpu::number(std::string_view key) const {
  const Fact* fact = find(key);
  if (fact == nullptr || !fact->is_number()) return std::nullopt;
  return fact->number;
}

std::optional<std::uint32_t> Gpu::whole(std::string_view key) const {
  const auto value = number(key);
  if (!value || *value < 0 || *value > UINT32_MAX || *value != std::floor(*value))
    return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::string_view Gpu::text(std::string_view key) const {
  const Fact* fact = find(key);
  return fact == nullptr ? std::string_view() : std::string_view(fact->text);
}

std::vector<const Fact*> Gpu::facts() const {
  std::vector<const Fact*> out;
  for (const Key& key : keys()) {
    if (const Fact* fact = find(key.name)) out.push_back(fact);
  }
  return out;
}

std::string Gpu::title() const {
  return product.empty() ? arch : fmt::format("{} ({})", product, arch);
}

std::string source_text(const Fact& fact) {
  return fact.note.empty() ? fact.source : fmt::format("{} ({})", fact.source, fact.note);
}

}  // namespace rpl::arch
