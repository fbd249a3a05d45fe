// SPDX-License-Identifier: MIT
#include "tests/differential/compiled.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdio>
#include <fstream>

#include "engine/process/run.h"

namespace rpl::differential {
namespace {

constexpr const char* kCompiler = "clang-19";

Status start_compiler(std::vector<std::string> arguments, const std::string& text,
                      const std::string& stem, const std::string& output) {
  const std::string source = stem + ".ll";
  if (!(std::ofstream(source) << text)) return fail(Errc::io, "cannot write " + source);
  std::vector<std::string> argv{kCompiler, "-x", "ir", "-w", "-ffp-contract=off"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  argv.insert(argv.end(), {source, "-o", output});
  const Spawn spawn{.argv = std::move(argv)};
  const auto exit = TRY(run(spawn));
  return check_exit(spawn, exit);
}

// Instructions for what would otherwise be calls; the results are the same.
void add_host_features(std::vector<std::string>& arguments) {
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0)
    arguments.insert(arguments.end(), {"-mavx2", "-mfma", "-mf16c"});
}

}  // namespace

bool clang_is_there() {
  const auto exit = run({.argv = {kCompiler, "--target=amdgcn-amd-amdhsa", "-mcpu=gfx90a",
                                  "-nogpulib", "-x", "ir", "-", "-o", "/dev/null"},
                         .stdin_text = "define void @f() {\n  ret void\n}\n"});
  return exit.has_value() && exit->ok();
}

HostModule::HostModule(void* handle) : handle_(handle, [](void* h) { ::dlclose(h); }) {}

Result<HostModule> HostModule::compile(const std::string& text, int level, const std::string& stem,
                                       Instructions instructions) {
  const std::string output = stem + ".so";
  std::vector<std::string> arguments{fmt::format("-O{}", level), "-shared", "-fPIC", "-fuse-ld=lld",
                                     "-lm"};
  if (instructions == Instructions::own) add_host_features(arguments);
  TRY(start_compiler(std::move(arguments), text, stem, output));
  void* handle = ::dlopen(output.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return fail(Errc::io, ::dlerror());
  return HostModule(handle);
}

HostFunction HostModule::function(const std::string& name) const {
  return reinterpret_cast<HostFunction>(::dlsym(handle_.get(), name.c_str()));
}

Result<std::shared_ptr<const isa::CodeObject>> compile_device(
    const std::string& text, Target target, int level, const std::string& stem,
    const std::vector<std::string>& more) {
  const std::string output = stem + ".co";
  std::vector<std::string> arguments{"--target=amdgcn-amd-amdhsa",
                                     fmt::format("-mcpu={}", to_string(target)), "-nogpulib",
                                     fmt::format("-O{}", level)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  TRY(start_compiler(std::move(arguments), text, stem, output));
  return isa::CodeObject::open(output);
}

}  // namespace rpl::differential
