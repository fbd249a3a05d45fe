// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

/// A node of a syntax tree, with what the guard looks at.
struct AstNode {
  std::string kind;            ///< "DeclRefExpr"
  std::string name;            ///< of a declaration or member
  std::string mangled;         ///< of a function
  std::string id;              ///< of the declaration, as clang writes it
  std::string type;            ///< without typedefs where clang says so
  std::string cast;            ///< of a cast: "LValueToRValue"
  std::string opcode;          ///< of an operator
  std::string storage;         ///< "static", "extern"
  std::string value_category;  ///< "lvalue", "prvalue"
  std::string referenced_id, referenced_kind, referenced_name,
      referenced_type;          ///< the declaration that is named
  std::uint32_t line = 0;       ///< where it begins, after macros are expanded; 1-based
  std::uint32_t name_line = 0;  ///< of a declaration's name
  std::vector<AstNode> inner;
};

/// Reads what `clang -Xclang -ast-dump=json` prints: one JSON object after the other. The text is read once from begin to end; of each object only
/// the fields above are kept. Fails with corrupt for what is no such text, and with limit beyond 64 MiB, two million nodes or a depth of 2000.
Result<std::vector<AstNode>> read_ast_json(std::string_view text);

}  // namespace rpl
