// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/trace/core/entities.h"

namespace rpl {

/// From the ids that one file recorded to indices of the merged trace. All answers are kNone when there is no such thing.
class EntityLookup {
 public:
  EntityLookup(const TraceEntities& entities, std::uint32_t file);

  /// `guid` may be empty for formats without one.
  [[nodiscard]] std::uint32_t process(std::string_view guid, std::int64_t pid) const;
  /// The only process of the file, kNone when it has none or several.
  [[nodiscard]] std::uint32_t only_process() const;
  [[nodiscard]] std::uint32_t agent(std::uint32_t process, std::int64_t recorded_id) const;
  [[nodiscard]] std::uint32_t queue(std::uint32_t process, std::uint64_t handle) const;
  [[nodiscard]] std::uint32_t stream(std::uint32_t process, std::uint64_t handle) const;

 private:
  using Key = std::pair<std::uint32_t, std::uint64_t>;  ///< process and recorded id

  std::map<std::pair<std::string, std::int64_t>, std::uint32_t, std::less<>> processes_;
  std::map<Key, std::uint32_t> agents_, queues_, streams_;
};

/// What a HIP runtime function says about order, by its name alone ("hipStreamWaitEvent" → event_wait); nullopt for
/// functions that order nothing. Per-thread variants (…_spt) count like their originals. Every hipMemcpy… whose
/// name does not say Async is a blocking copy; hipMemset and hipFree are not counted, they may or may not wait.
std::optional<SyncKind> sync_kind(std::string_view function);

/// Whether a function that launches takes the grid in work-items (hipExtModuleLaunchKernel and hipHccModuleLaunchKernel); all others take workgroups.
bool launches_work_items(std::string_view function);

}  // namespace rpl
