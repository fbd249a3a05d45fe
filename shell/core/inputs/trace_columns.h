// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "engine/document/bound.h"
#include "shell/core/inputs/loaded.h"

/// What is recorded of a kernel and of a dispatch, each column once: commands and scripts choose from them.
namespace rpl {

inline constexpr auto kKernelResources = bound_to<Kernel>(
    column<&Kernel::arch_vgprs>("arch_vgprs", "vector registers as recorded; null when unknown")
        .or_null(),
    column<&Kernel::accum_vgprs>("accum_vgprs",
                                 "accumulation registers as recorded; null when unknown")
        .or_null(),
    column<&Kernel::sgprs>("sgprs", "scalar registers as recorded; null when unknown").or_null(),
    column<&Kernel::static_lds_bytes>("static_lds_bytes",
                                      "LDS declared by the kernel, per workgroup"),
    column<&Kernel::scratch_bytes>("scratch_bytes", "scratch memory, per work-item"));

/// One dispatch. What scripts sum up over millions of them is inlined however the code is compiled. `slack` and `path` are for the columns of the graph alone.
struct DispatchRow {
  const Trace* trace = nullptr;
  std::uint32_t row = 0;
  bool timed = true;  ///< false makes its times, and what rests on them, null
  std::int64_t origin_ns = 0;
  const Slack* slack = nullptr;
  const CriticalPath* path = nullptr;

  explicit operator bool() const { return trace != nullptr; }
  [[nodiscard, gnu::always_inline]] const DispatchRow* if_timed() const {
    return timed ? this : nullptr;
  }
  [[nodiscard, gnu::always_inline]] const Launch& launch() const { return trace->launch(row); }
  [[nodiscard]] std::uint32_t lds_bytes() const { return launch().lds_bytes; }
  [[nodiscard]] std::uint32_t scratch_bytes() const { return launch().scratch_bytes; }
  [[nodiscard]] const Lane& lane() const { return trace->lane(row); }
  [[nodiscard]] const Kernel* kernel() const {
    return launch().kernel == kNone ? nullptr : &trace->kernels()[launch().kernel];
  }
  [[nodiscard]] std::string id() const { return fmt::format("d{}", row + 1); }
  [[nodiscard, gnu::always_inline]] std::int64_t dispatch_id() const {
    return trace->dispatch_id(row);
  }
  [[nodiscard]] std::optional<std::string> agent() const { return entity_id('a', lane().agent); }
  [[nodiscard]] std::optional<std::string> queue() const { return entity_id('q', lane().queue); }
  [[nodiscard]] std::optional<std::string> stream() const { return entity_id('s', lane().stream); }
  [[nodiscard, gnu::always_inline]] std::int64_t start_ns() const { return trace->start_ns(row); }
  [[nodiscard, gnu::always_inline]] std::int64_t end_ns() const { return trace->end_ns(row); }
  [[nodiscard]] std::int64_t at_ns() const { return start_ns() - origin_ns; }
  [[nodiscard, gnu::always_inline]] std::int64_t duration_ns() const {
    return trace->duration_ns(row);
  }
  [[nodiscard]] std::int64_t slack_ns() const { return slack->at(row); }
  [[nodiscard]] bool critical() const { return path->on_path[row]; }
};

namespace dispatch_columns {

inline constexpr auto kId =
    column<&DispatchRow::id>("id", "d1, d2, … in the order of their starts").as(Type::id);
inline constexpr auto kRecordedId =
    column<&DispatchRow::dispatch_id>("dispatch_id",
                                      "id in the recording, unique within its process")
        .in(Unit::none);
inline constexpr auto kKernel =
    column<&DispatchRow::kernel, &Kernel::name>("kernel", "name of the kernel").as(Type::kernel);
inline constexpr auto kKernelId =
    column<&DispatchRow::kernel, &Kernel::id>("kernel_id", "id of the kernel").as(Type::id);
inline constexpr auto kAgent = column<&DispatchRow::agent>("agent", "device").as(Type::id);
inline constexpr auto kQueue = column<&DispatchRow::queue>("queue", "hardware queue").as(Type::id);
inline constexpr auto kStream = column<&DispatchRow::stream>("stream", "HIP stream").as(Type::id);
/// Times as recorded are times of day or since boot: text shows all their digits.
inline constexpr auto kStart = column<&DispatchRow::if_timed, &DispatchRow::start_ns>(
                                   "start_ns", "begin, as recorded: ns since boot for rocpd")
                                   .in(Unit::none);
inline constexpr auto kEnd =
    column<&DispatchRow::if_timed, &DispatchRow::end_ns>("end_ns", "end, as recorded")
        .in(Unit::none);
inline constexpr auto kAt = column<&DispatchRow::if_timed, &DispatchRow::at_ns>(
                                "at_ns", "begin, from the beginning of the trace")
                                .if_known();
inline constexpr auto kDuration =
    column<&DispatchRow::if_timed, &DispatchRow::duration_ns>("duration_ns", "end - begin")
        .formula("end_ns - start_ns");
inline constexpr auto kGrid = column<&DispatchRow::launch, &Launch::grid>("grid", "work-items");
inline constexpr auto kWorkgroup =
    column<&DispatchRow::launch, &Launch::workgroup>("workgroup", "work-items");
inline constexpr auto kLds =
    column<&DispatchRow::lds_bytes>("lds_bytes", "LDS per workgroup, static and dynamic");
inline constexpr auto kScratch =
    column<&DispatchRow::scratch_bytes>("scratch_bytes", "scratch memory per work-item");
inline constexpr auto kSlack =
    column<&DispatchRow::if_timed, &DispatchRow::slack_ns>(
        "slack_ns", "by how much it could end later without the trace ending later")
        .if_known()
        .formula(
            "min(last end - end(d), least of arrival(s) - end(d) + slack(s) over its successors "
            "s); docs/graph-model.md");
inline constexpr auto kCritical = column<&DispatchRow::if_timed, &DispatchRow::critical>(
                                      "critical", "whether it is on the critical path")
                                      .if_known();

}  // namespace dispatch_columns
}  // namespace rpl
