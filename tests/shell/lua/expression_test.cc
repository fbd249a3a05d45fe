// SPDX-License-Identifier: MIT
#include "shell/lua/host.h"

namespace rpl {
namespace {

TEST(Expression, TranslatesVariablesOutsideStringsAndComments) {
  const std::pair<const char*, const char*> cases[] = {
      {"$kernel.name", "rpl.values[\"kernel\"].name"},
      {"$3.rows[1].id", "rpl.values[\"$3\"].rows[1].id"},
      {"$ + $$", "rpl.values[\"$\"] + rpl.values[\"$$\"]"},
      {"$$2", "rpl.values[\"$$2\"]"},
      {"$x = $_a1", "rpl.values[\"x\"] = rpl.values[\"_a1\"]"},
      {"'$x' .. \"$y\" .. [[$z]] .. [==[$w]]$v]==]", "'$x' .. \"$y\" .. [[$z]] .. [==[$w]]$v]==]"},
      {"'a\\'$x' -- $y\n$z", "'a\\'$x' -- $y\nrpl.values[\"z\"]"},
      {"--[[ $x ]] $y", "--[[ $x ]] rpl.values[\"y\"]"},
      {"'open $x", "'open $x"},
      {"$s[4:5] + $v[2:3]", "rpl.values[\"s[4:5]\"] + rpl.values[\"v[2:3]\"]"},
      {"$s[4] $s[a:b] $s[4:] $x[1:2]",
       "rpl.values[\"s\"][4] rpl.values[\"s\"][a:b] rpl.values[\"s\"][4:] rpl.values[\"x\"][1:2]"},
      {"", ""},
  };
  for (const auto& [typed, plain] : cases) EXPECT_EQ(with_variables(typed), plain) << typed;
}

TEST(Expression, KnowsWhatNeedsAnotherLine) {
  for (const char* open : {"for i = 1, 2 do", "x = {1,", "print(", "function f()", "x =", "1 +",
                           "s = [[abc", "--[[ comment", "if $kernel then"}) {
    EXPECT_TRUE(is_incomplete_lua(open)) << open;
  }
  for (const char* closed : {"x = 1", "1 + 1", "", "end", "x = = 2", "for i = 1, 2 do end", "'open",
                             "$kernel.name", "print(1))"}) {
    EXPECT_FALSE(is_incomplete_lua(closed)) << closed;
  }
}

}  // namespace
}  // namespace rpl
