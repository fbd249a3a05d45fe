// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/hsa/api.h"

namespace rpl {

/// Calls of the HSA runtime that say by name what failed, and for what.
class HsaCalls {
 public:
  /// Told before each call, so that who watches from outside knows where a call hangs or ends the process.
  using Stage = std::function<void(std::string_view function, std::string_view about)>;

  explicit HsaCalls(const hsa::Api& functions, Stage stage = {})
      : api(functions), stage_(std::move(stage)) {}

  /// Fails with io: "hsa_amd_vmem_map of argument 1 (4096 bytes at 0x7f0000000000) failed with HSA_STATUS_ERROR".
  template <class... In, class... Given>
  Status call(const hsa::Function<hsa::Status(In...)>& function, std::string_view about,
              Given... given) {
    enter(function.name, about);
    return check(function.name, about, function.call(given...));
  }

  /// To give something back: a failure is tried again, and does not stop what else is given back.
  template <class... In, class... Given>
  void release(const hsa::Function<hsa::Status(In...)>& function, std::string_view about,
               Given... given) {
    enter(function.name,
          failure_.empty() ? std::string(about) : fmt::format("{}, after: {}", about, failure_));
    auto status = check(function.name, about, function.call(given...));
    if (status) return;
    troubles_.push_back(status.error().message);
    if (auto again = check(function.name, about, function.call(given...)); !again)
      troubles_.push_back("and again: " + again.error().message);
  }

  void enter(std::string_view function, std::string_view about) const {
    if (stage_) stage_(function, about);
  }
  /// What ended the work: said along with where giving back hangs or ends the process.
  void remember(const std::string& failure) { failure_ = failure; }
  /// What could not be given back.
  [[nodiscard]] const std::vector<std::string>& troubles() const { return troubles_; }

  const hsa::Api& api;

 private:
  static Status check(std::string_view function, std::string_view about, hsa::Status status) {
    if (status == hsa::Status::success) return {};
    return fail(Errc::io,
                fmt::format("{} of {} failed with {}", function, about, hsa::name_of(status)));
  }

  Stage stage_;
  std::string failure_;
  std::vector<std::string> troubles_;
};

}  // namespace rpl
