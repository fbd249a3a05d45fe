// SPDX-License-Identifier: MIT
#include "engine/trace/core/damage.h"

#include <algorithm>
#include <utility>

namespace rpl {

void Damage::add(std::string sentence) {
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(found_, sentence) == found_.end()) found_.push_back(std::move(sentence));
}

std::vector<std::string> Damage::list() const {
  const std::lock_guard lock(mutex_);
  return found_;
}

std::size_t Damage::size() const {
  const std::lock_guard lock(mutex_);
  return found_.size();
}

}  // namespace rpl
