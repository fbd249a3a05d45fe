// SPDX-License-Identifier: MIT
#include "engine/optimize/rounds/model_prompt.h"

#include <set>
#include <vector>

#include "engine/source/text/kernel_name.h"

namespace rpl {
namespace {

/// A declaration at namespace scope, or one preprocessor line.
struct Piece {
  ByteRange range;
  std::set<std::string_view> declares, uses;
  bool wanted = false;
};

class Pieces {
 public:
  explicit Pieces(const SourceText& source) : source_(source) {}

  std::vector<Piece> all() {
    while (at_ < source_.size()) step();
    return std::move(out_);
  }

 private:
  void step() {
    const SourceToken& token = source_[at_];
    if (token.kind == SourceTokenKind::directive) {
      directive(token);
      begin_ = ++at_;
    } else if (token.is("}")) {
      begin_ = ++at_;
    } else if (token.is(";")) {
      ++at_;
      declaration();
    } else if (token.is("{")) {
      brace();
    } else {
      at_ = token.is("(") || token.is("[") ? source_.after_group(at_) : at_ + 1;
    }
  }

  void brace() {
    const bool is_namespace = source_.is(begin_, "namespace") ||
                              (source_.is(begin_, "inline") && source_.is(begin_ + 1, "namespace"));
    const bool is_linkage = source_.is(begin_, "extern") && at_ == begin_ + 2;
    if (is_namespace || is_linkage) {
      begin_ = ++at_;
      return;
    }
    at_ = source_.after_group(at_);
    // `struct S { … };` and `int x{…};` go on; a function ends here.
    if (source_.is(at_, ";")) ++at_;
    declaration();
  }

  void declaration() {
    Piece piece{.range = {source_[begin_].begin, source_[at_ - 1].end}, .declares = {}, .uses = {}};
    bool at_top = true;
    for (std::size_t i = begin_; i < at_; ++i) {
      if (source_[i].kind != SourceTokenKind::identifier) {
        at_top = at_top && !source_[i].is("{");
        continue;
      }
      piece.uses.insert(source_[i].text);
      for (const char* behind : {"(", "=", "[", "{", ";"}) {
        if (at_top && source_.is(i + 1, behind)) piece.declares.insert(source_[i].text);
      }
    }
    const bool left_out = piece.uses.contains("__global__") || piece.declares.contains("main");
    if (!left_out) out_.push_back(std::move(piece));
    begin_ = at_;
  }

  void directive(const SourceToken& token) {
    constexpr std::string_view kDefine = "define ";
    if (!token.text.starts_with(kDefine)) return;
    Piece piece{.range = {token.begin, token.end}, .declares = {}, .uses = {}};
    const auto letter = [](char c) {
      return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    const std::string_view text = token.text.substr(kDefine.size());
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i;
      while (end < text.size() && letter(text[end])) ++end;
      if (end > i) (i == 0 ? piece.declares : piece.uses).insert(text.substr(i, end - i));
      i = end + 1;
    }
    out_.push_back(std::move(piece));
  }

  const SourceText& source_;
  std::vector<Piece> out_;
  std::size_t at_ = 0, begin_ = 0;
};

bool mentioned(const Piece& piece, const std::set<std::string_view>& names) {
  for (const std::string_view name : piece.declares) {
    if (names.contains(name)) return true;
  }
  return false;
}

void spread(std::vector<Piece>& pieces, std::set<std::string_view> names) {
  for (bool more = true; more;) {
    more = false;
    for (Piece& piece : pieces) {
      if (piece.wanted || !mentioned(piece, names)) continue;
      piece.wanted = more = true;
      names.insert(piece.uses.begin(), piece.uses.end());
    }
  }
}

}  // namespace

Result<KernelText> kernel_text(std::string_view source, std::string_view kernel) {
  const SourceText text(source);
  const SourceDeclarations declared = find_declarations(text);
  const SourceKernel target = TRY(find_target(declared.kernels, kernel));
  std::set<std::string_view> names;
  for (std::size_t i = target.header_begin; i < target.body_close; ++i) {
    if (text[i].kind == SourceTokenKind::identifier) names.insert(text[i].text);
  }
  std::vector<Piece> pieces = Pieces(text).all();
  spread(pieces, names);
  KernelText out;
  out.definition = std::string(source.substr(
      target.header_range.begin, text[target.body_close].end - target.header_range.begin));
  for (const Piece& piece : pieces) {
    if (piece.wanted)
      out.context += std::string(source.substr(piece.range.begin, piece.range.size())) + "\n";
  }
  return out;
}

}  // namespace rpl
