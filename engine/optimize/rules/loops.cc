// SPDX-License-Identifier: MIT
#include "engine/optimize/rules/loops.h"

#include <algorithm>

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

}  // namespace rpl
