// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shell/core/command/command.h"

namespace rpl::testing_support {

/// An example of a command's definition with real paths for TRACE, OBJECT, CAPTURE, PACKED, UNFINISHED, PROFILE, SAMPLES, PROGRAM, ATT and ATT_AFTER. `examples` is the folder of that name.
inline std::string with_paths(std::string line, const std::string& recording,
                              const std::string& examples) {
  const std::pair<std::string_view, std::string> places[] = {
      {"TRACE", recording},
      {"SPACE", examples + "/tuning/tiles.json"},
      {"CACHE", examples + "/tuning/tiled_matmul.cache.json"},
      {"TUNING", examples + "/tuning/folder"},
      {"OBJECT", examples + "/hip/objects/vector_add.gfx942.co"},
      {"SAMPLES", examples + "/../tests/engine/optimize/measure/noise/noise.jsonl.gz"},
      {"RULES", examples + "/contracts/softmax.contract"},
      {"PROFILE", examples + "/profiles/stencil.json"},
      {"CAPTURE", examples + "/captures/softmax"},
      {"PACKED", examples + "/captures/vector_add.tar.zst"},
      {"UNFINISHED", "unfinished"},
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

/// Whether a command steps kernels alone: others of its chapter are about the optimization, unless a kernel is stopped.
inline bool about_the_debugger(const Command& command, const std::string& example) {
  static const std::set<std::string> loop{"step", "next", "finish", "continue", "iterate"};
  return command.chapter == Class::stepping && !loop.contains(command.path) && !example.empty();
}

/// The line that stops a kernel for examples which look at one; "" for other examples.
inline std::string stops_a_kernel(const Command& command, const std::string& example,
                                  const std::string& examples) {
  static const std::set<std::string> looking{"x",
                                             "list",
                                             "info waves",
                                             "info workgroups",
                                             "info registers",
                                             "info lanes",
                                             "search",
                                             "reverse-search",
                                             "info frame",
                                             "frame function",
                                             "info source",
                                             "info args",
                                             "info locals",
                                             "info scope",
                                             "info symbol",
                                             "info address",
                                             "info sources",
                                             "info files",
                                             "info target",
                                             "info sharedlibrary",
                                             "info functions",
                                             "info all-registers"};
  static const std::set<std::string> before{
      "break", "tbreak",   "delete",    "enable", "disable",         "enable once",
      "clear", "commands", "condition", "ignore", "save breakpoints"};
  const bool needs = looking.contains(command.path) ||
                     (about_the_debugger(command, example) && !before.contains(command.path));
  if (!needs) return "";
  return "kernel run " + examples +
         "/hip/objects/normalize.gfx942.co --grid 256 --workgroup 128 --arg f32:iota:1000 --arg "
         "f32:zero:1000 --arg i32:200 --arg i32:5 --stop";
}

/// What examples of a command find done: those about jobs one that has ended; none for other examples.
inline std::vector<std::string> lines_before(const Command& command, const std::string& examples) {
  // And those about tunings one that is done.
  if (command.path == "tune status" || command.path == "tune resume")
    return {"tune import " + examples + "/tuning/tiled_matmul.cache.json"};
  // And those about breakpoints one.
  static const std::set<std::string> points{"clear",  "commands",    "condition",
                                            "ignore", "enable once", "save breakpoints"};
  if (points.contains(command.path)) return {"break vector_add"};
  // And the comparison of a listing a thread trace to compare with.
  if (command.path == "list") return {"att open " + examples + "/att/rowsum"};
  if (command.path != "job show" && command.path != "job stop") return {};
  return {"background info arch MI300X", "job wait"};
}

/// A JSON document without what differs from run to run: times of this machine, and process ids in the names of databases and traces.
inline std::string without_emulation_time(std::string json) {
  for (const std::string_view time : {"\"emulation_s\":", "\"elapsed_ns\":"}) {
    const std::size_t at = json.find(time);
    if (at != std::string::npos) json.erase(at, json.find('\n', at) + 1 - at);
  }
  if (const std::size_t free = json.find(" GiB free"); free != std::string::npos) {
    const std::size_t first = json.find_last_not_of("0123456789.", free - 1) + 1;
    json.erase(first, free - first);
  }
  for (const std::string_view ending : {"_results.db", "_att/"}) {
    for (std::size_t name = json.find(ending); name != std::string::npos;
         name = json.find(ending, name + 1)) {
      const std::size_t first = json.find_last_not_of("0123456789", name - 1) + 1;
      json.erase(first, name - first);
      name = first;
    }
  }
  return json;
}

}  // namespace rpl::testing_support
