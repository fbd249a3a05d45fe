// SPDX-License-Identifier: MIT
#include "engine/capture/kerncap.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/document/records.h"

namespace rpl {
namespace {

constexpr const char* kVariablesFile = "module_variables.json";
constexpr std::string_view kVariablesFolder = "module_variables/";

bool is_plain_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

constexpr auto kVariable = bound_to<KerncapVariable>(
    column<&KerncapVariable::name>("name"), column<&KerncapVariable::size>("size"),
    column<&KerncapVariable::file>("blob"),
    column<&KerncapVariable::executable_sha256>("executable_sha256").or_absent());

struct VariablesFile {
  std::vector<KerncapVariable> variables;
};

struct MetadataFile {
  std::string hsaco_sha256;
};
constexpr auto kMetadata =
    bound_to<MetadataFile>(column<&MetadataFile::hsaco_sha256>("hsaco_sha256").or_absent());

}  // namespace

Columns<KerncapVariable> bound(const KerncapVariable*) { return kVariable; }

Result<std::vector<KerncapVariable>> read_kerncap_variables(std::string_view text) {
  constexpr auto kFile = bound_to<VariablesFile>(column<&VariablesFile::variables>("variables"));
  VariablesFile out = TRY(from_value(kFile, TRY(parse_file(text, kVariablesFile)), kVariablesFile));
  for (std::size_t i = 0; i < out.variables.size(); ++i) {
    const std::string_view file = out.variables[i].file;
    if (!file.starts_with(kVariablesFolder) ||
        !is_plain_name(file.substr(kVariablesFolder.size()))) {
      return fail(Errc::corrupt, fmt::format("{}: variables[{}].blob: expected a file of {}",
                                             kVariablesFile, i, kVariablesFolder));
    }
  }
  return std::move(out.variables);
}

Result<std::string> read_kerncap_code_hash(std::string_view text) {
  constexpr std::string_view kPlace = "metadata.json";
  return TRY(from_value(kMetadata, TRY(parse_file(text, kPlace)), kPlace)).hsaco_sha256;
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
