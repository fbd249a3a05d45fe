// SPDX-License-Identifier: MIT
// Real HIP sources: kernels are found exactly where they stand, and clang sees the same ones in the same lines.
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/source/syntax/check_syntax.h"
#include "engine/source/text/kernel_name.h"
#include "tests/support/compiler_under_test.h"

namespace rpl {
namespace {

/// Line and name of each mark in the file.
std::vector<std::pair<std::size_t, std::string>> marks_in(const std::string& text) {
  constexpr std::string_view kMark = "// KERNEL ";
  std::vector<std::pair<std::size_t, std::string>> out;
  for (std::size_t at = text.find(kMark); at != text.npos; at = text.find(kMark, at + 1)) {
    const std::size_t name = at + kMark.size();
    out.emplace_back(line_of(text, at), text.substr(name, text.find('\n', name) - name));
  }
  return out;
}

TEST(Sources, KernelsAreFoundExactly) {
  const std::string text = *read_text_file(RPL_SOURCES "/kernels.hip");
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const SourceKernel& kernel : find_kernels(text)) {
    found.emplace_back(kernel.line, kernel.qualified);
    EXPECT_EQ(text[kernel.body.begin - 1], '{') << kernel.qualified;
    EXPECT_EQ(text[kernel.body.end], '}') << kernel.qualified;
  }
  EXPECT_EQ(found, marks_in(text));
}

TEST(Sources, ClangSeesEachOfThemInTheSameLine) {
  Result<Compiler> compiler =
      find_compiler(testing_support::compiler_under_test(), HipHeaders::own);
  if (!compiler) GTEST_SKIP() << compiler.error().message;
  const ScratchFolder folder = ScratchFolder::make("sources").value();
  const std::string text = *read_text_file(RPL_SOURCES "/kernels.hip");
  for (const char* name : {"outer::inner::tall<double, 2>", "hidden", "overloaded(int*)",
                           "overloaded(float*, int)", "plain", "forward", "attributed", "calls"}) {
    const auto check =
        check_syntax(compiler, {.baseline = text, .candidate = text, .kernel = name});
    ASSERT_TRUE(check.has_value()) << name << ": " << check.error().message;
    EXPECT_TRUE(check->ran) << name << ": " << check->why_not;
    EXPECT_TRUE(check->reasons.empty()) << name;
    // The first is read without anything kept; the headers are the same for all others.
    compiler->cache = folder.path();
  }
}

}  // namespace
}  // namespace rpl
