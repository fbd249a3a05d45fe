// SPDX-License-Identifier: MIT
#include "engine/optimize/model/libcurl.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace rpl::llm {
namespace {

/// The function called `name`, kept in `function`; false when the library lacks it.
template <class Function>
bool resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

bool resolve_all(void* library, LibCurl& out) {
  return resolve(library, "curl_global_init", out.global_init) &&
         resolve(library, "curl_free", out.free) && resolve(library, "curl_getdate", out.getdate) &&
         resolve(library, "curl_easy_init", out.easy_init) &&
         resolve(library, "curl_easy_reset", out.easy_reset) &&
         resolve(library, "curl_easy_cleanup", out.easy_cleanup) &&
         resolve(library, "curl_easy_setopt", out.easy_setopt) &&
         resolve(library, "curl_easy_perform", out.easy_perform) &&
         resolve(library, "curl_easy_getinfo", out.easy_getinfo) &&
         resolve(library, "curl_easy_strerror", out.easy_strerror) &&
         resolve(library, "curl_slist_append", out.slist_append) &&
         resolve(library, "curl_slist_free_all", out.slist_free_all) &&
         resolve(library, "curl_url", out.url) && resolve(library, "curl_url_set", out.url_set) &&
         resolve(library, "curl_url_get", out.url_get) &&
         resolve(library, "curl_url_cleanup", out.url_cleanup);
}

Result<LibCurl> open_libcurl() {
  std::string why;
  for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
    void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    LibCurl out;
    if (library != nullptr && resolve_all(library, out) &&
        out.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK)
      return out;
    const char* said = ::dlerror();
    why += fmt::format("{}{}", why.empty() ? "" : "; ",
                       said != nullptr ? said : fmt::format("{} does not start", name));
  }
  return fail(Errc::missing_capability, "no libcurl to ask a language model with: " + why,
              "apt-get install libcurl4");
}

}  // namespace

Result<const LibCurl*> libcurl() {
  // Never undone, because other threads may be in it when the program ends.
  static const Result<LibCurl> opened = open_libcurl();
  if (!opened) return Failure(opened.error());
  return &*opened;
}

}  // namespace rpl::llm
