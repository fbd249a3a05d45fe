// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "engine/trace/core/entities.h"

namespace rpl {

/// What a HIP runtime function says about order, by its name alone ("hipStreamWaitEvent" → event_wait); nullopt for
/// functions that order nothing. Per-thread variants (…_spt) count like their originals. Every hipMemcpy… whose
/// name does not say Async is a blocking copy; hipMemset and hipFree are not counted, they may or may not wait.
std::optional<SyncKind> sync_kind(std::string_view function);

}  // namespace rpl
