// SPDX-License-Identifier: MIT
// Any bytes as a profile document: what is taken compares with itself without a difference, and its leaves are what find() finds.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engine/metrics/diagnose/profile_document.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rpl::diagnose;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(may_be_profile(text));
  const auto profile = parse_profile(text, "fuzz.json");
  if (!profile) {
    require(!profile.error().message.empty());
    return 0;
  }
  require(profile->version.starts_with("1"));
  for (const auto& [leaf, value] : profile->leaves)
    require(!value.is_null() && profile->find(leaf) != nullptr);
  require(differences(*profile, *profile).empty());
  require(!comparison_notes(*profile, *profile).empty());
  return 0;
}
