// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/document/value.h"

namespace rpl {

/// What scripts may listen to (`rpl.on`). A listener's error vetoes what was about to happen.
class Events {
 public:
  using Listener = std::function<Status(const Value& payload)>;

  /// The events that exist, with a sentence each; listening to another name is an error.
  static const std::map<std::string, std::string, std::less<>>& known();

  Status on(std::string_view event, Listener listener);
  /// Calls the listeners in order; the first error stops and is returned.
  Status emit(std::string_view event, const Value& payload) const;
  /// Whether anyone listens.
  [[nodiscard]] bool heard(std::string_view event) const;

 private:
  std::map<std::string, std::vector<Listener>, std::less<>> listeners_;
};

}  // namespace rpl
