// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <vector>

#include "engine/base/files.h"
#include "engine/base/policy.h"
#include "engine/base/sha256.h"
#include "engine/isa/traits/architecture.h"
#include "engine/process/run.h"
#include "engine/source/build/compiler.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

/// Where Debian 12 and Ubuntu have them, and Debian 13, which keeps them with the LLVM that made them.
constexpr std::string_view kSharedBitcode = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode";
constexpr std::string_view kBitcodeOfLlvm = "/usr/lib/llvm-{0}/lib/clang/{0}/amdgcn/bitcode";
constexpr int kOldestLlvm = 15;
/// The last version of clang that links what libraries of its time or older have.
constexpr int kLastThatLinksAll = 19;

/// The folder that has ocml.bc: the one that $RPL_DEVICE_LIBS names, or Debian's. A compiler reads bitcode of older versions, not of newer ones.
Result<std::string> installed_bitcode(const Compiler& compiler) {
  const auto is_there = [](const std::string& folder) { return fs::exists(folder + "/ocml.bc"); };
  const int newest = std::max(major_version(compiler), kOldestLlvm);
  const std::string hint = fmt::format(
      "'scripts/setup --kernels' installs them: rocm-device-libs, or rocm-device-libs-N of a "
      "version N up to {}",
      newest);
  const char* given = std::getenv("RPL_DEVICE_LIBS");
  if (given && *given) {
    if (is_there(given)) return std::string(given);
    return fail(Errc::missing_capability, fmt::format("no device libraries in {}", given), hint);
  }
  std::vector<std::string> places{std::string(kSharedBitcode)};
  for (int version = newest; version >= kOldestLlvm; --version)
    places.push_back(fmt::format(kBitcodeOfLlvm, version));
  const auto found = std::ranges::find_if(places, is_there);
  if (found != places.end()) return *found;
  return fail(
      Errc::missing_capability,
      fmt::format("no device libraries in {}, nor in /usr/lib/llvm-N/lib/clang/N/amdgcn/bitcode",
                  kSharedBitcode),
      hint);
}

/// What LLVM calls the version: gfx942 is 9402, gfx90a 9010 (the last digit is hexadecimal), gfx1100 11000.
Result<int> isa_number(std::string_view digits) {
  const auto hex_digit = [](char c) { return std::isdigit(c) ? c - '0' : c - 'a' + 10; };
  const bool plausible = digits.size() >= 3 && digits.size() <= 4 &&
                         digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  if (!plausible)
    return fail(Errc::usage, fmt::format("'gfx{}' is not an architecture", digits),
                "such as " + isa::architecture_names());
  const int stepping = hex_digit(digits.back());
  const int minor = hex_digit(digits[digits.size() - 2]);
  const int major = std::atoi(std::string(digits.substr(0, digits.size() - 2)).c_str());
  return major * 1000 + minor * 100 + stepping;
}

/// The one constant that an architecture's file holds; the layout string is clang's for amdgcn.
std::string isa_module(int number) {
  return fmt::format(
      "target datalayout = "
      "\"e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-v24:32-"
      "v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:"
      "7\"\n"
      "target triple = \"amdgcn-amd-amdhsa\"\n"
      "@__oclc_ISA_version = linkonce_odr protected local_unnamed_addr addrspace(4) constant i32 "
      "{}, align 4\n",
      number);
}

/// `wanted`: links to the files of `bitcode`, and in the place of one, or beside them, what a program makes at the path that it is told. Two programs may make the
/// folder at once: each makes its own and the first rename wins.
Result<std::string> folder_of_links(
    const std::string& bitcode, const std::string& wanted, const std::string& name,
    const std::function<Result<Spawn>(const std::string& made)>& making) {
  if (fs::exists(wanted + "/" + name)) return wanted;
  const std::string made = fmt::format("{}.{}.part", wanted, ::getpid());
  TRY(make_folder(made));
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(bitcode, error)) {
    if (entry.path().filename() != name)
      fs::create_symlink(entry.path(), made / entry.path().filename(), error);
  }
  const Spawn spawn = TRY(making(made + "/" + name));
  TRY(check_exit(spawn, TRY(run(spawn))));
  fs::rename(made, wanted, error);
  if (error) fs::remove_all(made, error);
  return wanted;
}

/// Beside the compiler, else by the name that Debian gives it.
std::string llvm_tool(const Compiler& compiler, const char* name) {
  std::error_code error;
  const fs::path program = fs::canonical(compiler.path, error);
  std::string out = (program.parent_path() / name).string();
  return fs::exists(out) ? out : fmt::format("{}-{}", name, major_version(compiler));
}

Result<std::string> linked_folder(const std::string& bitcode, std::string_view digits,
                                  const std::string& assembler, const std::string& cache) {
  const std::string wanted =
      fmt::format("{}/bitcode-{}-{}", cache, digits, sha256_hex(bitcode).substr(0, 8));
  return folder_of_links(bitcode, wanted, fmt::format("oclc_isa_version_{}.bc", digits),
                         [&](const std::string& made) -> Result<Spawn> {
                           const int number = TRY(isa_number(digits));
                           return Spawn{.argv = {assembler, "-", "-o", made},
                                        .program = Program::tool,
                                        .stdin_text = isa_module(number)};
                         });
}

}  // namespace

namespace {

std::string chosen_cache_folder() {
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  if (xdg && *xdg) return std::string(xdg) + "/rpl";
  const char* home = std::getenv("HOME");
  if (home && *home) return std::string(home) + "/.cache/rpl";
  // What is compiled is run: never from a folder that others may have made, as one below /tmp.
  const passwd* user = ::getpwuid(::getuid());
  if (user && user->pw_dir && *user->pw_dir) return std::string(user->pw_dir) + "/.cache/rpl";
  static const auto scratch = ScratchFolder::make("cache");
  return scratch ? scratch->path() : "/nonexistent/rpl";
}

}  // namespace

std::string cache_folder() {
  std::string out = chosen_cache_folder();
  own_folder(out);
  return out;
}

Result<std::string> device_libraries(const Compiler& compiler, const std::string& architecture,
                                     const std::string& cache_folder) {
  if (compiler.kind == Compiler::Kind::hipcc) return std::string();
  const std::string bitcode = TRY(installed_bitcode(compiler));
  if (!architecture.starts_with("gfx")) {
    return fail(Errc::usage, fmt::format("'{}' is not an architecture", architecture),
                "such as " + isa::architecture_names());
  }
  // "gfx90a:xnack+" has the libraries of gfx90a.
  const std::string_view digits =
      std::string_view(architecture).substr(3, architecture.find(':') - 3);
  if (fs::exists(fmt::format("{}/oclc_isa_version_{}.bc", bitcode, digits))) return bitcode;
  return linked_folder(bitcode, digits, llvm_tool(compiler, "llvm-as"), cache_folder);
}

std::vector<std::string> libraries_left_out(const Compiler& compiler, const std::string& folder) {
  std::vector<std::string> out;
  if (major_version(compiler) <= kLastThatLinksAll) return out;
  for (const char* name : {"hip.bc", "oclc_daz_opt_off.bc"}) {
    std::string path = fmt::format("{}/{}", folder, name);
    if (fs::exists(path)) out.push_back(std::move(path));
  }
  return out;
}

namespace {

/// A library as text, in `folder`, with functions that a linker of bitcode keeps though nothing calls them yet.
Result<std::string> kept_whole(const Compiler& compiler, const std::string& library,
                               const std::string& folder) {
  constexpr std::string_view kOnce = " linkonce_odr ", kKept = " weak_odr ";
  std::string out = fmt::format("{}/{}.ll", folder, fs::path(library).stem().string());
  const Spawn spawn{.argv = {llvm_tool(compiler, "llvm-dis"), library, "-o", out},
                    .program = Program::tool};
  TRY(check_exit(spawn, TRY(run(spawn))));
  const std::string text = TRY(read_text_file(out));
  std::string changed;
  for (std::size_t from = 0, at = 0; at != std::string::npos; from = at + kOnce.size()) {
    at = text.find(kOnce, from);
    changed += text.substr(from, at - from);
    if (at == std::string::npos) break;
    changed += kKept;
  }
  TRY(write_file(out, changed));
  return out;
}

}  // namespace

Result<std::string> device_libraries_of_programs(const Compiler& compiler,
                                                 const std::string& architecture,
                                                 const std::string& cache_folder) {
  const std::string bitcode = TRY(device_libraries(compiler, architecture, cache_folder));
  if (bitcode.empty()) return bitcode;
  const auto left_out = libraries_left_out(compiler, bitcode);
  if (left_out.empty()) return bitcode;
  const std::string wanted = fmt::format("{}/programs-{}-{}", cache_folder,
                                         sha256_hex(bitcode).substr(0, 8), major_version(compiler));
  const ScratchFolder scratch = TRY(ScratchFolder::make("bitcode"));
  return folder_of_links(bitcode, wanted, "ocml.bc", [&](const std::string& made) -> Result<Spawn> {
    Spawn out{.argv = {llvm_tool(compiler, "llvm-link"), "-o", made}, .program = Program::tool};
    out.argv.push_back(TRY(kept_whole(compiler, bitcode + "/ocml.bc", scratch.path())));
    for (const std::string& library : left_out)
      out.argv.push_back(TRY(kept_whole(compiler, library, scratch.path())));
    return out;
  });
}

}  // namespace rpl
