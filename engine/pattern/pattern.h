// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace re2 {
class RE2;
}

namespace rpl {

/// A POSIX extended regular expression that somebody typed or a file holds, over texts of others: it is found in time linear in the text, and
/// takes bounded memory, whatever the two are. Also \d, \s, \w and \b. By bytes. Copies share what was compiled.
class Pattern {
 public:
  static constexpr std::size_t kLongest = 1000;

  /// Fails with usage for what is none, what is longer than kLongest bytes, and what repeats so often that it would take megabytes.
  static Result<Pattern> of(std::string_view text);

  /// Whether it is found anywhere in the text.
  [[nodiscard]] bool in(std::string_view text) const;
  /// What its first group is in the leftmost and longest place where it is found; nullopt when it is not, or the group has no part in it.
  [[nodiscard]] std::optional<std::string> first_group(std::string_view text) const;
  [[nodiscard]] int groups() const;

 private:
  std::shared_ptr<const re2::RE2> compiled_;
};

}  // namespace rpl
