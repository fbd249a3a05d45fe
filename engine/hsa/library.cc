// SPDX-License-Identifier: MIT
#include "engine/hsa/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace rpl::hsa {
namespace {

constexpr const char* kRuntime = "libhsa-runtime64.so.1";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// In the order in which they are tried.
std::vector<std::string> places() {
  if (const std::string named = variable("RPL_HSA_RUNTIME"); !named.empty()) {
    std::error_code ignored;
    return {std::filesystem::is_directory(named, ignored) ? named + "/" + kRuntime : named};
  }
  const std::string rocm = variable("ROCM_PATH");
  return {kRuntime, (rocm.empty() ? "/opt/rocm" : rocm) + "/lib/" + kRuntime};
}

/// The file that a function is in.
std::string file_of(const Function<Status()>& function) {
  Dl_info info{};
  return ::dladdr(reinterpret_cast<const void*>(function.call), &info) == 0 ||
                 info.dli_fname == nullptr
             ? std::string()
             : info.dli_fname;
}

/// ROCm writes its version beside its folder of libraries.
std::string version_beside(const std::string& library) {
  std::error_code failed;
  const auto real = std::filesystem::canonical(library, failed);
  if (failed) return {};
  std::ifstream file(real.parent_path().parent_path() / ".info" / "version");
  std::string line;
  std::getline(file, line);
  return line;
}

template <class Type>
void resolve(void* library, Function<Type>& function) {
  function.call = reinterpret_cast<Type*>(::dlsym(library, function.name));
}

}  // namespace

rpl::Status check_complete(const Api& api) {
  const char* lacks = nullptr;
#define RPL_HSA_CHECK(member, symbol, ...) \
  if (lacks == nullptr && api.member.call == nullptr) lacks = api.member.name;
  RPL_HSA_FUNCTIONS(RPL_HSA_CHECK)
#undef RPL_HSA_CHECK
  if (lacks == nullptr) return {};
  return fail(Errc::missing_capability, fmt::format("this HSA runtime has no {}", lacks),
              "replay on a GPU needs ROCm 6.0 or newer; or use --target emu");
}

Result<Library> open_library() {
  std::string tried;
  for (const std::string& place : places()) {
    void* library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      const char* why = ::dlerror();
      tried += (tried.empty() ? "" : "; ") + std::string(why != nullptr ? why : place);
      continue;
    }
    Library found{.path = place, .rocm_version = {}, .api = {}};
#define RPL_HSA_RESOLVE(member, symbol, ...) resolve(library, found.api.member);
    RPL_HSA_FUNCTIONS(RPL_HSA_RESOLVE)
#undef RPL_HSA_RESOLVE
    TRY(check_complete(found.api));
    if (std::string file = file_of(found.api.init); !file.empty()) found.path = std::move(file);
    found.rocm_version = version_beside(found.path);
    return found;
  }
  return fail(Errc::missing_capability, fmt::format("no HSA runtime could be opened: {}", tried),
              "replay on a GPU needs ROCm; RPL_HSA_RUNTIME names its libhsa-runtime64.so.1; or use "
              "--target emu");
}

}  // namespace rpl::hsa
