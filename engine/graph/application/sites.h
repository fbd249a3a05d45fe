// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/trace/core/trace.h"

namespace rpl::findings {

/// Lines of the program that calls were made from, as findings name them. A function that makes few calls of its own and is called from several places, as the constructor of
/// a buffer is, is a wrapper: the place is then who calls it.
class Sites {
 public:
  /// `table`: null where none was recorded. Borrows it.
  explicit Sites(const CallSiteTable* table);

  /// "main.hip:66 in answer, called from main.hip:89 in main"; without a line table "answer+0x1c of server". "" where it is not known.
  [[nodiscard]] const std::string& text(const ApiCall& call) const;
  [[nodiscard]] const std::string& text(std::uint32_t process, std::uint64_t correlation) const;
  /// Whether the call did what had been done before: copied the bytes that lay there, or loaded code that was loaded. Nothing where that is not known.
  [[nodiscard]] std::optional<bool> again(std::uint32_t process, std::uint64_t correlation) const;

 private:
  const CallSiteTable* table_;
  std::vector<std::string> texts_;  ///< by site
};

}  // namespace rpl::findings
