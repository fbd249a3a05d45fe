// SPDX-License-Identifier: MIT
#include "engine/optimize/rules/lane_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/optimize/rules/effects.h"
#include "engine/optimize/rules/loop_facts.h"
#include "engine/optimize/rules/loops.h"

namespace rpl::rules {
namespace {

constexpr std::int64_t kMostOfArray = 64;  ///< of an array of registers

/// Where the statement that holds token `i` ends: its semicolon.
std::size_t semicolon_behind(const SourceText& text, std::size_t i, std::size_t limit) {
  while (i < limit && !text.is(i, ";")) i = text.after_group(i);
  return i;
}

std::size_t occurrences(const SourceText& text, std::string_view name, std::size_t begin,
                        std::size_t end) {
  return uses_of(text, name, begin, end).size();
}

class LoopReader {
 public:
  LoopReader(const KernelCase& on, const SourceLoop& loop,
             const std::vector<ElementPointer>& pointers)
      : on_(on), text_(on.text), loop_(loop), pointers_(pointers) {}

  LaneLoop read() {
    out_.loop = &loop_;
    out_.stores = stores_in(on_, pointers_, loop_.body_begin, loop_.body_end);
    const auto shape = counted(text_, loop_);
    if (!shape) {
      out_.changes_outer = assigns_outer();
      return refused("it does not count up by one to a limit");
    }
    out_.shape = *shape;
    if (!read_names()) out_.changes_outer = true;
    if (out_.why_not.empty()) check_head();
    if (out_.why_not.empty()) check_memory();
    return std::move(out_);
  }

 private:
  LaneLoop refused(std::string why) {
    out_.why_not = std::move(why);
    return std::move(out_);
  }

  void check_head() {
    const Effects effects(text_, on_.declared, on_.kernel);
    for (const auto& refusal : {effect_in_loop(text_, loop_, effects), exit_of_loop(text_, loop_),
                                changed_bound_of_loop(text_, loop_)}) {
      if (refusal && out_.why_not.empty()) out_.why_not = refusal->reason;
    }
    if (const auto call = unknown_call(on_, loop_.body_begin, loop_.body_end);
        out_.why_not.empty() && !call.empty())
      out_.why_not = fmt::format("'{}' may do more than compute a value", call);
    const CountedLoop& shape = out_.shape;
    if (out_.why_not.empty() && (!is_plain_arithmetic(text_, shape.first.begin, shape.first.end) ||
                                 !is_plain_arithmetic(text_, shape.limit.begin, shape.limit.end)))
      out_.why_not = "begin and limit of the loop are more than names and numbers";
  }

  /// Every name that the body assigns is one of its own, an element of memory, or something that turns add to. False where something else exists outside.
  bool read_names() {
    std::map<std::string_view, bool> seen;
    for (std::size_t i = loop_.body_begin; i < loop_.body_end; ++i) {
      if (text_[i].kind != SourceTokenKind::identifier || !is_assigned_at(text_, i)) continue;
      const std::string_view name = text_[i].text;
      if (seen.contains(name) || is_of_memory(name) || is_own(name)) continue;
      seen[name] = true;
      if (name == out_.shape.counter) return says(fmt::format("the body changes '{}'", name));
      auto found = accumulator(name);
      if (!found)
        return says(
            fmt::format("turns hand '{}' on to each other, and not as a sum, product or "
                        "extreme",
                        name));
      out_.accumulators.push_back(std::move(*found));
    }
    // An array of registers must not be asked for an element that only the lane knows.
    for (std::size_t i = loop_.body_begin; i + 1 < loop_.body_end; ++i) {
      if (!text_.is(i + 1, "[") || text_[i].kind != SourceTokenKind::identifier) continue;
      if (elements_of(on_, text_[i].text) == 0) continue;
      const std::size_t close = text_.partner(i + 1);
      if (close != kNoToken && occurrences(text_, out_.shape.counter, i + 2, close) > 0)
        return says(fmt::format("'{}' is an array of registers, of which each lane would want "
                                "another element",
                                text_[i].text),
                    true);
    }
    return true;
  }

  bool says(std::string why, bool result = false) {
    if (out_.why_not.empty()) out_.why_not = std::move(why);
    return result;
  }

  [[nodiscard]] bool is_of_memory(std::string_view name) const {
    return std::ranges::find(pointers_, name, &ElementPointer::name) != pointers_.end();
  }
  [[nodiscard]] bool is_own(std::string_view name) const {
    return declarations_in(text_, name, loop_.body_begin, loop_.body_end) > 0;
  }
  [[nodiscard]] bool assigns_outer() const {
    for (std::size_t i = loop_.body_begin; i < loop_.body_end; ++i) {
      if (text_[i].kind == SourceTokenKind::identifier && is_assigned_at(text_, i) &&
          !is_of_memory(text_[i].text) && !is_own(text_[i].text))
        return true;
    }
    return false;
  }

  [[nodiscard]] bool begins_statement(std::size_t i) const {
    const SourceToken& before = text_[i - 1];
    return before.is(";") || before.is("{") || before.is("}") || before.is(")") ||
           before.is("else") || before.kind == SourceTokenKind::directive;
  }

  /// What a name is when every use of it in the loop adds to it.
  [[nodiscard]] std::optional<Accumulator> accumulator(std::string_view name) const {
    std::optional<Accumulator> out;
    for (const NameUse& use : uses_of(text_, name, loop_.head_begin, loop_.body_end)) {
      if (out && std::ranges::find(out->uses, use.token) != out->uses.end()) continue;
      auto step = step_at(name, use);
      if (!step) return std::nullopt;
      if (!out) {
        out = std::move(*step);
        continue;
      }
      if (out->kind != step->kind || out->function != step->function ||
          out->elements != step->elements)
        return std::nullopt;
      out->uses.insert(out->uses.end(), step->uses.begin(), step->uses.end());
    }
    return out;
  }

  [[nodiscard]] std::optional<Accumulator> step_at(std::string_view name,
                                                   const NameUse& use) const {
    Accumulator out{.name = name, .uses = {use.token}};
    if (use.subscripts > 1) return std::nullopt;
    if (use.subscripts == 1) {
      out.elements = elements_of(on_, name, &out.element);
      if (out.elements == 0 || bytes_of(out.element) == 0) return std::nullopt;
    }
    const bool stepped = text_.is(use.token - 1, "++") || text_.is(use.end, "++");
    if (stepped)
      return begins_statement(text_.is(use.end, "++") ? use.token : use.token - 1)
                 ? std::optional(out)
                 : std::nullopt;
    if (!begins_statement(use.token)) return std::nullopt;
    const std::size_t end = semicolon_behind(text_, use.end, loop_.body_end);
    const std::size_t others = occurrences(text_, name, use.end, end);
    if (text_.is(use.end, "+=") || text_.is(use.end, "-="))
      return others == 0 ? std::optional(out) : std::nullopt;
    if (text_.is(use.end, "*=") && out.elements == 0) {
      out.kind = Accumulator::Kind::product;
      return others == 0 ? std::optional(out) : std::nullopt;
    }
    if (!text_.is(use.end, "=") || others != 1 || out.elements != 0) return std::nullopt;
    return reassigned(std::move(out), use.end + 1, end);
  }

  /// `sum = sum + x;` and `most = fmaxf(most, x);`
  [[nodiscard]] std::optional<Accumulator> reassigned(Accumulator out, std::size_t begin,
                                                      std::size_t end) const {
    if (text_.is(begin, out.name) && text_.is(begin + 1, "+")) {
      // What follows is added as a whole only where no weaker operator comes behind.
      for (std::size_t i = begin + 2; i < end; i = text_.after_group(i)) {
        for (const std::string_view weak : {"?", "<", ">", "&", "|", "^", "==", "<<", ","}) {
          if (text_.is(i, weak)) return std::nullopt;
        }
      }
      out.uses.push_back(begin);
      return out;
    }
    constexpr std::string_view kExtremes[] = {"fmaxf", "fmax", "max", "fminf", "fmin", "min"};
    const bool known = std::ranges::find(kExtremes, text_[begin].text) != std::end(kExtremes) &&
                       text_.is(begin + 1, "(") && text_.partner(begin + 1) == end - 1;
    if (!known) return std::nullopt;
    out.kind = Accumulator::Kind::extreme;
    out.function = text_[begin].text;
    const std::size_t open = begin + 1, close = end - 1;
    if (text_.is(open + 1, out.name) && text_.is(open + 2, ",")) {
      out.uses.push_back(open + 1);
    } else if (text_.is(close - 1, out.name) && text_.is(close - 2, ",")) {
      out.uses.push_back(close - 1);
    } else {
      return std::nullopt;
    }
    return out;
  }

  /// Each turn stores to elements of its own, and reads no other's.
  void check_memory() {
    for (const ElementPointer& pointer : pointers_) {
      std::optional<std::string> stored;
      const auto uses = uses_of(text_, pointer.name, loop_.body_begin, loop_.body_end);
      for (const NameUse& use : uses) {
        if (use.kind == UseKind::read) continue;
        if (use.kind == UseKind::bare || use.kind == UseKind::address) {
          if (out_.stores) says(fmt::format("'{}' is used without an element", pointer.name));
          continue;
        }
        const auto index = element_of_turn(use);
        if (!index || (stored && *stored != *index)) {
          says(fmt::format("'{}' is stored to at more than the counter of the loop", pointer.name));
          return;
        }
        stored = index;
      }
      if (!stored) continue;
      for (const NameUse& use : uses) {
        if (use.kind == UseKind::read && index_text(use) != *stored)
          says(fmt::format("'{}' is read at another element than it is stored to", pointer.name));
      }
      check_apart(pointer, *stored);
    }
  }

  void check_apart(const ElementPointer& stored, const std::string& index) {
    for (const ElementPointer& other : pointers_) {
      if (other.name == stored.name) continue;
      for (const NameUse& use : uses_of(text_, other.name, loop_.body_begin, loop_.body_end)) {
        // The same element of two pointers is one turn's, even where both are one.
        if (use.kind == UseKind::read && index_text(use) == index) continue;
        if (other.base == stored.base)
          says(fmt::format("'{}' and '{}' lead into the same memory", stored.name, other.name));
        else if (std::string why = not_shown_apart(on_, stored, other); why.empty())
          out_.apart.push_back(fmt::format("only {} shows that '{}' and '{}' lie apart",
                                           on_.launches->capture, stored.name, other.name));
        else
          says(std::move(why));
        break;
      }
    }
  }

  [[nodiscard]] std::string index_text(const NameUse& use) const {
    std::string out;
    if (use.subscripts != 1) return "?";
    for (const std::string_view word : text_.words(use.token + 2, use.end - 1))
      out += std::string(word) + " ";
    return out;
  }

  /// The subscript, when the counter is added in it once: another element in every turn.
  [[nodiscard]] std::optional<std::string> element_of_turn(const NameUse& use) const {
    if (use.subscripts != 1) return std::nullopt;
    const std::size_t begin = use.token + 2, end = use.end - 1;
    const std::string_view counter = out_.shape.counter;
    if (!is_plain_arithmetic(text_, begin, end) || occurrences(text_, counter, begin, end) != 1)
      return std::nullopt;
    const bool alone = end == begin + 1;
    const bool last = text_.is(end - 1, counter) && end >= begin + 2 && text_.is(end - 2, "+");
    const bool first = text_.is(begin, counter) && text_.is(begin + 1, "+");
    if (!alone && !last && !first) return std::nullopt;
    // What is added must not change from turn to turn.
    for (std::size_t i = begin; i < end; ++i) {
      if (text_[i].kind != SourceTokenKind::identifier || text_.is(i, counter)) continue;
      if (is_own(text_[i].text)) return std::nullopt;
    }
    if (names_change_in(text_, loop_, begin, end, counter)) return std::nullopt;
    return index_text(use);
  }

  const KernelCase& on_;
  const SourceText& text_;
  const SourceLoop& loop_;
  const std::vector<ElementPointer>& pointers_;
  LaneLoop out_;
};

}  // namespace

LaneLoop lane_loop(const KernelCase& on, const SourceLoop& loop,
                   const std::vector<ElementPointer>& pointers) {
  return LoopReader(on, loop, pointers).read();
}

bool stores_in(const KernelCase& on, const std::vector<ElementPointer>& pointers, std::size_t begin,
               std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const SourceToken& token = on.text[i];
    if (token.kind == SourceTokenKind::identifier && is_assigned_at(on.text, i)) {
      const bool known =
          std::ranges::find(pointers, token.text, &ElementPointer::name) != pointers.end();
      if (on.text.is(i + 1, "[") && (known || elements_of(on, token.text) == 0)) return true;
    }
    // `*p = x`, `p->x = y`, `s.x = y`
    if ((token.is("->") || token.is(".")) && i + 1 < end && on.text.is(i + 2, "=")) return true;
    const bool pointed = token.is("*") && (on.text.is(i - 1, ";") || on.text.is(i - 1, "{") ||
                                           on.text.is(i - 1, "}") || on.text.is(i - 1, ")"));
    if (pointed && (on.text.is(i - 1, ")") ? on.text.is(i + 2, "=") : true)) return true;
  }
  return false;
}

std::int64_t elements_of(const KernelCase& on, std::string_view name, std::string* type) {
  for (std::size_t i = on.kernel.body_open + 1; i + 3 < on.kernel.body_close; ++i) {
    if (!on.text.is(i, name) || !on.text.is(i + 1, "[")) continue;
    const SourceToken& before = on.text[i - 1];
    if (before.kind != SourceTokenKind::identifier || before.is("return") || before.is("else"))
      continue;
    const std::size_t close = on.text.partner(i + 1);
    if (close == kNoToken || on.text.is(close + 1, "[")) return 0;
    std::size_t begin = i - 1;
    while (begin > 0 && on.text[begin - 1].kind == SourceTokenKind::identifier) --begin;
    for (std::size_t at = begin; at < i; ++at) {
      if (on.text.is(at, "__shared__") || on.text.is(at, "static")) return 0;
    }
    if (type != nullptr) *type = std::string(written(on.text, begin, i));
    const auto count = constant_value(on, i + 2, close);
    return count && *count >= 1 && *count <= kMostOfArray ? *count : 0;
  }
  return 0;
}

}  // namespace rpl::rules
