// SPDX-License-Identifier: MIT
#include "engine/optimize/rules/kernel_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/numbers.h"
#include "engine/optimize/rules/loops.h"

namespace rpl::rules {
namespace {

bool is_name(const SourceText& text, std::size_t i) {
  return i < text.size() && text[i].kind == SourceTokenKind::identifier;
}

/// The element type of a canonical pointer type: "const float *" is float and const; "" for others.
std::string element_of(std::string_view type, bool& is_const) {
  if (!type.ends_with(" *")) return {};
  type.remove_suffix(2);
  is_const = type.starts_with("const ");
  if (is_const) type.remove_prefix(6);
  return type.find('*') == type.npos && type.find('&') == type.npos ? std::string(type)
                                                                    : std::string();
}

/// The parameter that the initializer [begin, end) of a pointer points into: the only pointer among its names.
std::string_view base_in(const SourceText& text, std::size_t begin, std::size_t end,
                         const std::vector<ElementPointer>& known) {
  std::string_view found;
  for (std::size_t i = begin; i < end; ++i) {
    const auto pointer = std::ranges::find(known, text[i].text, &ElementPointer::name);
    if (!is_name(text, i) || pointer == known.end()) continue;
    if (!found.empty() && found != pointer->base) return {};
    found = pointer->base;
  }
  return found;
}

/// The first token of the declaration whose `*` is at `star`.
std::size_t declaration_begin(const SourceText& text, std::size_t star, std::size_t limit) {
  std::size_t begin = star;
  while (begin > limit && is_name(text, begin - 1)) --begin;
  return begin;
}

std::optional<ElementPointer> local_pointer(const KernelCase& on, std::size_t star,
                                            const std::vector<ElementPointer>& known) {
  const SourceText& text = on.text;
  std::size_t name = star + 1;
  while (text.is(name, "const") || text.is(name, "__restrict__") || text.is(name, "__restrict"))
    ++name;
  if (!is_name(text, name) || !text.is(name + 1, "=")) return {};
  const std::size_t begin = declaration_begin(text, star, on.kernel.body_open + 1);
  const bool starts = begin < star && (text.is(begin - 1, ";") || text.is(begin - 1, "{") ||
                                       text.is(begin - 1, "}"));
  if (!starts) return {};
  std::size_t end = name + 2;
  while (end < on.kernel.body_close && !text.is(end, ";") && !text.is(end, ","))
    end = text.after_group(end);
  ElementPointer out;
  out.name = text[name].text;
  out.element = element_of(canonical_type(text, begin, name + 1), out.is_const);
  out.base = base_in(text, name + 2, end, known);
  out.declared = name;
  if (text.is(end, ",") || out.element.empty() || out.base.empty()) return {};
  return out;
}

constexpr auto kAssignments = std::to_array<std::string_view>(
    {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"});

UseKind kind_of(const SourceText& text, const NameUse& use) {
  const SourceToken& before = text[use.token - 1];
  const bool step_before = before.is("++") || before.is("--");
  const bool after = use.end < text.size() &&
                     std::ranges::find(kAssignments, text[use.end].text) != kAssignments.end();
  if (use.subscripts == 0) return step_before || after ? UseKind::assigned : UseKind::bare;
  if (step_before) return UseKind::update;
  if (after) return text.is(use.end, "=") ? UseKind::write : UseKind::update;
  if (before.is("&")) {
    const SourceToken& left = text[use.token - 2];
    const bool binary = left.is(")") || left.is("]") || left.kind == SourceTokenKind::number ||
                        (left.kind == SourceTokenKind::identifier && !left.is("return"));
    if (!binary) return UseKind::address;
  }
  return text.is(use.end, ".") || text.is(use.end, "->") ? UseKind::address : UseKind::read;
}

/// A number without a suffix but u and l, or a name of a constant of the file.
class ConstantReader {
 public:
  ConstantReader(const KernelCase& on, int depth) : on_(on), depth_(depth) {}

  std::optional<std::int64_t> run(std::size_t begin, std::size_t end) {
    at_ = begin;
    end_ = end;
    const auto value = sum();
    return at_ == end_ ? value : std::nullopt;
  }

 private:
  std::optional<std::int64_t> sum() {
    auto left = product();
    while (left && at_ < end_ && (on_.text.is(at_, "+") || on_.text.is(at_, "-"))) {
      const bool minus = on_.text.is(at_++, "-");
      const auto right = product();
      if (!right) return {};
      left = minus ? *left - *right : *left + *right;
    }
    return left;
  }

  std::optional<std::int64_t> product() {
    auto left = factor();
    while (left && at_ < end_ && (on_.text.is(at_, "*") || on_.text.is(at_, "/"))) {
      const bool divides = on_.text.is(at_++, "/");
      const auto right = factor();
      if (!right || (divides && *right == 0)) return {};
      left = divides ? *left / *right : *left * *right;
      if (std::abs(*left) > kMost) return {};
    }
    return left;
  }

  std::optional<std::int64_t> factor() {
    if (at_ >= end_) return {};
    const std::size_t i = at_++;
    const SourceToken& token = on_.text[i];
    if (token.kind == SourceTokenKind::number) return number(token.text);
    if (token.kind == SourceTokenKind::identifier) return named(token.text);
    if (!token.is("(") || on_.text.partner(i) == kNoToken || on_.text.partner(i) >= end_) return {};
    const auto inner = ConstantReader(on_, depth_ + 1).run(i + 1, on_.text.partner(i));
    at_ = on_.text.partner(i) + 1;
    return inner;
  }

  static std::optional<std::int64_t> number(std::string_view digits) {
    while (!digits.empty() &&
           std::string_view("uUlLzZ").find(digits.back()) != std::string_view::npos)
      digits.remove_suffix(1);
    const auto value = whole_number<std::int64_t>(digits);
    const bool decimal = digits == "0" || !digits.starts_with('0');
    return value && *value <= kMost && decimal ? value : std::nullopt;
  }

  /// `constexpr int name = …;`, `const int name = …;`, `#define name 32`. A name with two values has none.
  std::optional<std::int64_t> named(std::string_view name) {
    constexpr int kDeepest = 8;
    if (depth_ > kDeepest) return {};
    std::optional<std::int64_t> found;
    int values = 0;
    for (const SourceMacro& macro : on_.declared.macros) {
      if (macro.name != name) continue;
      ++values;
      const std::size_t word = macro.replacement.find_first_not_of(' ');
      found =
          word == macro.replacement.npos ? std::nullopt : number(macro.replacement.substr(word));
    }
    for (std::size_t i = 2; i + 2 < on_.text.size(); ++i) {
      if (!on_.text.is(i, name) || !on_.text.is(i + 1, "=")) continue;
      std::size_t begin = i;
      bool constant = false;
      while (begin > 0 && on_.text[begin - 1].kind == SourceTokenKind::identifier) {
        constant =
            constant || on_.text.is(begin - 1, "constexpr") || on_.text.is(begin - 1, "const");
        --begin;
      }
      std::size_t end = i + 2;
      while (end < on_.text.size() && !on_.text.is(end, ";") && !on_.text.is(end, ","))
        end = on_.text.after_group(end);
      ++values;
      found = constant ? ConstantReader(on_, depth_ + 1).run(i + 2, end) : std::nullopt;
    }
    return values == 1 ? found : std::nullopt;
  }

  static constexpr std::int64_t kMost = std::int64_t{1} << 31;
  const KernelCase& on_;
  int depth_;
  std::size_t at_ = 0, end_ = 0;
};

}  // namespace

std::string replaced(std::string_view text, std::vector<Replacement> changes) {
  std::ranges::sort(changes, {}, &Replacement::begin);
  std::string out;
  std::size_t from = 0;
  for (const Replacement& change : changes) {
    out += text.substr(from, change.begin - from);
    out += change.text;
    from = change.end;
  }
  out += text.substr(from);
  return out;
}

std::string_view written(const SourceText& text, std::size_t begin, std::size_t end) {
  if (begin >= end || end > text.size()) return {};
  return text.text().substr(text[begin].begin, text[end - 1].end - text[begin].begin);
}

std::string indent_at(std::string_view text, std::size_t at) {
  const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const std::size_t code = std::min(text.find_first_not_of(" \t", line), at);
  return std::string(text.substr(line, code - line));
}

std::string_view line_end_of(std::string_view text) {
  return text.find("\r\n") != text.npos ? "\r\n" : "\n";
}

std::string fresh_name(const SourceText& text, std::string wanted) {
  std::set<std::string_view> words;
  for (const SourceToken& token : text.tokens()) {
    if (token.kind == SourceTokenKind::identifier) words.insert(token.text);
    if (token.kind == SourceTokenKind::directive && token.text.find(wanted) != token.text.npos)
      words.insert(wanted);
  }
  std::string out = wanted;
  for (int n = 2; words.contains(out); ++n) out = fmt::format("{}{}", wanted, n);
  return out;
}

std::vector<PointerParameter> pointer_parameters(const KernelCase& on) {
  std::vector<PointerParameter> out;
  const std::size_t open = parameter_list_of(on.text, on.kernel);
  if (open == kNoToken) return out;
  const auto ranges = parameters_of(on.text, open);
  for (std::size_t i = 0; i < ranges.size() && i < on.kernel.parameters.size(); ++i) {
    PointerParameter made;
    made.position = i;
    made.name = parameter_name(on.text, ranges[i]);
    made.element = element_of(on.kernel.parameters[i], made.is_const);
    for (std::size_t at = ranges[i].begin; at < ranges[i].end; ++at) {
      if (on.text.is(at, "__restrict__") || on.text.is(at, "__restrict")) made.is_restrict = true;
    }
    if (!made.element.empty() && !made.name.empty()) out.push_back(std::move(made));
  }
  return out;
}

std::vector<ElementPointer> element_pointers(const KernelCase& on) {
  std::vector<ElementPointer> out;
  for (const PointerParameter& parameter : pointer_parameters(on)) {
    out.push_back({parameter.name, parameter.element, parameter.is_const, parameter.name, 0});
  }
  for (std::size_t i = on.kernel.body_open + 1; i + 2 < on.kernel.body_close; ++i) {
    if (!on.text.is(i, "*")) continue;
    if (auto local = local_pointer(on, i, out)) out.push_back(std::move(*local));
  }
  std::erase_if(out, [&](const ElementPointer& pointer) {
    const std::size_t count =
        declarations_in(on.text, pointer.name, on.kernel.body_open, on.kernel.body_close);
    return count > (pointer.declared == 0 ? 0U : 1U);
  });
  return out;
}

std::size_t declarations_in(const SourceText& text, std::string_view name, std::size_t begin,
                            std::size_t end) {
  static const std::set<std::string_view> kNoTypes{"return", "else",   "case",  "goto",
                                                   "new",    "delete", "throw", "sizeof",
                                                   "do",     "and",    "or",    "not"};
  std::size_t out = 0;
  for (std::size_t i = std::max<std::size_t>(begin, 2); i < end; ++i) {
    if (!text.is(i, name)) continue;
    std::size_t before = i - 1;
    const bool behind_word = is_name(text, before) && !kNoTypes.contains(text[before].text);
    while (before > begin && (text.is(before, "*") || text.is(before, "&") ||
                              text.is(before, "const") || text.is(before, "__restrict__")))
      --before;
    const std::size_t first =
        is_name(text, before) ? declaration_begin(text, before + 1, begin) : before;
    const bool statement = text.is(first - 1, ";") || text.is(first - 1, "{") ||
                           text.is(first - 1, "}") || text.is(first - 1, "(") ||
                           text.is(first - 1, ",");
    const bool behind_pointer =
        before + 1 < i && is_name(text, before) && statement && !text.is(i + 1, "[");
    const bool captured =
        text.is(i - 1, ",") && text.is(i + 1, "]");  // of a structured binding or a lambda
    out += behind_word || behind_pointer || captured ? 1 : 0;
  }
  return out;
}

std::uint32_t bytes_of(std::string_view type) {
  constexpr auto kSizes = std::to_array<std::pair<std::string_view, std::uint32_t>>(
      {{"float", 4},         {"int", 4},
       {"unsigned int", 4},  {"double", 8},
       {"long", 8},          {"unsigned long", 8},
       {"long long", 8},     {"unsigned long long", 8},
       {"short", 2},         {"unsigned short", 2},
       {"_Float16", 2},      {"__half", 2},
       {"char", 1},          {"signed char", 1},
       {"unsigned char", 1}, {"uint32_t", 4},
       {"int32_t", 4},       {"uint64_t", 8},
       {"int64_t", 8},       {"std::uint32_t", 4},
       {"std::int32_t", 4},  {"float2", 8},
       {"float4", 16}});
  const auto found =
      std::ranges::find(kSizes, type, &std::pair<std::string_view, std::uint32_t>::first);
  return found == kSizes.end() ? 0 : found->second;
}

std::vector<NameUse> uses_of(const SourceText& text, std::string_view name, std::size_t begin,
                             std::size_t end) {
  std::vector<NameUse> out;
  for (std::size_t i = std::max<std::size_t>(begin, 2); i < end && i < text.size(); ++i) {
    if (!text.is(i, name) || text.is(i - 1, ".") || text.is(i - 1, "->") || text.is(i - 1, "::"))
      continue;
    NameUse use{UseKind::bare, i, i + 1, 0};
    while (text.is(use.end, "[") && text.partner(use.end) != kNoToken) {
      use.end = text.after_group(use.end);
      ++use.subscripts;
    }
    use.kind = kind_of(text, use);
    out.push_back(use);
  }
  return out;
}

std::optional<CountedLoop> counted(const SourceText& text, const SourceLoop& loop) {
  static constexpr auto kTypes = std::to_array<std::string_view>(
      {"int", "unsigned", "long", "unsigned int", "size_t", "uint32_t", "int32_t"});
  if (loop.kind != LoopKind::for_loop) return {};
  const ByteRange condition = condition_of_loop(text, loop);
  if (condition.begin <= loop.head_begin || condition.size() < 3) return {};
  std::size_t equals = loop.head_begin;
  while (equals < condition.begin && !text.is(equals, "=")) ++equals;
  CountedLoop out;
  if (equals < loop.head_begin + 2 || equals + 1 >= condition.begin - 1) return {};
  out.counter = text[equals - 1].text;
  out.type = written(text, loop.head_begin, equals - 1);
  out.first = {equals + 1, condition.begin - 1};
  const bool compares = text.is(condition.begin, out.counter) &&
                        (text.is(condition.begin + 1, "<") || text.is(condition.begin + 1, "<="));
  out.inclusive = text.is(condition.begin + 1, "<=");
  out.limit = {condition.begin + 2, condition.end};
  const std::size_t step = condition.end + 1;
  const std::size_t step_words = loop.head_end - std::min(step, loop.head_end);
  const bool up = (step_words == 2 && ((text.is(step, "++") && text.is(step + 1, out.counter)) ||
                                       (text.is(step, out.counter) && text.is(step + 1, "++")))) ||
                  (step_words == 3 && text.is(step, out.counter) && text.is(step + 1, "+=") &&
                   text[step + 2].text == "1");
  const bool known_type = std::ranges::find(kTypes, out.type) != kTypes.end();
  return compares && up && known_type ? std::optional(out) : std::nullopt;
}

bool is_plain_arithmetic(const SourceText& text, std::size_t begin, std::size_t end) {
  static constexpr auto kPlain =
      std::to_array<std::string_view>({"+", "-", "*", "/", "%", "(", ")", ".", "::"});
  for (std::size_t i = begin; i < end; ++i) {
    const SourceToken& token = text[i];
    if (token.kind == SourceTokenKind::number) continue;
    if (token.kind == SourceTokenKind::identifier) {
      if (text.is(i + 1, "(") && i + 1 < end) return false;
      continue;
    }
    if (std::ranges::find(kPlain, token.text) == kPlain.end()) return false;
    const bool unary =
        token.is("*") &&
        (i == begin || text.is(i - 1, "(") || text[i - 1].kind == SourceTokenKind::punctuator) &&
        !(i > begin && text.is(i - 1, ")"));
    if (unary) return false;
  }
  return begin < end;
}

std::optional<std::int64_t> constant_value(const KernelCase& on, std::size_t begin,
                                           std::size_t end) {
  return ConstantReader(on, 0).run(begin, end);
}

bool is_pure_function(std::string_view name) {
  static const std::set<std::string_view> kPure{"fmaxf",
                                                "fminf",
                                                "fmax",
                                                "fmin",
                                                "max",
                                                "min",
                                                "expf",
                                                "exp",
                                                "exp2f",
                                                "logf",
                                                "log",
                                                "log2f",
                                                "sqrtf",
                                                "sqrt",
                                                "rsqrtf",
                                                "rsqrt",
                                                "fabsf",
                                                "fabs",
                                                "abs",
                                                "fmaf",
                                                "fma",
                                                "powf",
                                                "pow",
                                                "sinf",
                                                "cosf",
                                                "tanhf",
                                                "tanf",
                                                "erff",
                                                "floorf",
                                                "ceilf",
                                                "roundf",
                                                "truncf",
                                                "__expf",
                                                "__logf",
                                                "__fmaf_rn",
                                                "__fdividef",
                                                "__frcp_rn",
                                                "__fsqrt_rn",
                                                "__fadd_rn",
                                                "__fmul_rn",
                                                "static_cast",
                                                "sizeof",
                                                "exp10f",
                                                "log10f",
                                                "log1pf",
                                                "expm1f",
                                                "copysignf",
                                                "hypotf",
                                                "cbrtf",
                                                "__builtin_amdgcn_rcpf",
                                                "__builtin_amdgcn_exp2f",
                                                "__builtin_amdgcn_sqrtf",
                                                "__builtin_amdgcn_rsqf",
                                                "__builtin_fmaf",
                                                "__builtin_fabsf",
                                                "fmodf",
                                                "fdimf",
                                                "rcbrtf",
                                                "norm3df",
                                                "__popc",
                                                "__clz",
                                                "int",
                                                "float",
                                                "double",
                                                "unsigned"};
  return kPure.contains(name);
}

bool is_work_item_number(const SourceText& text, std::size_t begin, std::size_t end) {
  if (end - begin != kWorkItemNumberWords) return false;
  std::string words;
  for (const std::string_view word : text.words(begin, end)) words += word;
  constexpr std::string_view kForms[] = {
      "blockIdx.x*blockDim.x+threadIdx.x", "blockDim.x*blockIdx.x+threadIdx.x",
      "threadIdx.x+blockIdx.x*blockDim.x", "threadIdx.x+blockDim.x*blockIdx.x"};
  return std::ranges::find(kForms, words) != std::end(kForms);
}

std::string_view no_launch(const KernelCase& on) {
  return on.launches == nullptr ? "no captured launch says how large workgroups are" : "";
}

std::string_view not_one_dimension(const KernelCase& on) {
  if (const std::string_view why = no_launch(on); !why.empty()) return why;
  const bool one = on.launches->workgroup[1] == 1 && on.launches->workgroup[2] == 1;
  return one ? std::string_view() : "workgroups have more than one dimension";
}

void refuse(RuleOutcome& out, std::size_t line, std::string reason) {
  out.refusals.push_back({line, std::move(reason), {}});
}

}  // namespace rpl::rules
