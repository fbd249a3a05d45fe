// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace rpl::testing_support {

/// An example of a command's definition with real paths for TRACE, OBJECT, CAPTURE, PROFILE, PROGRAM, ATT and ATT_AFTER. `examples` is the folder of that name.
inline std::string with_paths(std::string line, const std::string& recording,
                              const std::string& examples) {
  const std::pair<std::string_view, std::string> places[] = {
      {"TRACE", recording},
      {"OBJECT", examples + "/hip/objects/vector_add.gfx942.co"},
      {"PROFILE", examples + "/profiles/stencil.json"},
      {"CAPTURE", examples + "/captures/softmax"},
#ifdef RPL_HIP_EXAMPLE
      {"PROGRAM", RPL_HIP_EXAMPLE},
#endif
      {"ATT_AFTER", examples + "/att/rowsum_prefetch"},
      {"ATT", examples + "/att/rowsum"}};
  for (const auto& [word, path] : places) {
    for (std::size_t at = line.find(word); at != std::string::npos;
         at = line.find(word, at + path.size())) {
      line.replace(at, word.size(), path);
    }
  }
  return line;
}

/// Whether what the example names is there: a HIP program is not where everything is built with sanitizers.
inline bool can_run(std::string_view example) {
#ifdef RPL_HIP_EXAMPLE
  return !example.empty();
#else
  return example.find("PROGRAM") == std::string_view::npos;
#endif
}

/// A JSON document without what differs from run to run: the time of emulation, and process ids in the names of databases.
inline std::string without_emulation_time(std::string json) {
  const std::size_t at = json.find("  \"emulation_s\":");
  if (at != std::string::npos) json.erase(at, json.find('\n', at) + 1 - at);
  constexpr std::string_view kName = "_results.db";
  for (std::size_t name = json.find(kName); name != std::string::npos; name = json.find(kName, name + 1)) {
    const std::size_t first = json.find_last_not_of("0123456789", name - 1) + 1;
    json.erase(first, name - first);
    name = first;
  }
  return json;
}

}  // namespace rpl::testing_support
