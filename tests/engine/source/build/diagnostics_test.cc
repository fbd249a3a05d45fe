// SPDX-License-Identifier: MIT
#include "engine/source/build/build.h"

#include <gtest/gtest.h>

namespace rpl {
namespace {

TEST(Diagnostics, HavePlaceSeverityAndMessage) {
  const auto found = read_diagnostics(
      "dir/a:b.hip:12:5: error: use of undeclared identifier 'q'\n"
      "   12 |     q = 1;\n      |     ^\n"
      "a.hip:7: warning: unused: x\n"
      "clang: error: no such file\n"
      "a.h:1:10: fatal error: 'b.h' file not found\n");
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].file, "dir/a:b.hip");
  EXPECT_EQ(found[0].line, 12);
  EXPECT_EQ(found[0].column, 5);
  EXPECT_EQ(found[0].severity, "error");
  EXPECT_EQ(found[0].message, "use of undeclared identifier 'q'");
  EXPECT_EQ(found[1].line, 7);
  EXPECT_EQ(found[1].column, 0);
  EXPECT_EQ(found[1].message, "unused: x");
  EXPECT_EQ(found[2].file, "clang");
  EXPECT_EQ(found[2].line, 0);
  EXPECT_EQ(found[3].severity, "fatal error");
}

TEST(Diagnostics, NameWhatTheLinkerMisses) {
  const auto found = read_diagnostics(
      "/usr/bin/ld: crt1.o: in function `_start':\n(.text+0x17): undefined reference to `main'\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "undefined reference to `main'");
}

TEST(Diagnostics, OfALinkerAreItsOwnLines) {
  BuildOutcome outcome;
  outcome.diagnostics = read_diagnostics(
      "/usr/bin/ld: /tmp/b.o:(.bss+0x8): multiple definition of `x'; /tmp/a.o:(.bss+0x8): first "
      "defined here\n/usr/bin/x86_64-linux-gnu-ld: cannot find -lq: No such file or directory\n"
      "ld.lld: error: undefined symbol: f()\n"
      "clang++-19: error: linker command failed with exit code 1 (use -v to see invocation)\n");
  ASSERT_EQ(outcome.diagnostics.size(), 4U);
  EXPECT_EQ(first_error(outcome),
            "linker: multiple definition of `x'; /tmp/a.o:(.bss+0x8): first "
            "defined here\nlinker: cannot find -lq: No such file or directory\n"
            "linker: undefined symbol: f()");
  // Without a line of the linker's that is read, the driver's is better than nothing.
  outcome.diagnostics = {outcome.diagnostics.back()};
  EXPECT_EQ(first_error(outcome),
            "clang++-19: linker command failed with exit code 1 (use -v to see invocation)");
}

TEST(Diagnostics, AnyTextIsReadable) {
  EXPECT_TRUE(read_diagnostics("").empty());
  EXPECT_TRUE(read_diagnostics("\n\n:::\n: : :\nerror\n").empty());
  EXPECT_EQ(read_diagnostics(": error: ").front().file, "");
  EXPECT_EQ(read_diagnostics("a:99999999999999999999: error: x").front().line, 0);
}

}  // namespace
}  // namespace rpl
