// SPDX-License-Identifier: MIT
// clang's format is that of clang/lib/AST/JSONNodeDumper.cpp of LLVM 19: places leave out what is the same as at the place printed before, so that
// lines have to be followed in the order of the text.
#include "engine/source/syntax/ast_json.h"

#include <fmt/format.h>

#include "engine/base/numbers.h"

namespace rpl {
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
