// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "engine/base/result.h"

namespace rpl {

/// Which kernels to capture: a mangled name, a part of a name as in the source, or a /regular expression/ (POSIX extended) that finds one
/// in such a name.
class KernelPattern {
 public:
  /// Fails with usage for what is not a regular expression.
  static Result<KernelPattern> of(const std::string& text);
  [[nodiscard]] bool names(const std::string& mangled) const;

 private:
  std::string text_;
  std::shared_ptr<void> regex_;  ///< compiled; null for a plain text
};

}  // namespace rpl
