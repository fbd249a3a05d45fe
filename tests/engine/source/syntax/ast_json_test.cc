// SPDX-License-Identifier: MIT
// The reader of clang's syntax trees: what it keeps, how it follows lines, and that it survives what is no tree.
#include "engine/source/syntax/kernel_facts.h"

#include <gtest/gtest.h>

namespace rpl {
namespace {

constexpr const char* kTree =
    R"json({"id": "0x1", "kind": "FunctionDecl", "loc": {"offset": 3, "file": "<stdin>", "line": 7, "col": 2},
 "range": {"begin": {"offset": 0, "line": 6}, "end": {"offset": 9, "line": 9}}, "name": "k", "mangledName": "_Z1kv", "type": {"qualType": "T", "desugaredQualType": "void ()"},
 "inner": [{"id": "0x2", "kind": "DeclRefExpr", "range": {"begin": {"spellingLoc": {"line": 2}, "expansionLoc": {"line": 8}}, "end": {}},
   "referencedDecl": {"id": "0x3", "kind": "VarDecl", "name": "a\"b", "type": {"qualType": "int"}}, "other": [1, {"x": "]}"}, null]}, {}]}
{"kind": "VarDecl"})json";

TEST(AstJson, KeepsWhatTheGuardLooksAt) {
  const auto tree = read_ast_json(kTree);
  ASSERT_TRUE(tree.has_value()) << tree.error().message;
  ASSERT_EQ(tree->size(), 2U);
  const AstNode& function = tree->front();
  EXPECT_EQ(function.mangled, "_Z1kv");
  EXPECT_EQ(function.type, "void ()");
  EXPECT_EQ(function.name_line, 7U);
  EXPECT_EQ(function.line, 6U);
  ASSERT_EQ(function.inner.size(), 2U);
  EXPECT_EQ(function.inner[0].referenced_name, "a\"b");
  EXPECT_EQ(function.inner[0].line, 8U) << "the place where the macro is used";
  EXPECT_EQ(tree->back().kind, "VarDecl");
}

TEST(AstJson, RefusesEveryCutOfATree) {
  const std::string whole(kTree);
  const std::size_t first = whole.rfind("\n{");
  for (std::size_t length = 1; length < first; ++length) {
    EXPECT_FALSE(read_ast_json(std::string_view(whole).substr(0, length)).has_value()) << length;
  }
}

TEST(AstJson, RefusesWhatIsNoTree) {
  for (const char* text :
       {"[]", "3", "{\"kind\": 3}", "{\"inner\": {}}", "{\"loc\": {\"line\": \"x\"}}", "{\"a\" 1}",
        "{\"a\": }", "{\"a\": ,}", "}", "{\"inner\": [3]}"}) {
    EXPECT_FALSE(read_ast_json(text).has_value()) << text;
  }
}

TEST(AstJson, IsBoundedInDepth) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "{\"inner\": [";
  const auto tree = read_ast_json(deep);
  ASSERT_FALSE(tree.has_value());
  EXPECT_EQ(tree.error().code, Errc::limit);
  EXPECT_TRUE(read_ast_json("").has_value());
}

}  // namespace
}  // namespace rpl
