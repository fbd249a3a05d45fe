// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace rpl::testing_support {

/// An example of a command's definition with real paths for TRACE, OBJECT, CAPTURE, PROFILE, ATT and ATT_AFTER. `examples` is the folder of that name.
inline std::string with_paths(std::string line, const std::string& recording,
                              const std::string& examples) {
  const std::pair<std::string_view, std::string> places[] = {
      {"TRACE", recording},
      {"OBJECT", examples + "/hip/objects/vector_add.gfx942.co"},
      {"PROFILE", examples + "/profiles/stencil.json"},
      {"CAPTURE", examples + "/captures/softmax"},
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

/// A JSON document without the one field that differs from run to run.
inline std::string without_emulation_time(std::string json) {
  const std::size_t at = json.find("  \"emulation_s\":");
  if (at != std::string::npos) json.erase(at, json.find('\n', at) + 1 - at);
  return json;
}

}  // namespace rpl::testing_support
