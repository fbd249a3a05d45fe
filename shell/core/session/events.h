// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/document/bound.h"

namespace rpl {

/// What the events named *_opened tell.
struct Opened {
  std::string id;
  std::vector<std::string> paths;
};
inline constexpr auto kOpenedFields =
    bound_to<Opened>(column<&Opened::id>("id", "what it is called in this session").as(Type::id),
                     column<&Opened::paths>("paths", "where it was read from"));

/// What scripts may listen to (`rpl.on`). A listener's error vetoes what was about to happen.
class Events {
 public:
  using Listener = std::function<Status(const Value& payload)>;

  /// The events that exist, with a sentence each; listening to another name is an error.
  static const std::map<std::string, std::string, std::less<>>& known();

  Status on(std::string_view event, Listener listener);
  /// Calls the listeners in order; the first error stops and is returned.
  Status emit(std::string_view event, const Value& payload) const;
  Status emit(std::string_view event, const Opened& payload) const {
    return emit(event, to_value(kOpenedFields, payload));
  }
  /// Whether anyone listens.
  [[nodiscard]] bool heard(std::string_view event) const;

 private:
  std::map<std::string, std::vector<Listener>, std::less<>> listeners_;
};

}  // namespace rpl
