// SPDX-License-Identifier: MIT
#include "engine/source/text/guard.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/source/text/kernel_name.h"

namespace rpl {
namespace {

/// The file as it is, with the kernel in question.
struct Baseline {
  SourceText text;
  SourceDeclarations declared;
  SourceKernel target;
};

Result<Baseline> baseline_of(std::string_view source, std::string_view kernel) {
  SourceText text(source);
  SourceDeclarations declared = find_declarations(text);
  SourceKernel target = TRY(find_target(declared.kernels, kernel));
  return Baseline{std::move(text), std::move(declared), std::move(target)};
}

void refuse(GuardVerdict& verdict, std::string rule, std::size_t line, std::string message) {
  verdict.reasons.push_back({std::move(rule), std::move(message), line});
}

bool holds_global(std::string_view text) {
  const LexedSource lexed = lex_source(text);
  return std::ranges::any_of(lexed.tokens, [](const SourceToken& t) { return t.is("__global__"); });
}

/// The one block that holds a kernel, or reasons why there is none.
const FencedBlock* patch_block(const std::vector<FencedBlock>& blocks, GuardVerdict& verdict) {
  const FencedBlock* result = nullptr;
  if (blocks.empty()) refuse(verdict, "no-block", 0, "the answer holds no fenced code block");
  for (const FencedBlock& block : blocks) {
    if (!block.closed) {
      refuse(verdict, "unclosed-block", block.line,
             "the code block is not closed: the answer was cut off");
    } else if (holds_global(block.text)) {
      if (result != nullptr) {
        refuse(verdict, "many-blocks", block.line,
               fmt::format(
                   "a second block holds __global__ (the first is in line {}): which one is meant "
                   "cannot be determined",
                   result->line));
      } else if (!block.is_cpp()) {
        refuse(verdict, "block-language", block.line,
               fmt::format("the block is marked as '{}', not as C++ or HIP", block.info));
      }
      result = &block;
    }
  }
  if (result == nullptr && verdict.reasons.empty()) {
    refuse(verdict, "no-block", blocks.front().line, "no code block holds a __global__ function");
  }
  return verdict.reasons.empty() ? result : nullptr;
}

void check_name_and_header(const Baseline& base, const SourceKernel& found, std::size_t before_line,
                           GuardVerdict& verdict) {
  std::vector<std::string> header = found.header;
  if (found.name != base.target.name) {
    refuse(verdict, "kernel-name", found.line + before_line,
           fmt::format("it defines '{}', not '{}'", found.name, base.target.name));
    std::ranges::replace(header, found.name, base.target.name);
  }
  if (header == base.target.header) return;
  const auto [theirs, ours] = std::ranges::mismatch(header, base.target.header);
  refuse(verdict, "header", found.line + before_line,
         fmt::format("the header is not the original one: '{}' where that has '{}'",
                     theirs == header.end() ? "{" : *theirs,
                     ours == base.target.header.end() ? "{" : *ours));
}

void check_outside(const SourceText& patch, const SourceKernel& found, std::size_t before_line,
                   GuardVerdict& verdict) {
  bool said = false;
  for (std::size_t i = 0; i < patch.size(); ++i) {
    if (i == found.header_begin) i = found.body_close + 1;
    if (i >= patch.size()) break;
    const std::size_t line = patch[i].line + before_line;
    if (patch[i].kind == SourceTokenKind::directive) {
      refuse(verdict, "directive", line,
             fmt::format("'#{}' stands outside the body", patch[i].text.substr(0, 60)));
    } else if (!said) {
      said = true;
      refuse(
          verdict, "outside-body", line,
          fmt::format("'{}' stands outside the kernel's definition", patch[i].text.substr(0, 60)));
    }
  }
}

void check_defects(const SourceText& patch, std::size_t before_line, GuardVerdict& verdict) {
  for (const LexDefect& defect : patch.defects()) {
    refuse(verdict, "unbalanced", defect.line + before_line, defect.message);
  }
}

/// Every bracket of [begin, end) has a partner.
void check_brackets(const SourceText& patch, std::size_t begin, std::size_t end,
                    std::size_t before_line, GuardVerdict& verdict) {
  for (std::size_t i = begin; i < end; ++i) {
    const SourceToken& token = patch[i];
    const bool bracket = token.kind == SourceTokenKind::punctuator && token.text.size() == 1 &&
                         std::string_view("()[]{}").find(token.text[0]) != std::string_view::npos;
    if (!bracket || patch.partner(i) != kNoToken) continue;
    refuse(verdict, "unbalanced", token.line + before_line,
           fmt::format("'{}' has no partner", token.text));
    return;
  }
}

/// The kernel that a patch defines: the one of the right name, or the first.
const SourceKernel* defined_kernel(const std::vector<SourceKernel>& kernels, const Baseline& base,
                                   std::size_t before_line, GuardVerdict& verdict) {
  if (kernels.empty()) {
    refuse(verdict, "one-definition", before_line + 1, "the block defines no kernel");
    return nullptr;
  }
  if (kernels.size() > 1) {
    refuse(verdict, "one-definition", kernels[1].line + before_line,
           fmt::format("the block defines {} kernels, not one", kernels.size()));
  }
  const auto named = std::ranges::find(kernels, base.target.name, &SourceKernel::name);
  return named == kernels.end() ? &kernels.front() : &*named;
}

void say_what_is_open(const Baseline& base, const BodyInText& candidate, GuardVerdict& verdict) {
  verdict.open = {
      "names: every name still means what it meant, and no call is new (syntax tree)",
      "symbol: symbol, kernel arguments, LDS and resources stay within bounds (code object)",
      "output: the kernel computes the same (verification)",
  };
  for (const std::string& type : narrower_types({base.text, base.target}, candidate)) {
    verdict.open.push_back(fmt::format("precision: '{}' is precise enough (verification)", type));
  }
}

/// Puts `body` between the braces. Line ends become those of the file.
std::string splice(const Baseline& base, std::string_view body) {
  const std::string_view text = base.text.text();
  const bool crlf = text.find("\r\n") != std::string_view::npos;
  std::string result(text.substr(0, base.target.body.begin));
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] == '\r' && i + 1 < body.size() && body[i + 1] == '\n') continue;
    if (body[i] == '\n' && crlf) result += '\r';
    result += body[i];
  }
  result += text.substr(base.target.body.end);
  return result;
}

/// Whether the new file has the same kernels in the same places, and the body of the target is all that moved.
bool only_body_moved(const Baseline& base, std::string_view patched) {
  const auto kernels = find_kernels(patched);
  const auto& before = base.declared.kernels;
  if (kernels.size() != before.size()) return false;
  const std::size_t behind = base.text.text().size() - base.target.body.end;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i].header != before[i].header || kernels[i].closed != before[i].closed)
      return false;
    if (kernels[i].body.begin != base.target.body.begin) continue;
    return kernels[i].closed && patched.size() - kernels[i].body.end == behind;
  }
  return false;
}

void finish(const Baseline& base, std::string patched, const BodyInText& candidate,
            std::size_t line, GuardVerdict& verdict) {
  if (verdict.reasons.empty() && !only_body_moved(base, patched)) {
    refuse(verdict, "unbalanced", line, "the body does not end where its text ends");
  }
  std::ranges::stable_sort(verdict.reasons, {}, &GuardReason::line);
  verdict.accept = verdict.reasons.empty();
  if (!verdict.accept) return;
  verdict.patched = std::move(patched);
  say_what_is_open(base, candidate, verdict);
}

void check_patch(const Baseline& base, const FencedBlock& block, GuardVerdict& verdict) {
  const SourceText patch(block.text);
  check_defects(patch, block.line, verdict);
  check_brackets(patch, 0, patch.size(), block.line, verdict);
  const SourceDeclarations declared = find_declarations(patch);
  const SourceKernel* found = defined_kernel(declared.kernels, base, block.line, verdict);
  if (found == nullptr) return;
  check_name_and_header(base, *found, block.line, verdict);
  check_outside(patch, *found, block.line, verdict);
  const BodyInText candidate{patch, *found};
  for (GuardReason& reason :
       check_body_rules({base.text, base.target}, base.declared, candidate, block.line)) {
    verdict.reasons.push_back(std::move(reason));
  }
  const std::string_view body = patch.text().substr(found->body.begin, found->body.size());
  finish(base, splice(base, body), candidate, found->line + block.line, verdict);
}

/// Reports the first place outside the body where the files differ; whether there is none.
bool check_frame(const Baseline& base, std::string_view edited, GuardVerdict& verdict) {
  const std::string_view text = base.text.text();
  const std::string_view head = text.substr(0, base.target.body.begin);
  const std::string_view tail = text.substr(base.target.body.end);
  if (!edited.starts_with(head)) {
    const auto at = std::ranges::mismatch(head, edited).in2 - edited.begin();
    const std::size_t line = line_of(edited, static_cast<std::size_t>(at));
    refuse(verdict, "outside-body", line,
           fmt::format("the file differs before the body of {}", base.target.name));
  } else if (edited.size() < head.size() + tail.size() || !edited.ends_with(tail)) {
    const auto same =
        std::mismatch(tail.rbegin(), tail.rend(), edited.rbegin(), edited.rend()).second;
    const auto behind = static_cast<std::size_t>(same - edited.rbegin());
    refuse(verdict, "outside-body", line_of(edited, edited.size() - behind),
           fmt::format("the file differs behind the body of {}", base.target.name));
  }
  return verdict.reasons.empty();
}

}  // namespace

Result<GuardVerdict> check_response(std::string_view source, std::string_view kernel,
                                    std::string_view response) {
  const Baseline base = TRY(baseline_of(source, kernel));
  GuardVerdict verdict;
  const auto blocks = fenced_blocks(response);
  if (const FencedBlock* block = patch_block(blocks, verdict)) check_patch(base, *block, verdict);
  std::ranges::stable_sort(verdict.reasons, {}, &GuardReason::line);
  return verdict;
}

Result<GuardVerdict> check_edit(std::string_view source, std::string_view kernel,
                                std::string_view edited_source) {
  const Baseline base = TRY(baseline_of(source, kernel));
  GuardVerdict verdict;
  const bool framed = check_frame(base, edited_source, verdict);
  const SourceText edited(edited_source);
  const SourceDeclarations declared = find_declarations(edited);
  const auto at = std::ranges::find_if(declared.kernels, [&](const SourceKernel& candidate) {
    return framed ? candidate.body.begin == base.target.body.begin
                  : candidate.qualified == base.target.qualified;
  });
  if (at == declared.kernels.end()) {
    refuse(verdict, "one-definition", 0,
           fmt::format("the file no longer defines {}", base.target.qualified));
    std::ranges::stable_sort(verdict.reasons, {}, &GuardReason::line);
    return verdict;
  }
  if (edited.defects().size() > base.text.defects().size()) check_defects(edited, 0, verdict);
  check_brackets(edited, at->body_open, at->body_close, 0, verdict);
  const BodyInText candidate{edited, *at};
  for (GuardReason& reason :
       check_body_rules({base.text, base.target}, base.declared, candidate, 0)) {
    verdict.reasons.push_back(std::move(reason));
  }
  finish(base, std::string(edited_source), candidate, at->line, verdict);
  return verdict;
}

}  // namespace rpl
