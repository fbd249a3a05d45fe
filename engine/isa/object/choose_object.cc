// SPDX-License-Identifier: MIT
#include "engine/isa/object/choose_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "engine/base/numbers.h"
#include "engine/isa/traits/architecture.h"

namespace rpl::isa {
namespace {

bool is_known(const Embedded& object) {
  return object.triple.empty() || find_architecture(object.target());
}

std::string listing(const std::vector<Embedded>& all) {
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), kShown); ++i) {
    text += fmt::format("{}#{} {}", i == 0 ? "" : ", ", i + 1,
                        all[i].triple.empty() ? "a plain code object" : all[i].target());
  }
  return all.size() > kShown ? fmt::format("{} and {} more", text, all.size() - kShown) : text;
}

}  // namespace

std::pair<std::string, std::string> split_choice(const std::string& path) {
  const auto hash = path.rfind('#');
  std::error_code ignored;
  if (hash == std::string::npos || std::filesystem::exists(path, ignored)) return {path, {}};
  return {path.substr(0, hash), path.substr(hash + 1)};
}

Result<std::vector<Embedded>> chosen_objects(std::vector<Embedded> all, std::string_view which) {
  if (const auto number = whole_number<std::size_t>(which)) {
    if (*number < 1 || *number > all.size())
      return fail(Errc::not_found, fmt::format("no code object #{} in the file", which),
                  "it has " + listing(all));
    return std::vector<Embedded>{std::move(all[*number - 1])};
  }
  std::string target(which);
  if (target.empty()) {
    const auto first = std::ranges::find_if(all, is_known);
    if (first != all.end()) target = first->target();
  }
  std::vector<Embedded> chosen;
  std::ranges::copy_if(all, std::back_inserter(chosen), [&](const Embedded& object) {
    return is_known(object) && (object.triple.empty() || object.target() == target);
  });
  if (chosen.empty())
    return fail(Errc::not_found,
                fmt::format("no code for {} in the file",
                            which.empty() ? architecture_names() : std::string(which)),
                "it has " + listing(all));
  return chosen;
}

}  // namespace rpl::isa
