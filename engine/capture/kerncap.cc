// SPDX-License-Identifier: MIT
#include "engine/capture/kerncap.h"

#include <algorithm>
#include <limits>

#include "engine/capture/json_fields.h"
#include "engine/document/json_parse.h"

namespace rpl {
namespace {

constexpr const char* kVariablesFile = "module_variables.json";
constexpr std::string_view kVariablesFolder = "module_variables/";

bool is_plain_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

}  // namespace

Result<std::vector<KerncapVariable>> read_kerncap_variables(std::string_view text) {
  auto parsed = parse_json(text);
  if (!parsed) return Failure(std::move(parsed).error().in(kVariablesFile));
  const JsonFields fields = TRY(JsonFields::of(*parsed, kVariablesFile));
  const List* rows = TRY(fields.list("variables"));
  std::vector<KerncapVariable> out;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const JsonFields row = TRY(JsonFields::of((*rows)[i], fields.element("variables", i)));
    KerncapVariable variable;
    variable.name = TRY(row.text("name"));
    variable.size = TRY(row.number("size", std::numeric_limits<std::uint32_t>::max()));
    variable.file = TRY(row.text("blob"));
    if (row.find("executable_sha256") != nullptr)
      variable.executable_sha256 = TRY(row.text("executable_sha256"));
    const bool below = variable.file.starts_with(kVariablesFolder);
    if (!below || !is_plain_name(std::string_view(variable.file).substr(kVariablesFolder.size()))) {
      return row.error("blob", "names no file of module_variables/");
    }
    out.push_back(std::move(variable));
  }
  return out;
}

Result<std::string> read_kerncap_code_hash(std::string_view text) {
  constexpr const char* kPlace = "metadata.json";
  auto parsed = parse_json(text);
  if (!parsed) return Failure(std::move(parsed).error().in(kPlace));
  const JsonFields fields = TRY(JsonFields::of(*parsed, kPlace));
  if (fields.find("hsaco_sha256") == nullptr) return std::string();
  return fields.text("hsaco_sha256");
}

std::uint64_t free_load_base(const std::vector<CapturedRegion>& regions, std::uint64_t bytes) {
  // A distance that no rounding to pages or to 2 MiB allocations crosses.
  constexpr std::uint64_t kFirst = std::uint64_t{1} << 32, kApart = std::uint64_t{2} << 20;
  std::uint64_t base = kFirst;
  for (const CapturedRegion& region : regions) {
    if (region.base >= base + bytes + kApart) break;
    base = std::max(base, (region.base + region.size + 2 * kApart) / kApart * kApart);
  }
  return base;
}

}  // namespace rpl
