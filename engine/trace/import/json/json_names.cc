// SPDX-License-Identifier: MIT
#include "engine/trace/import/json/json_names.h"

#include <fmt/format.h>

#include <utility>

namespace rpl {

namespace {

/// The strings of an array of strings, given as JSON text that simdjson has already walked over.
std::vector<std::string> strings_of(std::string_view array) {
  std::vector<std::string> out;
  std::size_t at = array.find('"');
  while (at != std::string_view::npos) {
    std::string text;
    for (++at; at < array.size() && array[at] != '"'; ++at) {
      if (array[at] == '\\' && at + 1 < array.size()) ++at;
      text += array[at];
    }
    out.push_back(std::move(text));
    at = at < array.size() ? array.find('"', at + 1) : std::string_view::npos;
  }
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

Result<JsonNames> JsonNames::read(JsonSections& sections, std::size_t process) {
  JsonNames names;
  TRY(sections.rows(
      process, "strings.buffer_records", {{"kind", JsonType::text}, {"operations", JsonType::raw}},
      [&](std::span<const JsonCell> cells) -> Status {
        names.kinds_.push_back({std::string(cells[0].text), strings_of(cells[1].text)});
        return {};
      }));
  return names;
}

std::string JsonNames::kind(std::int64_t kind) const {
  const auto index = static_cast<std::uint64_t>(kind);
  if (index < kinds_.size() && !kinds_[index].name.empty()) return kinds_[index].name;
  return fmt::format("kind {}", kind);
}

std::string JsonNames::operation(std::int64_t kind, std::int64_t operation) const {
  const auto index = static_cast<std::uint64_t>(kind);
  const auto inner = static_cast<std::uint64_t>(operation);
  if (index < kinds_.size() && inner < kinds_[index].operations.size()) {
    return kinds_[index].operations[inner];
  }
  return fmt::format("operation {}", operation);
}

Result<JsonAgents> read_json_agents(JsonSections& sections, std::size_t process) {
  JsonAgents agents;
  TRY(sections.rows(process, "agents", {{"id.handle", JsonType::handle, true}, {"node_id"}},
                    [&](std::span<const JsonCell> cells) -> Status {
                      const auto handle = static_cast<std::uint64_t>(cells[0].integer);
                      agents[handle] = cells[1].present ? cells[1].integer : cells[0].integer;
                      return {};
                    }));
  return agents;
}

std::int64_t recorded_agent(const JsonAgents& agents, std::int64_t handle) {
  const auto found = agents.find(static_cast<std::uint64_t>(handle));
  return found == agents.end() ? handle : found->second;
}

Result<JsonProcess> read_json_process(JsonSections& sections, std::size_t process) {
  JsonProcess out;
  TRY(sections.rows(process, "metadata",
                    {{"pid"},
                     {"init_time"},
                     {"fini_time"},
                     {"node.hostname", JsonType::text},
                     {"command", JsonType::raw}},
                    [&](std::span<const JsonCell> cells) -> Status {
                      out.pid = cells[0].integer;
                      out.start_ns = cells[1].integer;
                      out.end_ns = cells[2].integer;
                      out.hostname = std::string(cells[3].text);
                      out.command = joined(strings_of(cells[4].text));
                      return {};
                    }));
  return out;
}

}  // namespace rpl
