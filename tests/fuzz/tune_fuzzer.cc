// SPDX-License-Identifier: MIT
// Any bytes as a space, a constraint or a cache of evaluations: what is read has points that find themselves, and reads again as it was written.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "engine/document/json.h"
#include "engine/tune/search/evaluation.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const rpl::tune::Space& space) {
  require(space.size() > 0 && space.default_point() < space.size());
  const std::size_t last = space.size() - 1;
  require(space.find(space.configuration(last)).value_or(space.size()) == last);
  for (const std::size_t point : space.neighbours(last)) require(point < space.size());
  constexpr std::size_t kSmall = 1000;
  if (space.size() > kSmall) return;
  const auto again = rpl::tune::Space::parse(rpl::to_json(space.to_value()));
  require(again.has_value() && again->digest() == space.digest() &&
          again->default_point() == space.default_point());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rpl::tune;
  // A few bytes can ask for a hundred million combinations, which takes its time and is not a fault.
  constexpr std::size_t kLongest = 4096;
  if (size > kLongest) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto space = Space::parse(text)) check(*space);
  const std::string names[] = {"A", "B"};
  if (const auto constraint = Constraint::parse(text, names)) {
    const rpl::Value a(3), b("text");
    const rpl::Value* const values[] = {&a, &b};
    (void)constraint->holds(values);
  }
  if (const auto file = read_cache(text)) {
    check(file->space);
    for (const Evaluation& one : file->cache.all())
      require(one.point < file->space.size() && (!one.ok || std::isfinite(*one.time_ns())));
    const auto again = read_cache(cache_text(*file).bytes());
    require(again.has_value() && again->cache.size() == file->cache.size());
  }
  return 0;
}
