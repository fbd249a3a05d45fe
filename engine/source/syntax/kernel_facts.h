// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
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

/// What a compiler's syntax tree says of one kernel, macros expanded and names resolved. Of a template: of its pattern and all its instances together.
struct SyntaxFacts {
  struct Parameter {
    std::string name, type;
    [[nodiscard]] bool operator==(const Parameter&) const = default;
  };
  using Places = std::map<std::string, std::uint32_t>;  ///< what, and the line of its first place

  std::set<std::string> symbols;      ///< mangled
  std::vector<Parameter> parameters;  ///< of the first of these functions
  Places
      callees;  ///< "fmaxf float (float, float)": functions called or named that the kernel does not define itself
  Places globals;  ///< variables from outside that may change: "table"
  Places static_locals;
  Places external;  ///< extern declarations in the body: dynamic LDS
  Places
      written;  ///< pointer parameters through which something is stored or passed on to be stored
  std::uint32_t assembly = 0, jumps = 0, const_casts = 0;               ///< how many
  std::uint32_t assembly_line = 0, jump_line = 0, const_cast_line = 0;  ///< of the first one
};

/// Gathers the facts of the functions called `name` whose name stands in line `line`. Fails with not_found when the tree has none with a body.
Result<SyntaxFacts> facts_of_kernel(const std::vector<AstNode>& tree, std::string_view name,
                                    std::uint32_t line);

}  // namespace rpl
