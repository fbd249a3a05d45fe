// SPDX-License-Identifier: MIT
#include "engine/trace/import/kineto/kineto_event.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "engine/base/decimal.h"
#include "engine/base/numbers.h"

namespace rpl {
namespace {

struct Category {
  std::string_view name;
  KinetoKind kind;
};

constexpr std::array kCategories{
    Category{"cpu_op", KinetoKind::operation},
    Category{"python_function", KinetoKind::python},
    Category{"kernel", KinetoKind::kernel},
    Category{"cuda_runtime", KinetoKind::call},
    Category{"cuda_driver", KinetoKind::call},
    Category{"hip_runtime", KinetoKind::call},
    Category{"gpu_memcpy", KinetoKind::copy},
    Category{"gpu_memset", KinetoKind::copy},
    Category{"user_annotation", KinetoKind::annotation},
    Category{"gpu_user_annotation", KinetoKind::gpu_annotation},
    Category{"cuda_sync", KinetoKind::wait},
    Category{"Trace", KinetoKind::ignored},
    Category{"overhead", KinetoKind::ignored},
    // Of the first releases.
    Category{"Operator", KinetoKind::operation},
    Category{"Kernel", KinetoKind::kernel},
    Category{"Runtime", KinetoKind::call},
    Category{"Memcpy", KinetoKind::copy},
    Category{"Memset", KinetoKind::copy},
};

template <class T>
std::optional<T> whole(std::string_view text) {
  return whole_number<T>(text);
}

/// Of an id: where none was known, recorders write -1, or the same without its sign.
std::optional<std::int64_t> known_id(std::string_view text) {
  const auto id = whole<std::int64_t>(text);
  const bool none = !id || *id < 0 || *id == INT64_C(0xffffffff);
  return none ? std::nullopt : id;
}

/// [x, y, z] of at most 32 bits each.
bool read_dimensions(JsonCursor& at, Dim3& into) {
  const std::string_view text = at.value();
  if (text.empty() || text.front() != '[') return false;
  JsonCursor inner(text);
  inner.enter('[');
  std::size_t count = 0;
  while (inner.next_element()) {
    const auto size = whole<std::uint32_t>(inner.token());
    if (!size || count == into.size()) return false;
    into[count++] = *size;
  }
  return count == into.size();
}

}  // namespace

KinetoEvent read_kineto_event(JsonCursor& at) {
  KinetoEvent event;
  at.enter('{');
  std::string_view key;
  while (at.next_member(key)) {
    if (key == "args") {
      event.arguments = at.value();
      continue;
    }
    const std::string_view held = at.token();
    if (key == "ph")
      event.phase = held;
    else if (key == "cat")
      event.category = held;
    else if (key == "name")
      event.name = held;
    else if (key == "ts")
      event.ts = held;
    else if (key == "dur")
      event.dur = held;
    else if (key == "pid")
      event.pid = held;
    else if (key == "tid")
      event.tid = held;
  }
  if (!event.arguments.starts_with('{')) event.arguments = {};
  return event;
}

KinetoKind kind_of(const KinetoEvent& event) {
  if (event.phase != "X") return KinetoKind::ignored;
  const auto found = std::ranges::find(kCategories, event.category, &Category::name);
  return found == kCategories.end() ? KinetoKind::unknown : found->kind;
}

KinetoArguments read_kineto_arguments(JsonCursor& at) {
  KinetoArguments out;
  bool grid = false, block = false;
  at.enter('{');
  std::string_view key;
  while (at.next_member(key)) {
    if (key == "grid") {
      grid = read_dimensions(at, out.geometry.grid);
      continue;
    }
    if (key == "block") {
      block = read_dimensions(at, out.geometry.block);
      continue;
    }
    const std::string_view held = at.token();
    if (key == "correlation") {
      out.correlation = whole<std::uint64_t>(held);
    } else if (key == "device") {
      out.device = known_id(held);
    } else if (key == "stream") {
      out.stream = known_id(held);
      if (held.starts_with("0x")) out.stream_handle = parse_handle(held);
    } else if (key == "bytes" || key == "size") {
      out.bytes = whole<std::uint64_t>(held);
    } else if (key == "shared memory") {
      out.geometry.lds_bytes = whole<std::uint32_t>(held).value_or(0);
    } else if (key == "registers per thread") {
      out.geometry.registers = whole<std::uint32_t>(held).value_or(0);
    } else if (key == "name") {
      out.name = held;
    } else if (key == "cuda_sync_kind") {
      out.wait_kind = held;
    } else if (key == "wait_on_stream") {
      out.waited_stream = known_id(held);
    } else if (key == "wait_on_cuda_event_record_corr_id") {
      out.waited_record = known_id(held);
    }
  }
  out.geometry.known = grid && block;
  if (!out.geometry.known) out.geometry.grid = out.geometry.block = {};
  return out;
}

std::optional<std::int64_t> nanoseconds_of(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view digits = negative ? text.substr(1) : text;
  std::uint64_t value = 0;
  int behind = -1;  // digits behind the point; -1 before it
  bool plain = !digits.empty() && digits.size() <= 18 && digits.front() != '.';
  for (const char c : digits) {
    if (c == '.' && behind < 0) {
      behind = 0;
    } else if (c < '0' || c > '9' || behind == 3) {
      plain = false;
      break;
    } else {
      value = 10 * value + static_cast<std::uint64_t>(c - '0');
      behind += behind >= 0 ? 1 : 0;
    }
  }
  if (plain) {
    std::uint64_t scaled = value;
    for (int i = std::max(behind, 0); i < 3; ++i) {
      if (scaled > UINT64_MAX / 10) return std::nullopt;
      scaled *= 10;
    }
    if (scaled > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
    const auto ns = static_cast<std::int64_t>(scaled);
    return negative ? -ns : ns;
  }
  // More digits, or an exponent: the point moves by three places.
  const std::size_t exponent = text.find_first_of("eE");
  std::int64_t power = 0;
  if (exponent != std::string_view::npos) {
    std::string_view written = text.substr(exponent + 1);
    if (written.starts_with('+')) written.remove_prefix(1);
    const auto known = whole<std::int32_t>(written);
    if (!known) return std::nullopt;
    power = *known;
  }
  const auto rounded =
      rounded_decimal(std::string(text.substr(0, exponent)) + "e" + std::to_string(power + 3));
  if (!rounded) return std::nullopt;
  return rounded->value;
}

}  // namespace rpl
