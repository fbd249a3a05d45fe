// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/trace/core/entities.h"
#include "engine/trace/import/kineto/json_cursor.h"

namespace rpl {

/// What an event of PyTorch's profiler is, by its category.
enum class KinetoKind : std::uint8_t {
  kernel,
  copy,            ///< a copy or a fill of the GPU
  call,            ///< a function of the GPU's runtime or driver
  wait,            ///< what a synchronising call waited for, as CUPTI tells
  annotation,      ///< of the program: record_function and the profiler's steps
  gpu_annotation,  ///< the same, as long as its kernels ran
  operation,       ///< an operator of PyTorch
  python,          ///< a Python function
  ignored,         ///< flows, instants, the profiler's own spans
  unknown,
};

/// One event of "traceEvents", as it is written; texts are valid while the JSON is. Format: libkineto/src/output_json.cpp of
/// PyTorch's Kineto, and the Trace Event Format of Chrome.
struct KinetoEvent {
  std::string_view phase, category, name;
  std::string_view ts, dur;    ///< microseconds; "" where they are missing
  std::string_view pid, tid;   ///< of a GPU's events its number, and the stream's
  std::string_view arguments;  ///< the object "args" as text; "" where it is missing
};

/// Reads the event that the cursor stands before. What is no object is an error of the cursor.
KinetoEvent read_kineto_event(JsonCursor& at);

/// By "ph" and "cat". Names of the first releases (2020: "Kernel", "Runtime", "Operator") count as today's.
KinetoKind kind_of(const KinetoEvent& event);

/// What is said of a launch in "grid", "block" and so on.
struct KinetoGeometry {
  Dim3 grid{};  ///< workgroups, or work-items where the function that launches takes those
  Dim3 block{};
  std::uint32_t lds_bytes = 0;
  std::uint32_t registers = 0;  ///< of a work-item
  bool known = false;           ///< grid and block are there
  friend bool operator==(const KinetoGeometry&, const KinetoGeometry&) = default;
};

/// The members of "args" that are of use.
struct KinetoArguments {
  std::optional<std::int64_t> device, stream;
  std::optional<std::uint64_t> correlation, bytes;
  std::optional<std::uint64_t> stream_handle;  ///< where "stream" is a pointer
  KinetoGeometry geometry;
  std::string_view name;       ///< of metadata
  std::string_view wait_kind;  ///< "Stream Wait Event", …
  std::optional<std::int64_t> waited_stream,
      waited_record;  ///< the stream and the call that recorded the event; never negative
};
/// Reads them; `at` stands before the object.
KinetoArguments read_kineto_arguments(JsonCursor& at);

/// Microseconds with any number of digits behind the point, as nanoseconds: of the digits, without a floating-point number between; what is below
/// a nanosecond is rounded half up. nullopt for what is no number, or too large.
std::optional<std::int64_t> nanoseconds_of(std::string_view microseconds);

}  // namespace rpl
