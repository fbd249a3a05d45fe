// SPDX-License-Identifier: MIT
#include "engine/trace/core/tuple_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace rpl {
namespace {

using Table = TupleTable<3>;

TEST(TupleTable, FindsWhatAMapFinds) {
  Table table;
  std::map<Table::Key, std::uint32_t> wanted;
  std::mt19937_64 random(1);
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    // Few distinct words, so that keys differ in one of them only and half of them are known already.
    const Table::Key key{random() % 8, (random() % 200) << 32, random() % 10};
    const std::uint32_t* found = table.find(key);
    const auto known = wanted.find(key);
    ASSERT_EQ(found != nullptr, known != wanted.end());
    if (found != nullptr) {
      ASSERT_EQ(*found, known->second);
      continue;
    }
    table.insert(key, 7 * i);
    wanted.emplace(key, 7 * i);
  }
  ASSERT_GT(wanted.size(), 4096U);
  for (const auto& [key, value] : wanted) ASSERT_EQ(*table.find(key), value);
}

}  // namespace
}  // namespace rpl
