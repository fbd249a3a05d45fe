// SPDX-License-Identifier: MIT
#include "engine/source/text/declarations.h"

#include <algorithm>
#include <array>

namespace rpl {
namespace {

// Words whose parentheses are not a parameter list.
constexpr auto kAttributeWords = std::to_array<std::string_view>(
    {"__launch_bounds__", "__attribute__", "__declspec", "__cluster_dims__", "__maxnreg__",
     "alignas", "noexcept", "requires", "decltype", "throw", "explicit", "__asm__", "asm", "typeof",
     "__typeof__"});

bool is_attribute_word(std::string_view word) {
  return std::ranges::find(kAttributeWords, word) != kAttributeWords.end();
}

/// One declaration while it is read: its tokens outside brackets, each bracketed group by its opener, directives left out.
using Declaration = std::vector<std::size_t>;

constexpr std::size_t kNone = kNoToken;

class DeclarationReader {
 public:
  explicit DeclarationReader(const SourceText& source) : source_(source) { count_conditionals(); }

  SourceDeclarations run() {
    std::size_t i = 0;
    while (i < source_.size()) i = step(i);
    return std::move(out_);
  }

 private:
  struct Scope {
    std::size_t open;
    std::string name;
    bool is_class;
  };

  /// Reads the token or group at `i`; the index to go on from.
  std::size_t step(std::size_t i) {
    const SourceToken& token = source_[i];
    if (token.kind == SourceTokenKind::directive) {
      macro(token);
      return i + 1;
    }
    if (token.is("{")) return brace(i);
    if (token.is("}")) {
      if (!scopes_.empty() && source_.partner(i) == scopes_.back().open) scopes_.pop_back();
      now_.clear();
      return i + 1;
    }
    if (token.is(";")) {
      declaration();
      now_.clear();
      return i + 1;
    }
    constexpr std::size_t kLongest = 512;  // no header is longer; keeps hostile input linear
    if (now_.size() == kLongest) now_.clear();
    now_.push_back(i);
    return source_.after_group(i);
  }

  /// What `{` opens, judged by what stands before it.
  std::size_t brace(std::size_t i) {
    const std::size_t after = source_.after_group(i);
    const bool is_extern_c =
        now_.size() == 2 && word(0) == "extern" && source_[now_[1]].kind == SourceTokenKind::string;
    if (is_extern_c || is_namespace()) return enter(i, is_extern_c ? "" : namespace_name(), false);
    const std::size_t parameters = parameter_list();
    if (parameters == kNone) {
      if (!has("class") && !has("struct") && !has("union"))
        return after;  // an initializer or enumerators
      return has("enum") ? after : enter(i, "", true);
    }
    if (is_member_initializer(parameters)) return after;
    if (has("__global__")) {
      kernel(parameters, i);
    } else {
      const std::size_t close = source_.partner(i);
      out_.functions.push_back(
          {name_before(parameters), i, close == kNone ? source_.size() : close});
    }
    function_name(parameters);
    now_.clear();
    return after;
  }

  std::size_t enter(std::size_t i, std::string name, bool is_class) {
    constexpr std::size_t kDeepest =
        256;  // what is deeper has no name, which keeps hostile input linear
    scopes_.push_back({i, scopes_.size() < kDeepest ? std::move(name) : "", is_class});
    now_.clear();
    return i + 1;
  }

  [[nodiscard]] std::string_view word(std::size_t n) const {
    return n < now_.size() ? source_[now_[n]].text : std::string_view();
  }
  [[nodiscard]] bool has(std::string_view spelling) const {
    return std::ranges::any_of(now_, [&](std::size_t i) { return source_[i].is(spelling); });
  }
  [[nodiscard]] bool is_namespace() const {
    return word(0) == "namespace" || (word(0) == "inline" && word(1) == "namespace");
  }
  [[nodiscard]] std::string namespace_name() const {
    std::string result;
    for (const std::size_t i : now_) {
      const SourceToken& token = source_[i];
      if (token.kind != SourceTokenKind::identifier || token.is("namespace") ||
          token.is("inline")) {
        continue;
      }
      result += (result.empty() ? "" : "::") + std::string(token.text);
    }
    return result.empty() ? "(anonymous namespace)" : result;
  }

  /// Where in `now_` the parameter list opens: the last group behind a name. kNone when there is none.
  [[nodiscard]] std::size_t parameter_list() const {
    for (std::size_t n = now_.size(); n-- > 1;) {
      if (!source_[now_[n]].is("(")) continue;
      const std::size_t name = name_at(n);
      if (name != kNone && !is_attribute_word(word(name))) return n;
    }
    return kNone;
  }

  /// Where in `now_` the name before the group `n` stands, behind which template arguments may follow.
  [[nodiscard]] std::size_t name_at(std::size_t n) const {
    std::size_t at = n - 1;
    if (source_[now_[at]].is(">")) {
      constexpr std::size_t kLongestList = 256;
      std::size_t depth = 0;
      const std::size_t stop = at > kLongestList ? at - kLongestList : 0;
      for (; at > stop; --at) {
        if (source_[now_[at]].is(">")) ++depth;
        if (source_[now_[at]].is("<") && --depth == 0) break;
      }
      if (at == stop) return kNone;
      --at;
    }
    return source_[now_[at]].kind == SourceTokenKind::identifier ? at : kNone;
  }

  [[nodiscard]] std::string_view name_before(std::size_t parameters) const {
    return word(name_at(parameters));
  }

  /// Members are left out: constructors have the names of types.
  void function_name(std::size_t parameters) {
    if (scopes_.empty() || !scopes_.back().is_class)
      out_.function_names.push_back(name_before(parameters));
  }

  /// `S() : a{1}`: the braces of `a` are no body.
  [[nodiscard]] bool is_member_initializer(std::size_t parameters) const {
    if (parameters + 1 >= now_.size() || word(parameters + 1) != ":") return false;
    return source_[now_.back()].kind == SourceTokenKind::identifier;
  }

  void kernel(std::size_t parameters, std::size_t open) {
    SourceKernel result;
    const std::size_t name = name_at(parameters);
    const std::size_t first = header_begin();
    result.name = word(name);
    result.qualified = qualified(name);
    for (std::size_t i = now_[name] + 2; i + 1 < now_[parameters]; ++i) {
      result.arguments += (result.arguments.empty() ? "" : " ") + std::string(source_[i].text);
    }
    result.line = source_[now_[name]].line;
    result.header_begin = now_[first];
    result.is_template = word(first) == "template";
    for (const ByteRange& range : parameters_of(source_, now_[parameters])) {
      result.parameters.push_back(canonical_type(source_, range.begin, range.end));
    }
    result.header = header(result.header_begin, now_[parameters], open);
    place_body(result, open);
    out_.kernels.push_back(std::move(result));
  }

  void place_body(SourceKernel& kernel, std::size_t open) {
    const std::size_t close = source_.partner(open);
    kernel.closed = close != kNone;
    kernel.body_open = open;
    kernel.body_close = kernel.closed ? close : source_.size();
    kernel.header_range = {source_[kernel.header_begin].begin, source_[open].begin};
    kernel.body = {source_[open].end, kernel.closed ? source_[close].begin : source_.text().size()};
    kernel.conditional = conditionals_[kernel.body_close] != conditionals_[kernel.header_begin];
  }

  /// Leaves out invocations of macros that end without a semicolon: `REGISTER(x) __global__ …`.
  [[nodiscard]] std::size_t header_begin() const {
    std::size_t first = 0;
    while (first + 2 < now_.size() && source_[now_[first + 1]].is("(") &&
           source_[now_[first]].kind == SourceTokenKind::identifier &&
           !is_attribute_word(word(first))) {
      first += 2;
    }
    return first;
  }

  [[nodiscard]] std::string qualified(std::size_t name) const {
    std::string result(word(name));
    for (std::size_t n = name;
         n >= 2 && word(n - 1) == "::" && source_[now_[n - 2]].kind == SourceTokenKind::identifier;
         n -= 2) {
      result = std::string(word(n - 2)) + "::" + result;
    }
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (!scope->name.empty()) result = scope->name + "::" + result;
    }
    return result;
  }

  /// The words of a header; in each parameter `const` and `volatile` come first, so that `float const*` is `const float*`.
  [[nodiscard]] std::vector<std::string> header(std::size_t begin, std::size_t parameters,
                                                std::size_t end) const {
    std::vector<std::string> result;
    const auto add = [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        if (source_[i].kind != SourceTokenKind::directive) result.emplace_back(source_[i].text);
      }
    };
    add(begin, parameters + 1);
    std::size_t done = parameters + 1;
    for (const ByteRange& range : parameters_of(source_, parameters)) {
      add(done, range.begin);
      const std::size_t first = result.size();
      add(range.begin, range.end);
      const auto from = result.begin() + static_cast<std::ptrdiff_t>(first);
      const auto stop = std::find_if(from, result.end(), [](const std::string& w) {
        return w == "*" || w == "&" || w == "&&" || w == "(" || w == "<" || w == "=";
      });
      std::stable_partition(from, stop, [](const std::string& w) { return w == "const"; });
      done = range.end;
    }
    add(done, end);
    return result;
  }

  /// A declaration without a body: names of functions and variables.
  void declaration() {
    const std::size_t parameters = parameter_list();
    const bool initialized = has("=");
    if (parameters != kNone && !initialized) function_name(parameters);
    const bool shared = has("extern") && has("__shared__");
    const bool device = has("__device__") || has("__managed__");
    if (!shared && (!device || parameters != kNone)) return;
    const bool constant = has("const") || has("constexpr");
    for (std::size_t n = 1; n <= now_.size(); ++n) {
      const bool ends = n == now_.size() || word(n) == "=" || word(n) == "[" || word(n) == ",";
      if (!ends || source_[now_[n - 1]].kind != SourceTokenKind::identifier) continue;
      out_.variables.push_back({word(n - 1), device && !constant, shared});
    }
  }

  void macro(const SourceToken& token) {
    constexpr std::string_view kDefine = "define ";
    if (!token.text.starts_with(kDefine)) return;
    const std::string_view rest = token.text.substr(kDefine.size());
    const std::size_t end = rest.find_first_of(" (");
    out_.macros.push_back({rest.substr(0, end), end == rest.npos ? "" : rest.substr(end)});
  }

  /// How many conditional directives stand before each token.
  void count_conditionals() {
    std::size_t count = 0;
    for (const SourceToken& token : source_.tokens()) {
      conditionals_.push_back(count);
      if (is_conditional(token)) ++count;
    }
    conditionals_.push_back(count);
  }

  const SourceText& source_;
  SourceDeclarations out_;
  Declaration now_;
  std::vector<Scope> scopes_;
  std::vector<std::size_t> conditionals_;
};

}  // namespace

SourceDeclarations find_declarations(const SourceText& source) {
  return DeclarationReader(source).run();
}

std::vector<SourceKernel> find_kernels(std::string_view source) {
  return find_declarations(SourceText(source)).kernels;
}

}  // namespace rpl
