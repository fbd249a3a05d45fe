// SPDX-License-Identifier: MIT
#include "engine/trace/import/kineto/kineto_rows.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <utility>

#include "engine/base/numbers.h"
#include "engine/trace/core/entity_lookup.h"

namespace rpl {
namespace {

/// The number that `table` has for `key`; `make` adds what is new and gives its number.
template <std::size_t N, class Make>
std::uint32_t interned(TupleTable<N>& table, const typename TupleTable<N>::Key& key,
                       const Make& make) {
  if (const std::uint32_t* found = table.find(key)) return *found;
  const std::uint32_t number = make();
  table.insert(key, number);
  return number;
}

template <class T>
std::uint32_t push(std::vector<T>& rows, T row) {
  rows.push_back(std::move(row));
  return static_cast<std::uint32_t>(rows.size() - 1);
}

std::uint64_t both(std::uint32_t low, std::uint32_t high) {
  return std::uint64_t{high} << 32 | low;
}

std::int64_t thread_of(std::string_view text) {
  return whole_number<std::int64_t>(text).value_or(0);
}

/// CUDA's functions order what HIP's of the same name do.
std::optional<SyncKind> order_of(std::string_view function) {
  for (const std::string_view prefix : {"cuda", "cu"}) {
    if (!function.starts_with(prefix)) continue;
    return sync_kind(fmt::format("hip{}", function.substr(prefix.size())));
  }
  return sync_kind(function);
}

struct WaitName {
  std::string_view name;
  SyncKind kind;
};
constexpr std::array kWaitNames{
    WaitName{"Stream Wait Event", SyncKind::event_wait},
    WaitName{"Event Sync", SyncKind::event_synchronize},
    WaitName{"Stream Sync", SyncKind::stream_synchronize},
    WaitName{"Context Sync", SyncKind::device_synchronize},
};

}  // namespace

KinetoCollector::KinetoCollector() : names_(rows_.names), gpu_range_names_(rows_.gpu_range_names) {}

Status KinetoCollector::add(std::string_view list, std::uint64_t offset, const std::string& file) {
  JsonCursor at(list);
  const auto broken = [&](std::uint64_t where, const char* why) {
    return fail(
        Errc::corrupt,
        fmt::format("{}: byte {}: traceEvents[{}]: {}", file, offset + where, rows_.events, why),
        "the recording is damaged; let the profiler write it again");
  };
  while (at.next_in_list()) {
    const KinetoEvent event = read_kineto_event(at);
    if (at.failed()) break;
    if (const Malformed found = add_event(event); found.why != nullptr) {
      const auto begin = static_cast<std::uint64_t>(event.arguments.data() - list.data());
      return broken(begin + found.at, found.why);
    }
    if (++rows_.events > KinetoRows::kMostEvents) {
      return fail(
          Errc::limit,
          fmt::format("{} has more than {} events", file, format_count(KinetoRows::kMostEvents)),
          "profile fewer steps: torch.profiler.schedule(wait=…, warmup=…, active=3)");
    }
    if (name_bytes_ > KinetoRows::kMostNameBytes) {
      return fail(Errc::limit,
                  fmt::format("{} has more than {} of different names", file,
                              format_bytes(KinetoRows::kMostNameBytes)),
                  "profile fewer steps, and without with_stack=True");
    }
  }
  if (at.failed()) return broken(at.offset(), at.why());
  return {};
}

void KinetoCollector::add_unknown(const KinetoEvent& event) {
  constexpr std::size_t kMostCategories = 64, kMostLetters = 64;
  const std::string_view category = event.category.substr(0, kMostLetters);
  if (const auto known = rows_.unknown.find(category); known != rows_.unknown.end())
    ++known->second;
  else if (rows_.unknown.size() < kMostCategories)
    rows_.unknown.emplace(category, 1);
}

KinetoCollector::Malformed KinetoCollector::add_event(const KinetoEvent& event) {
  const KinetoKind kind = kind_of(event);
  const bool metadata =
      event.phase == "M" && (event.name == "process_name" || event.name == "thread_name");
  if (kind == KinetoKind::ignored && !metadata) return {};
  if (kind == KinetoKind::unknown) {
    add_unknown(event);
    return {};
  }
  known_ += metadata ? 0 : 1;
  KinetoArguments arguments;
  const bool wants_arguments = kind != KinetoKind::annotation && kind != KinetoKind::operation &&
                               kind != KinetoKind::python && kind != KinetoKind::gpu_annotation;
  if (wants_arguments && !event.arguments.empty()) {
    JsonCursor inner(event.arguments);
    arguments = read_kineto_arguments(inner);
    if (inner.failed()) return {inner.offset(), inner.why()};
  }
  if (metadata) {
    add_metadata(event, arguments);
    return {};
  }
  if (kind == KinetoKind::wait) {
    add_wait(arguments);
    return {};
  }
  const auto at = times(event);
  if (!at) {
    ++rows_.timeless;
    return {};
  }
  switch (kind) {
    case KinetoKind::kernel:
      add_kernel(event, arguments, *at);
      break;
    case KinetoKind::copy:
      add_copy(event, arguments, *at);
      break;
    case KinetoKind::call:
      add_call(event, arguments, *at);
      break;
    case KinetoKind::gpu_annotation:
      add_gpu_range(event, *at);
      break;
    default:
      add_range(event, *at);
      break;
  }
  return {};
}

std::optional<KinetoCollector::Times> KinetoCollector::times(const KinetoEvent& event) {
  const auto start = nanoseconds_of(event.ts);
  const auto length =
      event.dur.empty() ? std::optional<std::int64_t>(0) : nanoseconds_of(event.dur);
  std::int64_t end = 0;
  if (!start || !length || __builtin_add_overflow(*start, *length, &end)) return std::nullopt;
  return Times{*start, end};
}

std::uint32_t KinetoCollector::name(std::string_view raw) {
  const std::size_t before = rows_.names.size();
  const bool escaped = raw.find('\\') != std::string_view::npos;
  const std::uint32_t number = escaped ? names_(unescaped(raw)) : names_(raw);
  if (rows_.names.size() > before) name_bytes_ += raw.size();
  return number;
}

std::uint32_t KinetoCollector::process(const KinetoEvent& event) {
  const std::int64_t pid = thread_of(event.pid);
  const auto [found, added] =
      processes_.try_emplace(pid, static_cast<std::uint32_t>(rows_.pids.size()));
  if (added) {
    rows_.pids.push_back(pid);
    const auto named = process_names_.find(pid);
    rows_.process_names.push_back(named == process_names_.end() ? "" : named->second);
  }
  return found->second;
}

std::uint32_t KinetoCollector::place(const KinetoEvent& event, const KinetoArguments& arguments) {
  const auto or_row = [](std::optional<std::int64_t> said, std::string_view row) {
    return said ? *said : whole_number<std::int64_t>(row).value_or(KinetoRows::kNoPlace);
  };
  const KinetoRows::Place found{or_row(arguments.device, event.pid),
                                or_row(arguments.stream, event.tid)};
  return interned(
      places_, {static_cast<std::uint64_t>(found.device), static_cast<std::uint64_t>(found.stream)},
      [&] { return push(rows_.places, found); });
}

std::uint32_t KinetoCollector::host_shape(const KinetoEvent& event, std::uint32_t category) {
  const KinetoRows::HostShape shape{process(event), thread_of(event.tid), name(event.name),
                                    category};
  return interned(
      host_shapes_,
      {both(shape.process, shape.category), static_cast<std::uint64_t>(shape.thread), shape.name},
      [&] { return push(rows_.host_shapes, shape); });
}

void KinetoCollector::add_metadata(const KinetoEvent& event, const KinetoArguments& arguments) {
  const auto pid = whole_number<std::int64_t>(event.pid);
  if (!pid || arguments.name.empty()) return;
  std::string text = unescaped(arguments.name);
  if (event.name == "thread_name") {
    // Devices stand for processes there and streams for their threads; which of them are, what runs there tells.
    constexpr std::size_t kMostNames = 65536;
    const auto thread = whole_number<std::int64_t>(event.tid);
    text.erase(text.find_last_not_of(' ') + 1);
    if (thread && rows_.stream_names.size() < kMostNames)
      rows_.stream_names.insert_or_assign({*pid, *thread}, std::move(text));
    return;
  }
  if (const auto known = processes_.find(*pid); known != processes_.end())
    rows_.process_names[known->second] = text;
  process_names_.insert_or_assign(*pid, std::move(text));
}

void KinetoCollector::add_kernel(const KinetoEvent& event, const KinetoArguments& arguments,
                                 const Times& at) {
  const KinetoGeometry& geometry = arguments.geometry;
  KinetoRows::KernelShape shape{name(event.name), geometry};
  const std::uint32_t number =
      interned(kernel_shapes_,
               {both(shape.name, geometry.known ? 1 : 0), both(geometry.grid[0], geometry.grid[1]),
                both(geometry.grid[2], geometry.block[0]),
                both(geometry.block[1], geometry.block[2]), geometry.lds_bytes, geometry.registers},
               [&] { return push(rows_.kernel_shapes, shape); });
  rows_.without_correlation += arguments.correlation ? 0 : 1;
  rows_.dispatches.push_back(
      {at.start_ns, at.end_ns, number, place(event, arguments), arguments.correlation.value_or(0)});
}

void KinetoCollector::add_copy(const KinetoEvent& event, const KinetoArguments& arguments,
                               const Times& at) {
  rows_.copies.push_back({at.start_ns, at.end_ns, name(event.name), place(event, arguments),
                          arguments.bytes.value_or(kUnknownBytes),
                          arguments.correlation.value_or(0), 0, 0});
}

void KinetoCollector::add_call(const KinetoEvent& event, const KinetoArguments& arguments,
                               const Times& at) {
  const std::uint32_t shape = host_shape(event, name(event.category));
  const std::uint64_t correlation = arguments.correlation.value_or(0);
  rows_.backwards += at.end_ns < at.start_ns ? 1 : 0;
  rows_.calls.add(at.start_ns, at.end_ns, shape, correlation);
  if (arguments.geometry.known || arguments.bytes || arguments.stream_handle)
    rows_.given.push_back(
        {correlation, arguments.geometry, arguments.bytes, arguments.stream_handle});
  const KinetoRows::HostShape& host = rows_.host_shapes[shape];
  if (const auto kind = order_of(rows_.names[host.name]))
    rows_.orders.push_back({*kind, at.start_ns, at.end_ns, host.process, host.thread, correlation});
}

void KinetoCollector::add_wait(const KinetoArguments& arguments) {
  for (const WaitName& known : kWaitNames) {
    if (known.name != arguments.wait_kind || !arguments.correlation) continue;
    rows_.waits.push_back({*arguments.correlation, known.kind, arguments.device, arguments.stream,
                           arguments.waited_stream, arguments.waited_record});
  }
}

void KinetoCollector::add_range(const KinetoEvent& event, const Times& at) {
  rows_.backwards += at.end_ns < at.start_ns ? 1 : 0;
  rows_.ranges.add(at.start_ns, at.end_ns, host_shape(event, name(event.category)), 0);
}

void KinetoCollector::add_gpu_range(const KinetoEvent& event, const Times& at) {
  // The program's own range has the same name; this one says where its kernels ran.
  const std::size_t before = rows_.gpu_range_names.size();
  const std::uint32_t number = gpu_range_names_(
      fmt::format("{} [GPU {}, stream {}]", unescaped(event.name), event.pid, event.tid));
  if (rows_.gpu_range_names.size() > before) name_bytes_ += event.name.size();
  rows_.gpu_ranges.add(at.start_ns, at.end_ns, number, 0);
}

}  // namespace rpl
