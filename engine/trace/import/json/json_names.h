// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/import/json/json_sections.h"

namespace rpl {

/// What the numbers `kind` and `operation` of a process's records mean (strings.buffer_records). The numbers differ
/// between releases, so they are always looked up.
class JsonNames {
 public:
  static Result<JsonNames> read(JsonSections& sections, std::size_t process);

  /// "HIP_RUNTIME_API_EXT"; "kind 12" when the file does not name it.
  [[nodiscard]] std::string kind(std::int64_t kind) const;
  /// "hipLaunchKernel"; "operation 12" when the file does not name it.
  [[nodiscard]] std::string operation(std::int64_t kind, std::int64_t operation) const;

 private:
  struct Kind {
    std::string name;
    std::vector<std::string> operations;
  };
  std::vector<Kind> kinds_;
};

/// What the recorder calls an agent in records (a handle) and elsewhere (its node).
using JsonAgents = std::unordered_map<std::uint64_t, std::int64_t>;

/// Of one process: from agents[].id.handle to agents[].node_id.
Result<JsonAgents> read_json_agents(JsonSections& sections, std::size_t process);

/// The recorded id of an agent: its node, or the handle itself when the file does not list it.
std::int64_t recorded_agent(const JsonAgents& agents, std::int64_t handle);

/// Who a process is: enough to find it again in the merged trace.
struct JsonProcess {
  std::int64_t pid = 0, start_ns = 0, end_ns = 0;
  std::string hostname, command;
};
Result<JsonProcess> read_json_process(JsonSections& sections, std::size_t process);

}  // namespace rpl
