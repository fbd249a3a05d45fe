// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace rpl {

/// The columns of rocpd_kernel_dispatch that a trace keeps. Schema 4 has track_id instead of pid … stream_id.
enum class DispatchField : std::uint8_t {
  pid,
  tid,
  agent,
  queue,
  stream,
  track,
  kernel,
  scratch,
  lds,
  workgroup_x,
  workgroup_y,
  workgroup_z,
  grid_x,
  grid_y,
  grid_z,
  start,
  end,
  dispatch_id,
  event_id,
};
inline constexpr std::size_t kDispatchFields = 19;
inline constexpr std::array<std::string_view, kDispatchFields> kDispatchColumns = {
    "pid",
    "tid",
    "agent_id",
    "queue_id",
    "stream_id",
    "track_id",
    "kernel_id",
    "private_segment_size",
    "group_segment_size",
    "workgroup_size_x",
    "workgroup_size_y",
    "workgroup_size_z",
    "grid_size_x",
    "grid_size_y",
    "grid_size_z",
    "start",
    "end",
    "dispatch_id",
    "event_id"};

/// One row as SQLite's API would give it: NULL and columns that the table lacks are 0 with their bit in `nulls`.
struct DispatchRow {
  std::array<std::int64_t, kDispatchFields> values{};
  std::uint32_t nulls = 0;

  [[nodiscard]] std::int64_t operator[](DispatchField field) const {
    return values[static_cast<std::size_t>(field)];
  }
  [[nodiscard]] bool is_null(DispatchField field) const {
    return (nulls >> static_cast<unsigned>(field) & 1U) != 0;
  }
};

}  // namespace rpl
