// SPDX-License-Identifier: MIT
#include "engine/source/build/flags.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rpl {
namespace {

using Words = std::vector<std::string>;

TEST(CompilerFlags, ThoseThatChooseHowCodeIsMadeArePassedOn) {
  for (const Words& words :
       {Words{"-O3"}, Words{"-ffast-math", "-DTILE=16"}, Words{"-I", "headers"}, Words{"-I/opt/x"},
        Words{"-g", "-gline-tables-only"}, Words{"-mcode-object-version=4"}, Words{"-w"},
        Words{"-std=c++20"}, Words{"-munsafe-fp-atomics"},
        Words{"-mllvm", "-amdgpu-early-inline-all"}, Words{"-ffp-contract=off"},
        Words{"-Wno-unused"}, Words{"-lm", "-L", "lib"}, Words{"-fsanitize=address"},
        Words{"-march=native"}, Words{"-Wl,--no-as-needed,-l:libx.so.6,--as-needed"},
        Words{"-Wl,-rpath,/opt/x/lib"}, Words{"-Wl,-rpath=$ORIGIN,-z,now,--build-id"}})
    EXPECT_TRUE(check_compiler_flags(words)) << words.front();
}

TEST(CompilerFlags, ThoseThatLoadReadOrWriteAreNot) {
  for (const Words& words :
       {Words{"-fplugin=./evil.so"},
        // Files beside the output, profiles, another assembler.
        Words{"-fstack-usage"}, Words{"-fcallgraph-info"}, Words{"-fdump-tree-all"},
        Words{"-fdiagnostics-add-output=sarif:file=x"}, Words{"-fauto-profile=x"},
        Words{"-fcs-profile-generate=x"}, Words{"-fmemory-profile=x"}, Words{"-fno-integrated-as"},
        Words{"-fpass-plugin=./evil.so"}, Words{"-Xclang", "-load"}, Words{"-B."}, Words{"-B", "."},
        Words{"--config", "x"}, Words{"--config=x"}, Words{"@file"}, Words{"-o", "k.hip"},
        Words{"-ok.hip"}, Words{"-Wl,-plugin,x"}, Words{"-Wl,--as-needed,-plugin=x"},
        Words{"-Wl,-rpath,@x"}, Words{"-Wl,-T,x"}, Words{"-Wl,-Map=x"}, Words{"-Wl,x.o"},
        Words{"-Wa,--x"}, Words{"-Wp,-MD,x"}, Words{"-include", "/etc/passwd"},
        Words{"-imacros", "x"}, Words{"-MF", "x"}, Words{"-MD"}, Words{"-save-temps"},
        Words{"-fsave-optimization-record"}, Words{"-ftime-trace=x"}, Words{"-fprofile-use=x"},
        Words{"-fmodules-cache-path=x"}, Words{"-mllvm", "-load=x.so"},
        Words{"-mllvm", "-debug-pass-file=x"}, Words{"-mllvm"},
        Words{"-mlink-builtin-bitcode", "x"}, Words{"-I", "@file"}, Words{"-I"}, Words{"-I", "-o"},
        Words{"-fuse-ld=./evil"}, Words{"--rocm-path=."}, Words{"-x", "c"}, Words{"-E"},
        Words{"--sysroot=."}, Words{"-specs=x"}, Words{"-fdump-record=/tmp/x"}, Words{""},
        Words{"k.hip"}, Words{"-"}, Words{"-gsplit-dwarf"}, Words{"-ccc-install-dir", "."}})
    EXPECT_FALSE(check_compiler_flags(words)) << words.front();
}

/// Each with its value behind an equals sign, as the next word, and through the front end's own options: refused in every place of a list.
TEST(CompilerFlags, WhatAnAgentWouldTryIsRefusedWhereverItStands) {
  for (const char* word : {"-fplugin=./e.so",
                           "-fplugin-arg-e-x=/etc/passwd",
                           "-fpass-plugin=./e.so",
                           "-load=./e.so",
                           "-Xclang",
                           "-Xclang=-load",
                           "-Xarch_device",
                           "-Xarch_host",
                           "-Xassembler",
                           "-Xlinker",
                           "-Xpreprocessor",
                           "-Xcuda-ptxas",
                           "-Xoffload-linker",
                           "-mllvm=-load=./e.so",
                           "-mllvm=-pass-remarks-output=x",
                           "-mllvm=-debug-pass-file=x",
                           "@file",
                           "@./file",
                           "-include",
                           "-include=/etc/passwd",
                           "-include/etc/passwd",
                           "--include=/etc/passwd",
                           "-imacros",
                           "-include-pch",
                           "-specs=x",
                           "--specs=x",
                           "-specs",
                           "-B.",
                           "-B/tmp",
                           "--prefix=x",
                           "-wrapper",
                           "-wrapper=sh",
                           "--config=x",
                           "--config",
                           "--config-user-dir=.",
                           "--config-system-dir=.",
                           "-fuse-ld=/tmp/evil",
                           "-fuse-ld=evil",
                           "--ld-path=/tmp/evil",
                           "-save-temps",
                           "-save-temps=obj",
                           "-save-temps=cwd",
                           "--save-temps",
                           "-dependency-file",
                           "-dependency-file=x",
                           "-MMD",
                           "-MFx",
                           "-MJx",
                           "-o",
                           "-ok.hip",
                           "--output=k.hip",
                           "-dumpdir",
                           "-dumpbase",
                           "-serialize-diagnostics",
                           "--serialize-diagnostics=x",
                           "-working-directory=/etc",
                           "-ivfsoverlay",
                           "-resource-dir=.",
                           "-isysroot",
                           "-cc1",
                           "-cc1as",
                           "-no-canonical-prefixes",
                           "-fmodule-map-file=x",
                           "-fmodule-file=x",
                           "-fdebug-compilation-dir=/x",
                           "-gcc-toolchain",
                           "--gcc-toolchain=.",
                           "--hip-path=.",
                           "--hip-device-lib-path=.",
                           "--cuda-path=.",
                           "-print-search-dirs",
                           "-T",
                           "-Tx.ld",
                           "-Wl,-T,x.ld",
                           "-Wl,--dynamic-linker=/x",
                           "-Wl,-o,x",
                           "-Wl,@file",
                           "--driver-mode=gcc"}) {
    EXPECT_FALSE(check_compiler_flags(Words{word})) << word;
    EXPECT_FALSE(check_compiler_flags(Words{"-O3", word, "x"})) << word;
    EXPECT_FALSE(check_compiler_flags(Words{"-g", word})) << word;
  }
}

/// These are passed on ("-load" is the library "oad" to a compiler): what they can cost is held by the limits of confined compilers, what they name by what those may read (ConfinedBuild).
TEST(CompilerFlags, WhatOnlyCostsTimeIsHeldByLimits) {
  for (const char* word :
       {"-fconstexpr-steps=4294967295", "-fconstexpr-depth=1000000", "-ftemplate-depth=1000000",
        "-fbracket-depth=1000000", "-I/etc", "-load"})
    EXPECT_TRUE(check_compiler_flags(Words{word})) << word;
}

TEST(CompilerFlags, ARefusalNamesTheWord) {
  const auto refused = check_compiler_flags(Words{"-O3", "-fplugin=./evil.so"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::denied);
  EXPECT_NE(refused.error().message.find("'-fplugin=./evil.so'"), std::string::npos);
}

TEST(CompilerFlags, APathIsAPath) {
  EXPECT_TRUE(check_compiler_path("k.hip"));
  EXPECT_TRUE(check_compiler_path("./@k.hip"));
  for (const char* path : {"@k.hip", "-k.hip", ""}) EXPECT_FALSE(check_compiler_path(path)) << path;
}

}  // namespace
}  // namespace rpl
