// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string_view>

#include "engine/device/hip/graph.h"
#include "engine/device/hip/runtime.h"

namespace rpl::emu::hip {

// memory

std::uint64_t Runtime::free_bytes(std::uint32_t device) const {
  const std::uint64_t used = space_.used(device);
  return settings_.kind.memory_bytes - std::min(used, settings_.kind.memory_bytes);
}

Code Runtime::allocate(ThreadState& thread, Allocation::Kind kind, std::uint64_t bytes,
                       unsigned flags, void** out) {
  if (out == nullptr) return Code::invalid_value;
  *out = nullptr;
  if (bytes == 0) return Code::success;
  if (kind == Allocation::Kind::device && bytes > free_bytes(thread.device))
    return Code::out_of_memory;
  const Allocation* allocation = space_.allocate(kind, bytes, thread.device, flags);
  if (allocation == nullptr) return Code::out_of_memory;
  *out = reinterpret_cast<void*>(allocation->base);
  if (recording_) {
    const Stream& stream = null_stream(thread.device);
    recording_->add(
        MemoryRecord{.place = place_of(thread, stream, {now_ - costs().allocate_ns, now_}),
                     .on_host = kind != Allocation::Kind::device,
                     .address = allocation->base,
                     .bytes = bytes});
  }
  return Code::success;
}

Code Runtime::release(ThreadState& thread, void* pointer, bool host) {
  if (pointer == nullptr) return Code::success;
  const auto base = reinterpret_cast<std::uint64_t>(pointer);
  if (const auto block = graph_memory_.find(pointer))
    return !host && graph_memory_.give_back(*block) ? Code::success : Code::invalid_value;
  const Allocation* allocation = space_.find(base);
  if (allocation == nullptr || allocation->base != base ||
      allocation->kind == Allocation::Kind::registered)
    return Code::invalid_value;
  if (host != (allocation->kind == Allocation::Kind::host)) return Code::invalid_value;
  if (recording_) {
    recording_->add(MemoryRecord{
        .place = place_of(thread, null_stream(allocation->device), {now_ - costs().free_ns, now_}),
        .free = true,
        .on_host = host,
        .address = base});
    if (const std::byte* from = space_.host_of(base, allocation->bytes); from != nullptr)
      note_gone(from, from + allocation->bytes);
  }
  space_.release(base);
  return Code::success;
}

Code Runtime::register_host(void* pointer, std::uint64_t bytes, unsigned flags) {
  if (pointer == nullptr || bytes == 0) return Code::invalid_value;
  return space_.adopt(pointer, bytes, flags) != nullptr ? Code::success
                                                        : Code::host_memory_already_registered;
}

Code Runtime::unregister_host(void* pointer) {
  const Allocation* allocation = space_.find(reinterpret_cast<std::uint64_t>(pointer));
  if (allocation == nullptr || allocation->kind != Allocation::Kind::registered)
    return Code::host_memory_not_registered;
  space_.release(allocation->base);
  return Code::success;
}

// copies

namespace {

// The last one is a copy within the device by its copy engines.
constexpr int kEngines = 1024, kHostToHost = 0, kHostToDevice = 1, kDeviceToHost = 2,
              kDeviceToDevice = 3, kDefault = 4;

bool is_direction(int kind) {
  return (kind >= kHostToHost && kind <= kDefault) || kind == kEngines;
}

/// From the first byte of the first row to the last byte of the last one.
std::uint64_t extent(std::uint64_t pitch, const Runtime::Rows& rows) {
  return pitch * (rows.count - 1) + rows.width;
}

}  // namespace

// `side_is_device` is what the copy's kind says.
Code Runtime::check_side(std::uint64_t address, std::uint64_t bytes, bool side_is_device,
                         std::uint32_t device, Side& side) const {
  const Allocation* allocation = space_.find(address);
  side.host = space_.host_of(address, bytes);
  if (side.host == nullptr) {
    // A range that begins in memory of the device and leaves it is a mistake of the program.
    if (space_.knows(address) || side_is_device) return Code::invalid_value;
    side.host = reinterpret_cast<std::byte*>(address);
    return Code::success;
  }
  const bool on_host = allocation != nullptr && allocation->kind != Allocation::Kind::device;
  if (allocation == nullptr || allocation->kind != Allocation::Kind::registered)
    side.address = address;
  if (!on_host)
    side.device = static_cast<std::int32_t>(allocation != nullptr ? allocation->device : device);
  return Code::success;
}

Result<Runtime::Transfer> Runtime::transfer_of(ThreadState& thread, void* to, const void* from,
                                               const Rows& rows, int kind) {
  Transfer out;
  out.bytes = rows.width * rows.count;
  const bool within = kind == kDeviceToDevice || kind == kEngines;
  const bool to_device = kind == kHostToDevice || within,
             from_device = kind == kDeviceToHost || within;
  const Code to_code = check_side(reinterpret_cast<std::uint64_t>(to), extent(rows.to_pitch, rows),
                                  to_device, thread.device, out.to);
  const Code from_code =
      check_side(reinterpret_cast<std::uint64_t>(from), extent(rows.from_pitch, rows), from_device,
                 thread.device, out.from);
  if (to_code != Code::success || from_code != Code::success)
    return fail(Errc::usage, "a copy leaves its allocation");
  return out;
}

Code Runtime::check_copy(ThreadState& thread, const CopyWork& work) {
  if (work.to == nullptr || work.from == nullptr) return Code::invalid_value;
  if (!is_direction(work.kind)) return Code::invalid_memcpy_direction;
  const Rows& rows = work.rows;
  if (rows.width == 0 || rows.count == 0 || work.slices == 0) return Code::success;
  if (rows.to_pitch < rows.width || rows.from_pitch < rows.width) return Code::invalid_value;
  const std::uint64_t last = work.slices - 1;
  const bool fits =
      transfer_of(thread, work.to, work.from, rows, work.kind) &&
      transfer_of(thread, static_cast<char*>(work.to) + last * work.to_slice,
                  static_cast<const char*>(work.from) + last * work.from_slice, rows, work.kind);
  return fits ? Code::success : Code::invalid_value;
}

Code Runtime::check_fill(const FillWork& work) const {
  const std::uint64_t row = work.width * work.size;
  const std::uint64_t bytes = work.height > 1 ? (work.height - 1) * work.pitch + row : row;
  const auto address = reinterpret_cast<std::uint64_t>(work.to);
  return bytes == 0 || space_.host_of(address, bytes) != nullptr ? Code::success
                                                                 : Code::invalid_value;
}

std::int64_t Runtime::transfer_ns(const Transfer& transfer) const {
  const bool to_device = transfer.to.device >= 0, from_device = transfer.from.device >= 0;
  const double rate =
      to_device && from_device ? costs().peer_bytes_per_ns : settings_.kind.link_bytes_per_ns;
  return std::max<std::int64_t>(1, std::llround(static_cast<double>(transfer.bytes) / rate));
}

// Copies are found by where they went: programs free more often than anybody could look through all of them.
void Runtime::note_gone(const std::byte* begin, const std::byte* end) {
  for (auto at = last_source_.lower_bound(begin); at != last_source_.end() && at->first < end;
       ++at) {
    const auto sent = sent_.find(at->second);
    if (sent != sent_.end() && sent->second.to == at->first) sent->second.is_gone = true;
  }
}

// The same bytes from the same place of the host as the last copy from there, which went to memory that was freed since: kept, it would not be needed.
bool Runtime::is_sent_again(const Transfer& transfer, const Rows& rows) {
  if (rows.count != 1 || transfer.to.device < 0 || transfer.from.device >= 0) return false;
  const auto* bytes = reinterpret_cast<const char*>(transfer.from.host);
  const Sent now{.bytes = rows.width,
                 .hash = std::hash<std::string_view>{}({bytes, rows.width}),
                 .to = transfer.to.host};
  const Sent before = std::exchange(sent_[transfer.from.host], now);
  return before.is_gone && before.bytes == now.bytes && before.hash == now.hash;
}

// A copy from where the last one to this place came from, of bytes that lie there already; or of bytes that lay in memory which is no more.
void Runtime::note_again(ThreadState& thread, const Transfer& transfer, const Rows& rows) {
  if (!recording_) return;
  const bool sent = is_sent_again(transfer, rows);
  const std::byte*& last = last_source_[transfer.to.host];
  const bool same_place = std::exchange(last, transfer.from.host) == transfer.from.host;
  if (thread.again == false) return;
  bool same = same_place;
  for (std::uint64_t row = 0; row < rows.count && same; ++row)
    same = std::memcmp(transfer.to.host + row * rows.to_pitch,
                       transfer.from.host + row * rows.from_pitch, rows.width) == 0;
  thread.again = same || sent;
}

Code Runtime::copy(ThreadState& thread, void* to, const void* from, std::uint64_t bytes, int kind,
                   Stream* stream, bool wait) {
  return copy_rows(thread, to, from, {bytes, bytes, bytes, 1}, kind, stream, wait);
}

Code Runtime::copy_rows(ThreadState& thread, void* to, const void* from, const Rows& rows, int kind,
                        Stream* stream, bool wait) {
  if (failure_ != Code::success) return failure_;
  if (stream == nullptr) return kNoStream;
  if (!is_direction(kind)) return Code::invalid_memcpy_direction;
  if (rows.width == 0 || rows.count == 0) return Code::success;
  if (to == nullptr || from == nullptr) return Code::invalid_value;
  if (rows.count > 1 && (rows.to_pitch < rows.width || rows.from_pitch < rows.width))
    return Code::invalid_value;
  if (stream->capture != nullptr) {
    // The host would wait for what is only written down.
    if (wait) return stream->capture->invalid = true, Code::capture_unsupported;
    return captures(*stream, {CopyWork{.to = to, .from = from, .rows = rows, .kind = kind}})
               ? Code::success
               : Code::invalid_value;
  }
  const auto transfer = transfer_of(thread, to, from, rows, kind);
  if (!transfer) return Code::invalid_value;
  note_again(thread, *transfer, rows);
  for (std::uint64_t row = 0; row < rows.count; ++row) {
    std::memmove(transfer->to.host + row * rows.to_pitch,
                 transfer->from.host + row * rows.from_pitch, rows.width);
  }
  using Engine = Timeline::Engine;
  const bool into = transfer->to.device >= 0, out_of = transfer->from.device >= 0;
  const Engine engine = into && out_of ? Engine::on_device
                        : into         ? Engine::to_device
                                       : Engine::from_device;
  // Within a device the runtime copies with a kernel of its own, and the host does not wait for it.
  const bool within = into && out_of && transfer->to.device == transfer->from.device;
  Timeline& timeline = timelines_[stream->device];
  const Span span =
      within ? timeline.place_kernel(
                   ready_on(*stream, costs().dispatch_latency_ns),
                   moved_ns(stream->device,
                            {{reinterpret_cast<std::uint64_t>(to), transfer->bytes, true},
                             {reinterpret_cast<std::uint64_t>(from), transfer->bytes, false}}),
                   {})
             : timeline.place_copy(engine, ready_on(*stream, costs().copy_latency_ns),
                                   transfer_ns(*transfer));
  stream->ready_ns = span.end;
  if (capturer_.follows_memory()) {
    capturer_.moved(space_, {.step = {.kind = MemoryStep::Kind::copy,
                                      .to = reinterpret_cast<std::uint64_t>(to),
                                      .from = reinterpret_cast<std::uint64_t>(from),
                                      .width = rows.width,
                                      .rows = rows.count,
                                      .to_pitch = rows.to_pitch,
                                      .from_pitch = rows.from_pitch,
                                      .time_ns = static_cast<double>(span.duration())},
                             .end_ns = span.end,
                             .call = call_});
  }
  if (recording_) {
    recording_->add(CopyRecord{.place = place_of(thread, *stream, span),
                               .to = transfer->to.device,
                               .from = transfer->from.device,
                               .to_address = transfer->to.address,
                               .from_address = transfer->from.address,
                               .bytes = transfer->bytes});
  }
  if (wait && !within) wait_until(span.end);
  return Code::success;
}

// Each byte is moved at the rate of where it lies: the Infinity Cache or the memory behind it.
std::int64_t Runtime::moved_ns(std::uint32_t device, std::initializer_list<Extent> sides) {
  if (parameters_ == nullptr) return 1;
  cycle::MemoryState& state = *memory_states_[device];
  double cycles = parameters_->launch + parameters_->drain;
  for (const Extent& side : sides) {
    double found = 0, looked_up = 0;
    constexpr unsigned kBits = cycle::MemoryState::kBlockBits;
    for (std::uint64_t block = side.address >> kBits;
         state.has_mall() && block << kBits < side.address + side.bytes; ++block) {
      if (!cycle::MemoryState::is_followed(block)) continue;
      cycle::MemoryState::Block& entry = state.block(block);
      looked_up += 1;
      if (entry.lines != 0) found += 1;
      entry.lines = ~std::uint64_t{0};
      if (side.written) entry.dirty = ~std::uint64_t{0};
    }
    const double share = looked_up > 0                           ? found / looked_up
                         : state.has_mall() && state.kernels > 0 ? 1
                                                                 : 0;
    const double bytes =
        static_cast<double>(side.bytes) * (side.written ? parameters_->write_cost : 1);
    cycles += bytes * (1 - share) / parameters_->hbm_bandwidth;
    if (share > 0) cycles += bytes * share / parameters_->mall_bandwidth;
  }
  ++state.kernels;
  constexpr double kNsPerUs = 1000;
  return std::max<std::int64_t>(1, std::llround(cycles / parameters_->clock_mhz * kNsPerUs));
}

Code Runtime::fill(ThreadState&, void* to, std::uint32_t value, std::uint32_t size,
                   std::uint64_t count, Stream* stream, bool wait) {
  if (failure_ != Code::success) return failure_;
  if (stream == nullptr) return kNoStream;
  if (count == 0) return Code::success;
  if (stream->capture != nullptr) {
    const FillWork work{
        .to = to, .value = value, .size = size, .pitch = count * size, .width = count};
    return captures(*stream, {work}) ? Code::success : Code::invalid_value;
  }
  std::byte* host = space_.host_of(reinterpret_cast<std::uint64_t>(to), size * count);
  if (host == nullptr) return Code::invalid_value;
  if (size == 1) {
    std::memset(host, static_cast<int>(value & 0xff), count);
  } else {
    for (std::uint64_t i = 0; i < count; ++i) std::memcpy(host + i * size, &value, size);
  }
  // A fill runs as a kernel of the runtime's own, which profilers do not list; only its time is kept.
  const Span span = timelines_[stream->device].place_kernel(
      ready_on(*stream, costs().dispatch_latency_ns),
      moved_ns(stream->device, {{reinterpret_cast<std::uint64_t>(to), size * count, true}}), {});
  stream->ready_ns = span.end;
  if (capturer_.follows_memory()) {
    const auto* const first = reinterpret_cast<const std::byte*>(&value);
    capturer_.moved(space_, {.step = {.kind = MemoryStep::Kind::fill,
                                      .to = reinterpret_cast<std::uint64_t>(to),
                                      .width = size * count,
                                      .to_pitch = size * count,
                                      .data = {first, first + size},
                                      .time_ns = static_cast<double>(span.duration())},
                             .end_ns = span.end,
                             .call = call_});
  }
  if (wait) wait_until(span.end);
  return Code::success;
}

}  // namespace rpl::emu::hip
