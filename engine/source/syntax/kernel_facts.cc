// SPDX-License-Identifier: MIT
#include "engine/source/syntax/kernel_facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

bool ends_with_const_pointee(std::string_view type) {
  const std::size_t star = type.rfind('*');
  if (star == type.npos) return false;
  const std::string_view pointee = type.substr(0, star);
  return pointee.starts_with("const ") || pointee.find(" const") != pointee.npos;
}

bool is_pointer(std::string_view type) {
  return type.find('*') != type.npos || type.ends_with(']');
}

/// Whether an object of this type can change: `const float`, `const __attribute__((…)) float[4]` cannot; a pointer to const can.
bool is_mutable(std::string_view type) {
  const std::size_t star = type.rfind('*');
  if (star != type.npos) return type.find("const", star) == type.npos;
  return !type.starts_with("const ") && type.find(" const") == type.npos;
}

bool is_function(std::string_view kind) {
  return kind == "FunctionDecl" || kind == "CXXMethodDecl" || kind == "CXXConversionDecl" ||
         kind == "CXXConstructorDecl";
}

class FactGatherer {
 public:
  explicit FactGatherer(SyntaxFacts& facts) : facts_(facts) {}

  void run(const AstNode& function) {
    facts_.symbols.insert(function.mangled);
    std::vector<SyntaxFacts::Parameter> parameters;
    for (const AstNode& child : function.inner) {
      if (child.kind != "ParmVarDecl") continue;
      parameters.push_back({child.name, child.type});
      if (is_pointer(child.type)) roots_[child.id] = {child.name};
    }
    if (facts_.parameters.empty()) facts_.parameters = std::move(parameters);
    note_own(function);
    // Twice: an alias may be used, in a loop, before the assignment that makes it one.
    for (int pass = 0; pass < 2; ++pass) visit(function);
  }

 private:
  using Names = std::set<std::string>;

  static void add(SyntaxFacts::Places& places, std::string what, std::uint32_t line) {
    places.try_emplace(std::move(what), line);
  }

  void note_own(const AstNode& node) {
    if (node.kind.ends_with("Decl")) own_.insert(node.id);
    for (const AstNode& child : node.inner) note_own(child);
  }

  void visit(const AstNode& node) {
    if (node.kind == "DeclRefExpr") named(node);
    if (node.kind == "MemberExpr" && node.type == "<bound member function type>") method(node);
    if (node.kind == "VarDecl") variable(node);
    if (node.kind == "GCCAsmStmt" || node.kind == "MSAsmStmt")
      count(facts_.assembly, facts_.assembly_line, node);
    if (node.kind == "GotoStmt" || node.kind == "IndirectGotoStmt")
      count(facts_.jumps, facts_.jump_line, node);
    if (node.kind == "CXXConstCastExpr" || drops_const(node))
      count(facts_.const_casts, facts_.const_cast_line, node);
    if (node.kind == "BinaryOperator" || node.kind == "CompoundAssignOperator") assignment(node);
    if (node.kind == "UnaryOperator" && (node.opcode == "++" || node.opcode == "--") &&
        !node.inner.empty())
      written(node.inner[0], node.line);
    if (node.kind == "CallExpr" || node.kind == "CXXMemberCallExpr" ||
        node.kind == "CXXOperatorCallExpr" || node.kind == "AtomicExpr")
      call(node);
    for (const AstNode& child : node.inner) visit(child);
  }

  void count(std::uint32_t& number, std::uint32_t& line, const AstNode& node) {
    if (!counted_.insert(&node).second) return;
    if (number++ == 0) line = node.line;
  }

  void named(const AstNode& node) {
    if (own_.contains(node.referenced_id)) return;
    if (is_function(node.referenced_kind))
      add(facts_.callees, node.referenced_name + " " + node.referenced_type, node.line);
    if (node.referenced_kind == "VarDecl" && is_mutable(node.referenced_type))
      add(facts_.globals, node.referenced_name, node.line);
  }

  void method(const AstNode& node) {
    const std::string name = node.name.starts_with("->")  ? node.name.substr(2)
                             : node.name.starts_with(".") ? node.name.substr(1)
                                                          : node.name;
    if (!own_.contains(node.referenced_id)) add(facts_.callees, name + " member", node.line);
  }

  void variable(const AstNode& node) {
    if (node.storage == "extern") add(facts_.external, node.name, node.line);
    const bool shared = std::ranges::any_of(
        node.inner, [](const AstNode& child) { return child.kind == "CUDASharedAttr"; });
    if (node.storage == "static" && !shared && is_mutable(node.type))
      add(facts_.static_locals, node.name, node.line);
    if (!is_pointer(node.type) && !node.type.ends_with('&')) return;
    for (const AstNode& child : node.inner) alias(node.id, child);
  }

  static bool drops_const(const AstNode& node) {
    const bool cast = node.kind == "CStyleCastExpr" || node.kind == "CXXReinterpretCastExpr" ||
                      node.kind == "CXXFunctionalCastExpr" || node.kind == "BuiltinBitCastExpr";
    if (!cast || node.inner.empty() || !is_pointer(node.type) || ends_with_const_pointee(node.type))
      return false;
    const AstNode* from = &node.inner.front();
    while (from->kind == "ImplicitCastExpr" && !from->inner.empty()) {
      if (ends_with_const_pointee(from->type)) return true;
      from = &from->inner.front();
    }
    return ends_with_const_pointee(from->type);
  }

  void alias(const std::string& id, const AstNode& value) {
    const Names roots = roots_of(value);
    roots_[id].insert(roots.begin(), roots.end());
  }

  void assignment(const AstNode& node) {
    const bool assigns = node.opcode.ends_with("=") && node.opcode != "==" && node.opcode != "!=" &&
                         node.opcode != "<=" && node.opcode != ">=";
    if (!assigns || node.inner.size() < 2) return;
    written(node.inner[0], node.line);
    const AstNode* target = &node.inner[0];
    while (target->kind == "ParenExpr" && !target->inner.empty()) target = &target->inner.front();
    if (target->kind == "DeclRefExpr" && is_pointer(target->type))
      alias(target->referenced_id, node.inner[1]);
  }

  /// The parameters that a pointer, or an object that a pointer leads to, comes from.
  Names roots_of(const AstNode& node) const {
    if (node.kind == "DeclRefExpr") {
      const auto found = roots_.find(node.referenced_id);
      return found == roots_.end() ? Names() : found->second;
    }
    Names out;
    for (const AstNode& child : node.inner) {
      // Of an element the index leads nowhere, of a sum the number does not; a value that was loaded is no place.
      const bool arithmetic = node.kind == "ArraySubscriptExpr" || node.kind == "BinaryOperator";
      if (arithmetic && !is_pointer(child.type)) continue;
      const Names of_child = roots_of(child);
      out.insert(of_child.begin(), of_child.end());
    }
    return out;
  }

  /// Whether an expression is a place behind a pointer or reference rather than a variable itself.
  static bool is_behind(const AstNode& node) {
    if (node.kind == "ArraySubscriptExpr" || (node.kind == "UnaryOperator" && node.opcode == "*"))
      return true;
    if (node.kind == "MemberExpr" && !node.inner.empty() && is_pointer(node.inner.front().type))
      return true;
    if (node.kind == "DeclRefExpr") return node.referenced_type.ends_with('&');
    return std::ranges::any_of(node.inner, [](const AstNode& child) { return is_behind(child); });
  }

  void written(const AstNode& place, std::uint32_t line) {
    if (!is_behind(place)) return;
    for (const std::string& name : roots_of(place)) add(facts_.written, name, line);
  }

  /// Whoever gets a pointer to something that may change, or such a thing itself, may change it.
  void call(const AstNode& node) {
    const std::size_t first = node.kind == "AtomicExpr" ? 0 : 1;
    for (std::size_t i = first; i < node.inner.size(); ++i) {
      const AstNode& argument = node.inner[i];
      const bool pointer = is_pointer(argument.type) && !ends_with_const_pointee(argument.type);
      const bool place = !is_pointer(argument.type) && argument.value_category == "lvalue" &&
                         is_mutable(argument.type);
      if (!pointer && !(place && is_behind(argument))) continue;
      for (const std::string& name : roots_of(argument)) add(facts_.written, name, node.line);
    }
  }

  SyntaxFacts& facts_;
  std::set<std::string> own_;
  std::set<const AstNode*> counted_;
  std::map<std::string, Names> roots_;
};

bool has_body(const AstNode& node) {
  return std::ranges::any_of(node.inner,
                             [](const AstNode& child) { return child.kind == "CompoundStmt"; });
}

template <class F>
void each_function(const std::vector<AstNode>& nodes, const F& visit) {
  for (const AstNode& node : nodes) {
    if (node.kind == "FunctionDecl") {
      if (has_body(node)) visit(node);
    } else if (node.kind.ends_with("Decl")) {
      each_function(node.inner, visit);
    }
  }
}

}  // namespace

Result<SyntaxFacts> facts_of_kernel(const std::vector<AstNode>& tree, std::string_view name,
                                    std::uint32_t line) {
  SyntaxFacts out;
  each_function(tree, [&](const AstNode& function) {
    if (function.name == name && function.name_line == line) FactGatherer(out).run(function);
  });
  if (!out.symbols.empty()) return out;
  return fail(Errc::not_found,
              fmt::format("the syntax tree has no function {} in line {}", name, line));
}

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::size_t kMostNodes = 2'000'000;
constexpr int kMostDepth = 2000;

class AstReader {
 public:
  explicit AstReader(std::string_view text) : text_(text) {}

  Result<std::vector<AstNode>> run() {
    std::vector<AstNode> out;
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      AstNode node;
      TRY(read_node(node, 0));
      out.push_back(std::move(node));
    }
    return out;
  }

 private:
  [[nodiscard]] Failure bad(std::string_view what) const {
    return fail(Errc::corrupt, fmt::format("the syntax tree is damaged at byte {}: {}", at_, what));
  }
  void skip_blanks() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  /// Calls `value(key)` with the text at each value of an object.
  template <class F>
  Status object(const F& value) {
    if (!take('{')) return bad("no object");
    if (take('}')) return {};
    do {
      std::string key;
      TRY(read_string(key));
      if (!take(':')) return bad("no colon");
      TRY(value(std::string_view(key)));
    } while (take(','));
    return take('}') ? Status() : bad("no end of an object");
  }

  Status read_node(AstNode& node, int depth) {
    if (depth > kMostDepth || ++nodes_ > kMostNodes)
      return fail(Errc::limit, "the syntax tree is too large");
    return object([&](std::string_view key) -> Status {
      if (key == "kind") return read_string(node.kind);
      if (key == "name") return read_string(node.name);
      if (key == "mangledName") return read_string(node.mangled);
      if (key == "id") return read_string(node.id);
      if (key == "castKind") return read_string(node.cast);
      if (key == "opcode") return read_string(node.opcode);
      if (key == "storageClass") return read_string(node.storage);
      if (key == "valueCategory") return read_string(node.value_category);
      if (key == "type") return read_type(node.type);
      if (key == "loc") return read_place(node.name_line, depth);
      if (key == "range") return read_range(node.line, depth);
      if (key == "referencedDecl") return read_reference(node, depth);
      if (key == "referencedMemberDecl") return read_string(node.referenced_id);
      if (key == "inner") return read_children(node, depth);
      return skip(depth);
    });
  }

  Status read_children(AstNode& node, int depth) {
    if (!take('[')) return bad("no list");
    if (take(']')) return {};
    do {
      AstNode child;
      TRY(read_node(child, depth + 1));
      node.inner.push_back(std::move(child));
    } while (take(','));
    return take(']') ? Status() : bad("no end of a list");
  }

  /// Typedefs hide what a type is.
  Status read_type(std::string& out) {
    std::string desugared;
    TRY(object([&](std::string_view key) -> Status {
      if (key == "qualType") return read_string(out);
      if (key == "desugaredQualType") return read_string(desugared);
      return skip(0);
    }));
    if (!desugared.empty()) out = std::move(desugared);
    return {};
  }

  Status read_reference(AstNode& node, int depth) {
    AstNode named;
    TRY(read_node(named, depth + 1));
    node.referenced_id = std::move(named.id);
    node.referenced_kind = std::move(named.kind);
    node.referenced_name = std::move(named.name);
    node.referenced_type = std::move(named.type);
    return {};
  }

  /// Of a macro's expansion the place of the expansion comes last.
  Status read_place(std::uint32_t& out, int depth) {
    if (depth > kMostDepth) return fail(Errc::limit, "the syntax tree is too large");
    TRY(object([&](std::string_view key) -> Status {
      if (key == "line") return read_line();
      if (key == "spellingLoc" || key == "expansionLoc") return read_place(out, depth + 1);
      return skip(depth);
    }));
    out = line_;
    return {};
  }

  Status read_range(std::uint32_t& out, int depth) {
    return object([&](std::string_view key) -> Status {
      std::uint32_t end = 0;
      return read_place(key == "begin" ? out : end, depth);
    });
  }

  Status read_line() {
    skip_blanks();
    std::string_view rest = text_.substr(at_);
    const auto value = take_number<std::uint32_t>(rest);
    if (!value) return bad("no line number");
    at_ = text_.size() - rest.size();
    line_ = *value;
    return {};
  }

  Status read_string(std::string& out) {
    if (!take('"')) return bad("no string");
    out.clear();
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\') {
        if (++at_ >= text_.size()) break;
        const char c = text_[at_];
        // Names and types hold no other escapes that matter: a wrong letter makes two names differ, never equal ones.
        out += c == 'n' ? '\n' : c == 't' ? '\t' : c;
      } else {
        out += text_[at_];
      }
      ++at_;
    }
    return take('"') ? Status() : bad("no end of a string");
  }

  /// Any value, without recursion: only brackets and strings count.
  Status skip(int) {
    skip_blanks();
    std::size_t open = 0;
    std::string ignored;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        TRY(read_string(ignored));
      } else if (c == '{' || c == '[') {
        ++open, ++at_;
      } else if (c == '}' || c == ']') {
        if (open == 0) return bad("no value");
        --open, ++at_;
      } else if (open == 0 && c == ',') {
        return bad("no value");
      } else if (open == 0) {
        while (at_ < text_.size() &&
               std::string_view(",}] \t\r\n").find(text_[at_]) == std::string_view::npos)
          ++at_;
      } else {
        ++at_;
      }
      if (open == 0) return {};
    }
    return bad("it ends early");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t nodes_ = 0;
  std::uint32_t line_ = 0;
};

}  // namespace

Result<std::vector<AstNode>> read_ast_json(std::string_view text) {
  if (text.size() > kMostBytes) return fail(Errc::limit, "the syntax tree is too large");
  return AstReader(text).run();
}

}  // namespace rpl
