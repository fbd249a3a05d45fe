// SPDX-License-Identifier: MIT
#include "engine/trace/core/hip_names.h"

#include <array>
#include <utility>

namespace rpl {

namespace {

constexpr std::array<std::pair<std::string_view, SyncKind>, 7> kFunctions{{
    {"hipEventRecord", SyncKind::event_record},
    {"hipEventRecordWithFlags", SyncKind::event_record},
    {"hipStreamWaitEvent", SyncKind::event_wait},
    {"hipEventSynchronize", SyncKind::event_synchronize},
    {"hipStreamSynchronize", SyncKind::stream_synchronize},
    {"hipDeviceSynchronize", SyncKind::device_synchronize},
    {"hipCtxSynchronize", SyncKind::device_synchronize},
}};

constexpr std::string_view kPerThread = "_spt";

}  // namespace

std::optional<SyncKind> sync_kind(std::string_view function) {
  if (!function.starts_with("hip")) return std::nullopt;
  if (function.ends_with(kPerThread)) function.remove_suffix(kPerThread.size());
  for (const auto& [name, kind] : kFunctions) {
    if (function == name) return kind;
  }
  const bool copy = function.starts_with("hipMemcpy") || function.starts_with("hipDrvMemcpy");
  if (copy && function.find("Async") == std::string_view::npos) return SyncKind::blocking_copy;
  return std::nullopt;
}

}  // namespace rpl
