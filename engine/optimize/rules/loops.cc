// SPDX-License-Identifier: MIT
#include "engine/optimize/rules/loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "engine/optimize/rules/catalogue.h"
#include "engine/optimize/rules/effects.h"
#include "engine/optimize/rules/rules.h"

namespace rpl {
namespace {

constexpr int kDeepest = 200;

/// Reads statements, [stmt] in the C++ standard, as far as loops need it: every statement ends where the standard says.
class StatementReader {
 public:
  StatementReader(const SourceText& source, std::size_t end) : source_(source), end_(end) {}

  LoopsFound run(std::size_t begin) {
    block(begin, end_);
    std::ranges::sort(out_.loops, {}, &SourceLoop::keyword);
    return std::move(out_);
  }

 private:
  /// What a `break` or `return` leaves.
  enum class Frame { loop, switched, lambda };
  struct Enclosing {
    Frame frame;
    SourceLoop* loop;
  };

  void block(std::size_t begin, std::size_t end) {
    const std::size_t outer = end_;
    end_ = std::min(end_, end);
    for (std::size_t i = begin; i < end_;) i = statement(i);
    end_ = outer;
  }

  /// Reads one statement; the index behind it, always beyond `i`.
  std::size_t statement(std::size_t i) {
    if (i >= end_) return end_;
    if (++depth_ > kDeepest) {
      out_.too_deep = true;
      --depth_;
      return end_;
    }
    const std::size_t result = std::max(dispatch(i), i + 1);
    --depth_;
    return result;
  }

  std::size_t dispatch(std::size_t i) {
    while (i < end_ && source_[i].kind == SourceTokenKind::directive) ++i;
    if (i >= end_) return end_;
    if (source_.is(i, "{")) return braces(i);
    if (source_.is(i, "if")) return if_statement(i);
    if (source_.is(i, "for")) return loop(i, LoopKind::for_loop);
    if (source_.is(i, "while")) return loop(i, LoopKind::while_loop);
    if (source_.is(i, "do")) return do_loop(i);
    if (source_.is(i, "switch")) return switch_statement(i);
    if (source_.is(i, "else")) return statement(i + 1);
    if (is_label(i)) return i + 2;
    if (source_.is(i, "case")) return after_case(i);
    return simple(i);
  }

  std::size_t after_case(std::size_t i) {
    while (i < end_ && !source_.is(i, ":") && !source_.is(i, ";")) i = source_.after_group(i);
    return std::min(i + 1, end_);
  }

  /// Keywords that no expression holds: before one a macro without a semicolon ended a statement.
  [[nodiscard]] bool starts_statement(std::size_t i) const {
    return source_.is(i, "for") || source_.is(i, "while") || source_.is(i, "do") ||
           source_.is(i, "if") || source_.is(i, "switch");
  }

  [[nodiscard]] bool is_label(std::size_t i) const {
    return source_[i].kind == SourceTokenKind::identifier && source_.is(i + 1, ":");
  }

  std::size_t braces(std::size_t i) {
    const std::size_t after = std::min(source_.after_group(i), end_);
    if (after > i + 1) block(i + 1, after - 1);
    return after;
  }

  /// Behind the head in parentheses that follows a keyword.
  std::size_t after_head(std::size_t i) {
    if (!source_.is(i, "(")) return i;
    const std::size_t after = std::min(source_.after_group(i), end_);
    expression(i + 1, after == i + 1 ? after : after - 1);
    return after;
  }

  std::size_t if_statement(std::size_t i) {
    std::size_t at = i + 1;
    if (source_.is(at, "constexpr")) ++at;
    at = statement(after_head(at));
    return at < end_ && source_.is(at, "else") ? statement(at + 1) : at;
  }

  std::size_t switch_statement(std::size_t i) {
    const std::size_t body = after_head(i + 1);
    enclosing_.push_back({Frame::switched, nullptr});
    const std::size_t after = statement(body);
    enclosing_.pop_back();
    return after;
  }

  SourceLoop started(std::size_t i, LoopKind kind) {
    SourceLoop result;
    result.kind = kind;
    result.keyword = i;
    for (std::size_t at = i; at-- > 0 && source_[at].kind == SourceTokenKind::directive;) {
      result.pragmas.insert(result.pragmas.begin(), at);
    }
    for (const Enclosing& outer : enclosing_) {
      if (outer.frame == Frame::loop) outer.loop->innermost = false;
    }
    return result;
  }

  std::size_t body_of(SourceLoop& loop, std::size_t begin) {
    enclosing_.push_back({Frame::loop, &loop});
    loop.body_begin = begin;
    loop.body_end = statement(begin);
    enclosing_.pop_back();
    return loop.body_end;
  }

  std::size_t loop(std::size_t i, LoopKind kind) {
    SourceLoop result = started(i, kind);
    const std::size_t body = after_head(i + 1);
    result.head_begin = std::min(i + 2, body);
    result.head_end = std::max(result.head_begin, body - 1);
    const std::size_t after = body_of(result, body);
    out_.loops.push_back(std::move(result));
    return after;
  }

  std::size_t do_loop(std::size_t i) {
    SourceLoop result = started(i, LoopKind::do_loop);
    std::size_t at = body_of(result, i + 1);
    if (at < end_ && source_.is(at, "while")) {
      result.head_begin = at + 2;
      at = after_head(at + 1);
      result.head_end = std::max(result.head_begin, at - 1);
      if (at < end_ && source_.is(at, ";")) ++at;
    }
    out_.loops.push_back(std::move(result));
    return at;
  }

  /// An expression or declaration up to its semicolon.
  std::size_t simple(std::size_t i) {
    note_exit(i);
    std::size_t stop = i;
    while (stop < end_ && !source_.is(stop, ";") && !starts_statement(stop)) {
      stop = source_.after_group(stop);
    }
    stop = std::min(stop, end_);
    expression(i, stop);
    return stop < end_ && source_.is(stop, ";") ? stop + 1 : stop;
  }

  /// Braces in an expression hold statements: the body of a lambda. Those of an initializer read as statements too and hold
  /// no loop.
  void expression(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!source_.is(i, "{")) continue;
      enclosing_.push_back({Frame::lambda, nullptr});
      if (++depth_ <= kDeepest) {
        const std::size_t outer = end_;
        end_ = std::min(end_, std::max(end, i + 1));
        i = std::max(braces(i), i + 1) - 1;
        end_ = outer;
      } else {
        out_.too_deep = true;
        i = end;
      }
      --depth_;
      enclosing_.pop_back();
    }
  }

  void note_exit(std::size_t i) {
    const bool breaks = source_.is(i, "break");
    if (!breaks && !source_.is(i, "return") && !source_.is(i, "goto")) return;
    for (auto outer = enclosing_.rbegin(); outer != enclosing_.rend(); ++outer) {
      if (outer->frame == Frame::lambda) return;
      if (outer->frame == Frame::switched) {
        if (breaks) return;
        continue;
      }
      if (outer->loop->early_exit == 0) outer->loop->early_exit = i;
      if (breaks) return;
    }
  }

  const SourceText& source_;
  std::size_t end_;
  LoopsFound out_;
  std::vector<Enclosing> enclosing_;
  int depth_ = 0;
};

}  // namespace

LoopsFound find_loops(const SourceText& source, const SourceKernel& kernel) {
  return StatementReader(source, kernel.body_close).run(kernel.body_open + 1);
}

namespace {

bool is_member_name(const SourceText& text, std::size_t i) {
  return text.is(i - 1, ".") || text.is(i - 1, "->");
}

}  // namespace

std::optional<RuleRefusal> effect_in_loop(const SourceText& text, const SourceLoop& loop,
                                          const Effects& effects) {
  const std::size_t end = std::max(loop.body_end, loop.head_end);
  for (std::size_t i = loop.keyword; i < end && i < text.size(); ++i) {
    const SourceToken& token = text[i];
    if (token.kind != SourceTokenKind::identifier) continue;
    if (is_member_name(text, i) && token.text.find("sync") != token.text.npos &&
        text.is(i + 1, "(")) {
      return RuleRefusal{token.line, fmt::format("the loop holds a barrier: {}", token.text)};
    }
    const EffectOf* effect = effects.find(token.text);
    if (effect == nullptr) continue;
    const bool direct = effect->source == token.text;
    return RuleRefusal{token.line,
                       fmt::format("the loop holds {}: {}{}", to_string(effect->effect), token.text,
                                   direct ? "" : fmt::format(" leads to {}", effect->source))};
  }
  return {};
}

std::optional<RuleRefusal> exit_of_loop(const SourceText& text, const SourceLoop& loop) {
  if (loop.early_exit == 0) return {};
  const SourceToken& exit = text[loop.early_exit];
  return RuleRefusal{exit.line,
                     fmt::format("'{}' leaves the loop before its condition does", exit.text)};
}

/// Names in the condition of a `for` that its body assigns.
std::optional<RuleRefusal> changed_bound_of_loop(const SourceText& text, const SourceLoop& loop) {
  if (loop.kind != LoopKind::for_loop) return {};
  const ByteRange condition = condition_of_loop(text, loop);
  std::set<std::string_view> names;
  for (std::size_t i = condition.begin; i < condition.end; ++i) {
    if (text[i].kind == SourceTokenKind::identifier && !is_member_name(text, i))
      names.insert(text[i].text);
  }
  for (std::size_t at = loop.body_begin; at < loop.body_end; ++at) {
    if (!names.contains(text[at].text) || !is_assigned_at(text, at)) continue;
    return RuleRefusal{
        text[at].line,
        fmt::format("the body changes '{}', on which the number of iterations depends",
                    text[at].text)};
  }
  return {};
}

ByteRange condition_of_loop(const SourceText& text, const SourceLoop& loop) {
  std::size_t begin = loop.head_begin;
  while (begin < loop.head_end && !text.is(begin, ";")) begin = text.after_group(begin);
  std::size_t end = std::min(begin + 1, loop.head_end);
  while (end < loop.head_end && !text.is(end, ";")) end = text.after_group(end);
  return {std::min(begin + 1, end), end};
}

bool is_assigned_at(const SourceText& text, std::size_t i) {
  static constexpr auto kOperators = std::to_array<std::string_view>(
      {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--", "and_eq",
       "or_eq", "xor_eq"});
  const SourceToken& before = text[i - 1];
  if (before.is(".") || before.is("->")) return false;
  if (before.is("++") || before.is("--")) return true;
  std::size_t at = i + 1;
  while (text.is(at, "[")) at = text.after_group(at);
  return at < text.size() && std::ranges::find(kOperators, text[at].text) != kOperators.end();
}

namespace {

constexpr std::string_view kRule = "loop-unroll";
// The compiler's own choice is the baseline; 1 takes it back where it costs registers.
constexpr auto kFactors = std::to_array<int>({2, 4, 8, 1});
// Each edit is a copy of the file.
constexpr std::size_t kMostLoops = 32;

std::string why(int factor) {
  if (factor == 1)
    return "keeps the loop rolled: fewer registers and less code than the compiler's own choice";
  return fmt::format(
      "{} iterations in one: independent loads and arithmetic overlap, less loop overhead", factor);
}

class UnrollRule {
 public:
  UnrollRule(const SourceText& source, const SourceDeclarations& declared,
             const SourceKernel& kernel)
      : source_(source), declared_(declared), kernel_(kernel) {}

  RuleOutcome run() {
    const LoopsFound found = find_loops(source_, kernel_);
    if (found.too_deep) {
      refuse(kernel_.line, "statements are nested too deeply to be read");
      return std::move(out_);
    }
    effects_.emplace(source_, declared_, kernel_);
    if (found.loops.empty())
      refuse(kernel_.line, fmt::format("{} holds no loop", kernel_.qualified));
    std::size_t innermost = 0;
    for (const SourceLoop& loop : found.loops) {
      if (!loop.innermost) continue;
      if (++innermost <= kMostLoops) offer(loop);
    }
    if (innermost > kMostLoops) {
      refuse(kernel_.line, fmt::format("only the first {} of {} innermost loops are tried",
                                       kMostLoops, innermost));
    }
    return std::move(out_);
  }

 private:
  void refuse(std::size_t line, std::string reason) {
    out_.refusals.push_back({line, std::move(reason), std::string(kRule)});
  }
  [[nodiscard]] std::size_t line_at(std::size_t token) const { return source_[token].line; }

  void offer(const SourceLoop& loop) {
    for (const auto& refusal :
         {effect_in_loop(source_, loop, *effects_), exit_of_loop(source_, loop),
          changed_bound_of_loop(source_, loop), foreign_pragma(loop)}) {
      if (refusal) return refuse(refusal->line, refusal->reason);
    }
    for (const int factor : kFactors) {
      const std::string pragma = fmt::format("#pragma unroll {}", factor);
      if (is_already(loop, factor)) continue;
      const std::size_t line = line_at(loop.keyword);
      const std::string title = factor == 1
                                    ? fmt::format("keep the loop in line {} rolled", line)
                                    : fmt::format("unroll the loop in line {} by {}", line, factor);
      out_.edits.push_back(
          {std::string(kRule), factor, line, title, why(factor), patched(loop, pragma)});
    }
  }

  [[nodiscard]] bool is_unroll(std::size_t token) const {
    const std::string_view text = source_[token].text;
    return text == "pragma unroll" || text.starts_with("pragma unroll ") ||
           text == "pragma nounroll";
  }

  [[nodiscard]] std::optional<RuleRefusal> foreign_pragma(const SourceLoop& loop) const {
    for (const std::size_t token : loop.pragmas) {
      if (is_unroll(token)) continue;
      return RuleRefusal{line_at(token),
                         fmt::format("the loop has '#{}' already", source_[token].text)};
    }
    return {};
  }

  [[nodiscard]] bool is_already(const SourceLoop& loop, int factor) const {
    return std::ranges::any_of(loop.pragmas, [&](std::size_t token) {
      const std::string_view text = source_[token].text;
      return text == fmt::format("pragma unroll {}", factor) ||
             text == fmt::format("pragma unroll ( {} )", factor) ||
             (factor == 1 && text == "pragma nounroll");
    });
  }

  /// The file with `pragma` on the loop: in place of the one it has, or on a line of its own before the keyword.
  [[nodiscard]] std::string patched(const SourceLoop& loop, std::string_view pragma) const {
    const std::string text(source_.text());
    if (!loop.pragmas.empty()) {
      const SourceToken& old = source_[loop.pragmas.back()];
      return text.substr(0, old.begin) + std::string(pragma) + text.substr(old.end);
    }
    const std::string_view line_end = text.find("\r\n") != text.npos ? "\r\n" : "\n";
    const std::size_t at = source_[loop.keyword].begin;
    const std::size_t line = text.rfind('\n', at) + 1;
    const std::string indent =
        text.substr(line, std::min(text.find_first_not_of(" \t", line), at) - line);
    const bool first = line + indent.size() == at && !continues(text, line);
    const std::string own_line =
        std::string(pragma) + std::string(line_end) + indent + text.substr(at);
    if (first) return text.substr(0, at) + own_line;
    const std::size_t code_end = text.find_last_not_of(" \t", at - 1) + 1;
    return text.substr(0, code_end) + std::string(line_end) + indent + own_line;
  }

  /// Whether the line that begins at `line` is the second half of a joined one.
  static bool continues(const std::string& text, std::size_t line) {
    if (line < 2) return false;
    const std::size_t last = text.find_last_not_of(" \t\r", line - 2);
    return last != text.npos && text[last] == '\\';
  }

  const SourceText& source_;
  const SourceDeclarations& declared_;
  const SourceKernel& kernel_;
  std::optional<Effects> effects_;  ///< not before statements are known to be nested within reason
  RuleOutcome out_;
};

}  // namespace

RuleOutcome rules::loop_unroll(const KernelCase& on) {
  return UnrollRule(on.text, on.declared, on.kernel).run();
}

Result<RuleOutcome> propose_unroll(std::string_view source, std::string_view kernel) {
  return propose_by_catalogue(source, kernel, {.rule = std::string(kRule)});
}

}  // namespace rpl
