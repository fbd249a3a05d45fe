// SPDX-License-Identifier: MIT
#include "engine/capture/facts_json.h"

#include <fmt/format.h>

#include <limits>

namespace rpl {
namespace {

constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMost64 = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kMostTables = 64;

/// A field that is an object, or nothing.
Result<std::optional<JsonFields>> object_in(const JsonFields& fields, std::string_view key) {
  const Value* value = fields.find(key);
  if (value == nullptr) return std::optional<JsonFields>();
  return std::optional<JsonFields>(TRY(JsonFields::of(*value, fields.member(key))));
}

Result<std::string> optional_text(const JsonFields& fields, std::string_view key) {
  if (fields.find(key) == nullptr) return std::string();
  return fields.text(key);
}

Result<std::uint32_t> optional_32(const JsonFields& fields, std::string_view key) {
  if (fields.find(key) == nullptr) return 0U;
  return static_cast<std::uint32_t>(TRY(fields.number(key, kMost32)));
}

Value queue_json(const CapturedQueue& queue) {
  return Value(
      Record{{"id", Value(queue.id)},
             {"size", Value(queue.size)},
             {"priority", queue.priority ? Value(std::int64_t{*queue.priority}) : Value()}});
}

Value runtime_json(const CapturedRuntime& runtime) {
  List tables;
  for (const CapturedTable& table : runtime.tables) {
    tables.emplace_back(Record{{"name", Value(table.name)},
                               {"major", Value(table.major)},
                               {"minor", Value(table.minor)},
                               {"step", Value(table.step)}});
  }
  return Value(Record{{"name", Value(runtime.name)},
                      {"tables", Value(std::move(tables))},
                      {"rocm_version", Value(runtime.rocm_version)}});
}

Result<CapturedQueue> read_queue(const JsonFields& fields) {
  CapturedQueue queue;
  if (fields.find("id") != nullptr) queue.id = TRY(fields.number("id", kMost64));
  queue.size = TRY(optional_32(fields, "size"));
  if (const Value* value = fields.find("priority")) {
    const auto* number = value->as<std::int64_t>();
    constexpr std::int64_t kMostPriority = std::numeric_limits<std::int32_t>::max();
    if (number == nullptr || *number > kMostPriority || *number < -kMostPriority)
      return fields.error("priority", "is not a whole number");
    queue.priority = static_cast<std::int32_t>(*number);
  }
  return queue;
}

Result<CapturedAgent> read_agent(const JsonFields& fields) {
  CapturedAgent agent;
  agent.name = TRY(optional_text(fields, "name"));
  agent.isa = TRY(optional_text(fields, "isa"));
  agent.index = TRY(optional_32(fields, "index"));
  return agent;
}

Result<CapturedRuntime> read_runtime(const JsonFields& fields) {
  CapturedRuntime runtime;
  runtime.name = TRY(optional_text(fields, "name"));
  runtime.rocm_version = TRY(optional_text(fields, "rocm_version"));
  if (fields.find("tables") == nullptr) return runtime;
  const List* tables = TRY(fields.list("tables"));
  if (tables->size() > kMostTables)
    return fields.error("tables",
                        fmt::format("has {} elements, above {}", tables->size(), kMostTables));
  for (std::size_t i = 0; i < tables->size(); ++i) {
    const JsonFields row = TRY(JsonFields::of((*tables)[i], fields.element("tables", i)));
    CapturedTable table;
    table.name = TRY(optional_text(row, "name"));
    table.major = TRY(optional_32(row, "major"));
    table.minor = TRY(optional_32(row, "minor"));
    table.step = TRY(optional_32(row, "step"));
    runtime.tables.push_back(std::move(table));
  }
  return runtime;
}

}  // namespace

void add_facts(const CaptureFacts& facts, Record& head) {
  if (facts.dispatch_index) head.emplace_back("dispatch_index", Value(*facts.dispatch_index));
  if (!facts.demangled.empty()) head.emplace_back("demangled_name", Value(facts.demangled));
  if (!facts.time.empty()) head.emplace_back("time", Value(facts.time));
  if (facts.packet) head.emplace_back("packet", Value(packet_hex(*facts.packet)));
  if (facts.queue) head.emplace_back("queue", queue_json(*facts.queue));
  if (facts.agent) {
    head.emplace_back("agent", Value(Record{{"name", Value(facts.agent->name)},
                                            {"isa", Value(facts.agent->isa)},
                                            {"index", Value(facts.agent->index)}}));
  }
  if (facts.runtime) head.emplace_back("runtime", runtime_json(*facts.runtime));
}

Result<CaptureFacts> read_facts(const JsonFields& head) {
  CaptureFacts facts;
  facts.demangled = TRY(optional_text(head, "demangled_name"));
  facts.time = TRY(optional_text(head, "time"));
  if (head.find("dispatch_index") != nullptr)
    facts.dispatch_index = TRY(head.number("dispatch_index", kMost64));
  if (head.find("packet") != nullptr) {
    facts.packet = parse_packet(TRY(head.text("packet")));
    if (!facts.packet) return head.error("packet", "is not 64 bytes in hexadecimal");
  }
  if (const auto queue = TRY(object_in(head, "queue"))) facts.queue = TRY(read_queue(*queue));
  if (const auto agent = TRY(object_in(head, "agent"))) facts.agent = TRY(read_agent(*agent));
  if (const auto runtime = TRY(object_in(head, "runtime")))
    facts.runtime = TRY(read_runtime(*runtime));
  return facts;
}

void add_origin(const CapturedRegion& region, Record& row) {
  if (region.kind != RegionKind::unknown) row.emplace_back("kind", Value(to_string(region.kind)));
  if (!region.owner.empty()) row.emplace_back("owner", Value(region.owner));
  if (region.flags == 0) return;
  List flags;
  for (const std::string_view name : pool_flag_names(region.flags)) flags.emplace_back(name);
  row.emplace_back("flags", Value(std::move(flags)));
}

Status read_origin(const JsonFields& row, CapturedRegion& region) {
  region.owner = TRY(optional_text(row, "owner"));
  if (row.find("kind") != nullptr) {
    const auto kind = parse_region_kind(TRY(row.text("kind")));
    if (!kind) return row.error("kind", "is not a kind of memory");
    region.kind = *kind;
  }
  if (row.find("flags") == nullptr) return {};
  for (const Value& value : *TRY(row.list("flags"))) {
    const auto* name = value.as<std::string>();
    const std::uint32_t bit = name == nullptr ? 0 : pool_flag(*name);
    if (bit == 0) return row.error("flags", "names no property of a pool");
    region.flags |= bit;
  }
  return {};
}

}  // namespace rpl
