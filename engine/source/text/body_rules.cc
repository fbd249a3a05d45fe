// SPDX-License-Identifier: MIT
#include "engine/source/text/guard.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "engine/source/text/assembly.h"

namespace rpl {
namespace {

using Words = std::vector<std::string_view>;

/// How far a construct reaches that one word begins.
enum class Reach { word, group, statement };

struct ConstructRule {
  std::string_view rule;
  Reach reach;
  std::string_view message;
  Words words;
};

const std::vector<ConstructRule>& construct_rules() {
  static const std::vector<ConstructRule> kRules{
      {"asm",
       Reach::statement,
       "inline assembly with more than instructions: a directive, a label, a comment or an escape",
       {"asm", "__asm__", "__asm"}},
      {"attribute",
       Reach::group,
       "an attribute that the original does not hold",
       {"__attribute__", "__attribute", "__declspec"}},
      {"pragma-operator",
       Reach::group,
       "a pragma operator; write #pragma unroll on a line of its own",
       {"_Pragma", "__pragma"}},
      {"static-local",
       Reach::statement,
       "a variable that keeps its value between launches",
       {"static", "thread_local", "__device__", "__constant__", "__managed__"}},
      {"extern",
       Reach::statement,
       "an extern declaration: dynamic LDS or a variable from elsewhere",
       {"extern"}},
      {"goto", Reach::statement, "a goto that the original does not hold", {"goto"}},
      {"const-cast", Reach::statement, "a cast that drops const", {"const_cast"}},
      {"forbidden-call",
       Reach::word,
       "a call that a kernel under measurement may not add",
       {"printf",
        "puts",
        "fprintf",
        "system",
        "popen",
        "exit",
        "abort",
        "trap",
        "__trap",
        "__builtin_trap",
        "__builtin_debugtrap",
        "assert",
        "__assert_fail",
        "malloc",
        "free",
        "clock",
        "clock64",
        "wall_clock64",
        "__clock",
        "__clock64",
        "__nanosleep",
        "__builtin_readcyclecounter",
        "__builtin_amdgcn_s_memtime",
        "__builtin_amdgcn_s_memrealtime",
        "__builtin_amdgcn_s_sleep",
        "__builtin_amdgcn_s_sethalt",
        "__builtin_amdgcn_endpgm",
        "__builtin_amdgcn_s_setreg"}}};
  return kRules;
}

std::string phrase(const SourceText& text, std::size_t begin, std::size_t end) {
  return fmt::format("{}", fmt::join(text.words(begin, end), " "));
}

/// Behind the construct that the word at `i` begins.
std::size_t construct_end(const SourceText& text, std::size_t i, std::size_t limit, Reach reach) {
  if (reach == Reach::word) return i + 1;
  if (reach == Reach::group)
    return text.is(i + 1, "(") ? std::min(text.after_group(i + 1), limit) : i + 1;
  while (i < limit && !text.is(i, ";")) i = text.after_group(i);
  return std::min(i + 1, limit);
}

bool is_member(const SourceText& text, std::size_t i) {
  return i > 0 && (text.is(i - 1, ".") || text.is(i - 1, "->"));
}

/// `static constexpr`, `static __shared__` and the `__device__` of a lambda keep nothing.
bool keeps_nothing(const SourceText& text, std::size_t i) {
  if (text.is(i, "static")) {
    const bool before = i > 0 && text.is(i - 1, "constexpr");
    return before || text.is(i + 1, "constexpr") || text.is(i + 1, "__shared__");
  }
  return i > 0 && text.is(i, "__device__") &&
         (text.is(i - 1, "]") || text.is(i - 1, ")") || text.is(i - 1, "__host__"));
}

/// `f(…)`, `= f`, `&f`; not a variable of that name.
bool is_call(const SourceText& text, std::size_t i) {
  return text.is(i + 1, "(") || (i > 0 && (text.is(i - 1, "=") || text.is(i - 1, "&")));
}

/// The constructs of one rule in a body, as [begin, end) token ranges.
std::vector<ByteRange> constructs(const BodyInText& body, const ConstructRule& rule) {
  std::vector<ByteRange> result;
  const std::size_t limit = body.kernel.body_close;
  for (std::size_t i = body.kernel.body_open + 1; i < limit; ++i) {
    const SourceToken& token = body.text[i];
    if (token.kind != SourceTokenKind::identifier) continue;
    if (std::ranges::find(rule.words, token.text) == rule.words.end()) continue;
    if (is_member(body.text, i) || keeps_nothing(body.text, i)) continue;
    if (rule.reach == Reach::word && !is_call(body.text, i)) continue;
    result.push_back({i, construct_end(body.text, i, limit, rule.reach)});
    i = result.back().end - 1;
  }
  return result;
}

class BodyRules {
 public:
  BodyRules(const BodyInText& original, const SourceDeclarations& declared,
            const BodyInText& candidate, std::size_t before_line)
      : original_(original),
        declared_(declared),
        candidate_(candidate),
        before_line_(before_line) {}

  std::vector<GuardReason> run() {
    directives();
    for (const ConstructRule& rule : construct_rules()) check(rule);
    bracket_attributes();
    launches();
    globals();
    shadowing();
    hidden_text();
    return std::move(out_);
  }

 private:
  void add(std::string_view rule, std::size_t line, std::string message) {
    out_.push_back({std::string(rule), std::move(message), line + before_line_});
  }

  /// `__attribute__((ext_vector_type(4)))` and the like give a type its layout, which execution judges.
  [[nodiscard]] bool is_of_a_type(const ByteRange& range) const {
    static const std::set<std::string_view> kOfTypes{
        "__attribute__", "ext_vector_type", "__ext_vector_type__",
        "vector_size",   "__vector_size__", "address_space",
        "may_alias",     "__may_alias__",   "aligned",
        "__aligned__",   "sizeof",          "float",
        "int",           "short",           "char"};
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const SourceToken& token = candidate_.text[i];
      if (token.kind == SourceTokenKind::identifier && !kOfTypes.contains(token.text)) return false;
    }
    return true;
  }

  void check(const ConstructRule& rule) {
    std::set<std::string> known;
    for (const ByteRange& range : constructs(original_, rule)) {
      known.insert(phrase(original_.text, range.begin, range.end));
    }
    for (const ByteRange& range : constructs(candidate_, rule)) {
      if (known.contains(phrase(candidate_.text, range.begin, range.end))) continue;
      if (rule.rule == "attribute" && is_of_a_type(range)) continue;
      if (rule.rule == "asm" && is_plain_assembly(candidate_.text, range)) continue;
      const SourceToken& word = candidate_.text[range.begin];
      add(rule.rule, word.line, fmt::format("'{}': {}", word.text, rule.message));
    }
  }

  static std::vector<SourceToken> directives_of(const BodyInText& body) {
    std::vector<SourceToken> result;
    for (std::size_t i = body.kernel.body_open + 1; i < body.kernel.body_close; ++i) {
      if (body.text[i].kind == SourceTokenKind::directive) result.push_back(body.text[i]);
    }
    return result;
  }

  /// Pragmas of the original may stay or go. Other directives reach beyond the body: they must be the same ones.
  void directives() {
    const auto pragma = [](const SourceToken& token) { return token.directive() == "pragma"; };
    auto before = directives_of(original_);
    auto after = directives_of(candidate_);
    const auto held = [&](const SourceToken& token) {
      return std::ranges::any_of(before, [&](const auto& b) { return b.text == token.text; });
    };
    for (const SourceToken& token : after) {
      const std::string why = refused_directive(token);
      if (!why.empty() && !held(token)) add("directive", token.line, why);
    }
    std::erase_if(before, pragma);
    std::erase_if(after, pragma);
    for (const SourceToken& token : before) {
      const bool kept =
          std::ranges::any_of(after, [&](const auto& a) { return a.text == token.text; });
      if (!kept) {
        add("directive", candidate_.kernel.line,
            fmt::format("'#{}' of the original is gone, and what follows may need it", token.text));
      }
    }
  }

  void bracket_attributes() {
    static const std::set<std::string_view> kHarmless{"likely", "unlikely", "maybe_unused",
                                                      "fallthrough", "nodiscard"};
    const SourceText& text = candidate_.text;
    std::set<std::string> known;
    for (const ByteRange& range : double_brackets(original_)) {
      known.insert(phrase(original_.text, range.begin, range.end));
    }
    for (const ByteRange& range : double_brackets(candidate_)) {
      bool harmless = true;
      for (std::size_t i = range.begin; i < range.end; ++i) {
        const bool word = text[i].kind == SourceTokenKind::identifier;
        if (word && !kHarmless.contains(text[i].text)) harmless = false;
      }
      if (harmless || known.contains(phrase(text, range.begin, range.end))) continue;
      add("attribute", text[range.begin].line,
          "'[[': an attribute that the original does not hold");
    }
  }

  static std::vector<ByteRange> double_brackets(const BodyInText& body) {
    std::vector<ByteRange> result;
    for (std::size_t i = body.kernel.body_open + 1; i < body.kernel.body_close; ++i) {
      if (body.text.is(i, "[") && body.text.is(i + 1, "["))
        result.push_back({i, body.text.after_group(i)});
    }
    return result;
  }

  void launches() {
    const SourceText& text = candidate_.text;
    for (std::size_t i = candidate_.kernel.body_open + 1; i + 1 < candidate_.kernel.body_close;
         ++i) {
      if (!text.is(i, "<<") || !text.is(i + 1, "<") || text[i].end != text[i + 1].begin) continue;
      add("launch", text[i].line, "'<<<': a kernel body may launch nothing");
    }
  }

  static std::set<std::string_view> names_in(const BodyInText& body) {
    std::set<std::string_view> result;
    for (std::size_t i = body.kernel.body_open + 1; i < body.kernel.body_close; ++i) {
      const bool word = body.text[i].kind == SourceTokenKind::identifier;
      if (word && !is_member(body.text, i)) result.insert(body.text[i].text);
    }
    return result;
  }

  void globals() {
    std::set<std::string_view> state;
    for (const SourceVariable& variable : declared_.variables) {
      if (variable.device_state) state.insert(variable.name);
    }
    const auto used = names_in(original_);
    for (std::size_t i = candidate_.kernel.body_open + 1; i < candidate_.kernel.body_close; ++i) {
      const SourceToken& token = candidate_.text[i];
      if (!state.contains(token.text) || used.contains(token.text) || is_member(candidate_.text, i))
        continue;
      state.erase(token.text);
      add("global", token.line,
          fmt::format("'{}': a device variable that the original does not use", token.text));
    }
  }

  void shadowing() {
    // A name that the original does not use may as well mean something new.
    const auto used = names_in(original_);
    std::set<std::string_view> names{"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};
    for (const std::string_view name : declared_.function_names) {
      if (used.contains(name)) names.insert(name);
    }
    const auto before = declared_names(original_, names);
    for (const std::size_t i : declarations_of(candidate_, names)) {
      const SourceToken& token = candidate_.text[i];
      if (before.contains(token.text)) continue;
      add("shadowing", token.line,
          fmt::format("'{}' gets a new meaning inside the body", token.text));
    }
  }

  /// What a reader of the diff, or another lexer, does not see as the compiler does.
  void hidden_text() {
    const ByteRange range = candidate_.kernel.body;
    const HiddenText found =
        find_hidden_text(candidate_.text.text().substr(range.begin, range.size()));
    if (!found.what.empty()) {
      add("hidden-text", line_of(candidate_.text.text(), range.begin + found.offset),
          std::string(found.what));
    }
    const auto used = names_in(original_);
    for (std::size_t i = candidate_.kernel.body_open + 1; i < candidate_.kernel.body_close; ++i) {
      const SourceToken& token = candidate_.text[i];
      const bool word = token.kind == SourceTokenKind::identifier;
      const bool foreign = std::ranges::any_of(
          token.text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
      if (!word || !foreign || used.contains(token.text)) continue;
      add("hidden-text", token.line,
          "a character outside ASCII in code: some of them are blanks for a compiler");
      return;
    }
  }

  const BodyInText& original_;
  const SourceDeclarations& declared_;
  const BodyInText& candidate_;
  std::size_t before_line_;
  std::vector<GuardReason> out_;
};

}  // namespace

std::string refused_directive(const SourceToken& token) {
  const std::string_view text = token.text;
  const bool allowed = text == "pragma unroll" || text.starts_with("pragma unroll ") ||
                       text == "pragma nounroll" || text.starts_with("pragma clang loop ") ||
                       text.starts_with("pragma clang fp ");
  if (allowed) return {};
  constexpr std::size_t kShown = 60;
  return fmt::format(
      "'#{}{}': of preprocessor lines only #pragma unroll, nounroll, clang loop and clang fp may "
      "be added",
      text.substr(0, kShown), text.size() > kShown ? "…" : "");
}

std::vector<GuardReason> check_body_rules(const BodyInText& original,
                                          const SourceDeclarations& declared,
                                          const BodyInText& candidate, std::size_t before_line) {
  return BodyRules(original, declared, candidate, before_line).run();
}

std::vector<std::string> narrower_types(const BodyInText& original, const BodyInText& candidate) {
  static const std::set<std::string_view> kNarrow{
      "_Float16",        "__fp16",         "half",           "__half",       "half2",
      "__half2",         "float16_t",      "__bf16",         "hip_bfloat16", "__hip_bfloat16",
      "__hip_bfloat162", "__hip_fp8_e4m3", "__hip_fp8_e5m2", "hip_bf16"};
  std::set<std::string_view> known;
  const auto each = [](const BodyInText& body, const auto& visit) {
    for (std::size_t i = body.kernel.body_open + 1; i < body.kernel.body_close; ++i)
      visit(body.text[i].text);
  };
  each(original, [&](std::string_view word) { known.insert(word); });
  std::vector<std::string> result;
  each(candidate, [&](std::string_view word) {
    if (kNarrow.contains(word) && known.insert(word).second) result.emplace_back(word);
  });
  return result;
}

namespace {

/// UTF-8 of U+202A to U+202E and U+2066 to U+2069.
bool is_direction_mark(std::string_view text) {
  if (text.size() < 3) return false;
  const auto last = static_cast<unsigned char>(text[2]);
  if (text.starts_with("\xE2\x80")) return last >= 0xAA && last <= 0xAE;
  return text.starts_with("\xE2\x81") && last >= 0xA6 && last <= 0xA9;
}

bool is_trigraph(std::string_view text) {
  return text.size() >= 3 && text.starts_with("??") &&
         std::string_view("=/'()!<>-").find(text[2]) != std::string_view::npos;
}

bool is_lone_return(std::string_view text) {
  return text.starts_with('\r') && (text.size() < 2 || text[1] != '\n');
}

}  // namespace

HiddenText find_hidden_text(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view here = text.substr(i, 3);
    if (is_direction_mark(here))
      return {i, "a mark that changes the direction of text (Unicode bidi)"};
    if (is_trigraph(here)) return {i, "a trigraph, which compilers read in two ways"};
    if (is_lone_return(here))
      return {i, "a carriage return without line feed, which ends a line for some"};
  }
  return {};
}

namespace {

/// Words after which a name is used, not declared.
bool expects_expression(std::string_view word) {
  static const std::set<std::string_view> kWords{
      "return", "else",   "do",    "case",  "goto",   "throw",  "and",       "or",  "not",
      "xor",    "bitand", "bitor", "compl", "sizeof", "delete", "co_return", "new", "not_eq"};
  return kWords.contains(word);
}

/// Whether what stands before a name can be a type.
bool type_before(const SourceText& text, std::size_t i) {
  if (i == 0) return false;
  const SourceToken& before = text[i - 1];
  if (before.kind == SourceTokenKind::identifier) return !expects_expression(before.text);
  return false;
}

bool declares(const SourceText& text, std::size_t i) {
  if (i > 0 && (text.is(i - 1, ".") || text.is(i - 1, "->") || text.is(i - 1, "::"))) return false;
  // A function or macro cannot be assigned to, subscripted or set.
  if (text.is(i + 1, "=") || text.is(i + 1, "{") || text.is(i + 1, "[")) return true;
  const bool pointer =
      i > 1 && (text.is(i - 1, "*") || text.is(i - 1, "&")) && type_before(text, i - 1);
  const bool ends =
      text.is(i + 1, ";") || text.is(i + 1, ",") || text.is(i + 1, ")") || text.is(i + 1, ":");
  if (type_before(text, i)) return ends || text.is(i + 1, "(");
  return pointer && text.is(i + 1, ";") && i > 2 && (text.is(i - 3, ";") || text.is(i - 3, "{"));
}

}  // namespace

std::vector<std::size_t> declarations_of(const BodyInText& body,
                                         const std::set<std::string_view>& names) {
  std::vector<std::size_t> result;
  for (std::size_t i = body.kernel.body_open + 1; i < body.kernel.body_close; ++i) {
    const SourceToken& token = body.text[i];
    if (token.kind != SourceTokenKind::identifier || !names.contains(token.text)) continue;
    if (declares(body.text, i)) result.push_back(i);
  }
  return result;
}

std::set<std::string_view> declared_names(const BodyInText& body,
                                          const std::set<std::string_view>& names) {
  std::set<std::string_view> result;
  for (const std::size_t i : declarations_of(body, names)) result.insert(body.text[i].text);
  return result;
}

}  // namespace rpl
