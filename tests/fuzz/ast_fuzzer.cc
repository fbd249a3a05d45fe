// SPDX-License-Identifier: MIT
// Hostile syntax trees: the reader ends, and what it read can be searched for facts and compared with itself.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engine/source/syntax/check_syntax.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto tree = rpl::read_ast_json(text);
  if (!tree) return 0;
  const auto facts = rpl::facts_of_kernel(*tree, "k", 7);
  if (!facts) return 0;
  if (!rpl::compare_syntax(*facts, *facts, {}).empty()) std::abort();
  (void)rpl::compare_syntax({}, *facts, {});
  return 0;
}
