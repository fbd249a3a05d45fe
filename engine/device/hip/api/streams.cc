// SPDX-License-Identifier: MIT
// Streams, events, and waiting for both.
#include <limits>

#include "engine/device/hip/api/call.h"

using namespace rpl::emu::hip;

namespace {

constexpr int kHighest = -1, kLowest = 1;  ///< of a stream's priority
constexpr unsigned kDisableTiming = 2;

int create(const char* name, void** where, unsigned flags, int priority) {
  Call call(name, kHostCosts.create_ns, {number("flags", flags), whole("priority", priority)});
  if (where == nullptr || flags > 1) return call.end(Code::invalid_value);
  *where = call.runtime().create_stream(call.thread(), flags, priority);
  call.show({"hipStream_t", "stream", std::to_string(static_cast<Stream*>(*where)->id)});
  return call.end(Code::success);
}

int create_event(const char* name, void** where, unsigned flags) {
  Call call(name, kHostCosts.create_ns, {number("flags", flags)});
  if (where == nullptr) return call.end(Code::invalid_value);
  *where = call.runtime().create_event(flags);
  call.show({"hipEvent_t", "event", std::to_string(static_cast<Event*>(*where)->id)});
  return call.end(Code::success);
}

int record(const char* name, void* event_, void* stream) {
  Call call(name, kHostCosts.record_ns, {event(event_), on(stream)});
  auto* known = static_cast<Event*>(event_);
  Stream* where = call.stream(stream);
  if (where == nullptr) return call.end(kNoStream);
  if (!call.runtime().is_event(known)) return call.end(Code::invalid_handle);
  return call.end(call.runtime().record(*known, *where));
}

int synchronize(const char* name, void* stream) {
  Call call(name, kHostCosts.call_ns, {on(stream)});
  const Stream* known = call.stream(stream);
  if (known == nullptr) return call.end(kNoStream);
  if (known->capture != nullptr) {
    known->capture->invalid = true;
    return call.end(Code::capture_unsupported);
  }
  call.runtime().wait_until(call.runtime().done_ns(*known));
  return call.end_checked(Code::success);
}

int query(const char* name, void* stream) {
  Call call(name, kHostCosts.call_ns, {on(stream)});
  const Stream* known = call.stream(stream);
  if (known == nullptr) return call.end(kNoStream);
  const std::int64_t done_ns = call.runtime().done_ns(*known);
  const bool done = done_ns <= call.runtime().now();
  if (done) call.runtime().host_knows(done_ns);
  return call.end_checked(done ? Code::success : Code::not_ready);
}

int wait(const char* name, void* stream, void* event_, unsigned flags) {
  Call call(name, kHostCosts.record_ns, {on(stream), event(event_), number("flags", flags)});
  auto* known = static_cast<Event*>(event_);
  Stream* where = call.stream(stream);
  if (where == nullptr) return call.end(kNoStream);
  if (!call.runtime().is_event(known)) return call.end(Code::invalid_handle);
  return call.end(call.runtime().wait_on(*where, *known));
}

/// Host functions run at once, in the order of the calls, which is an order that their streams allow; without the lock, for they may not
/// call HIP but often do.
template <class F>
int call_host(const char* name, void* stream, F function, HostWork captured = {}) {
  {
    Call call(name, kHostCosts.enqueue_ns, {on(stream)});
    Stream* known = call.stream(stream);
    if (known == nullptr) return call.end(kNoStream);
    if (known->capture != nullptr && captured.function == nullptr)
      return call.end(Code::capture_unsupported);
    if (call.runtime().captures(*known, {captured})) return call.end(Code::success);
    call.runtime().host_knows(call.runtime().done_ns(*known));
  }
  function();
  return 0;
}

}  // namespace

RPL_HIP hipStreamCreate(void** where) { return create("hipStreamCreate", where, 0, 0); }
RPL_HIP hipStreamCreateWithFlags(void** where, unsigned flags) {
  return create("hipStreamCreateWithFlags", where, flags, 0);
}
RPL_HIP hipStreamCreateWithPriority(void** where, unsigned flags, int priority) {
  return create("hipStreamCreateWithPriority", where, flags,
                std::clamp(priority, kHighest, kLowest));
}
RPL_HIP hipStreamDestroy(void* stream) {
  Call call("hipStreamDestroy", kHostCosts.create_ns, {on(stream)});
  Stream* known = call.stream(stream);
  if (known == nullptr) return call.end(kNoStream);
  return call.end(call.runtime().destroy_stream(known));
}
RPL_HIP hipStreamSynchronize(void* stream) { return synchronize("hipStreamSynchronize", stream); }
RPL_HIP hipStreamSynchronize_spt(void* stream) {
  return synchronize("hipStreamSynchronize_spt",
                     stream == nullptr ? reinterpret_cast<void*>(2) : stream);
}
RPL_HIP hipStreamQuery(void* stream) { return query("hipStreamQuery", stream); }
RPL_HIP hipStreamQuery_spt(void* stream) {
  return query("hipStreamQuery_spt", stream == nullptr ? reinterpret_cast<void*>(2) : stream);
}
RPL_HIP hipStreamWaitEvent(void* stream, void* event_, unsigned flags) {
  return wait("hipStreamWaitEvent", stream, event_, flags);
}
RPL_HIP hipStreamWaitEvent_spt(void* stream, void* event_, unsigned flags) {
  return wait("hipStreamWaitEvent_spt", stream == nullptr ? reinterpret_cast<void*>(2) : stream,
              event_, flags);
}

RPL_HIP hipStreamGetFlags(void* stream, unsigned* flags) {
  Call call("hipStreamGetFlags", kHostCosts.call_ns, {on(stream)});
  const Stream* known = call.stream(stream);
  if (known == nullptr || flags == nullptr)
    return call.end(known == nullptr ? kNoStream : Code::invalid_value);
  *flags = known->flags;
  return call.end(Code::success);
}
RPL_HIP hipStreamGetPriority(void* stream, int* priority) {
  Call call("hipStreamGetPriority", kHostCosts.call_ns, {on(stream)});
  const Stream* known = call.stream(stream);
  if (known == nullptr || priority == nullptr)
    return call.end(known == nullptr ? kNoStream : Code::invalid_value);
  *priority = known->priority;
  return call.end(Code::success);
}
RPL_HIP hipStreamGetDevice(void* stream, int* device) {
  Call call("hipStreamGetDevice", kHostCosts.call_ns, {on(stream)});
  const Stream* known = call.stream(stream);
  if (known == nullptr || device == nullptr)
    return call.end(known == nullptr ? kNoStream : Code::invalid_value);
  *device = static_cast<int>(known->device);
  return call.end(Code::success);
}
// The number itself, and -1 for no stream; rocPRIM and hipCUB find the device's properties with it.
RPL_HIP hipGetStreamDeviceId(void* stream) {
  Call call("hipGetStreamDeviceId", kHostCosts.call_ns, {on(stream)});
  const Stream* known = call.stream(stream);
  return known == nullptr ? -1 : static_cast<int>(known->device);
}
RPL_HIP hipStreamGetId(void* stream, unsigned long long* id) {
  Call call("hipStreamGetId", kHostCosts.call_ns, {on(stream)});
  const Stream* known = call.stream(stream);
  if (known == nullptr || id == nullptr)
    return call.end(known == nullptr ? kNoStream : Code::invalid_value);
  *id = known->id;
  return call.end(Code::success);
}
// Which compute units a stream has is not modelled: it has all of them.
RPL_HIP hipExtStreamCreateWithCUMask(void** where, std::uint32_t words, const std::uint32_t* mask) {
  if (where == nullptr || words == 0 || mask == nullptr)
    return static_cast<int>(Code::invalid_value);
  return create("hipExtStreamCreateWithCUMask", where, 0, 0);
}
RPL_HIP hipStreamAttachMemAsync(void* stream, void*, std::size_t, unsigned) {
  Call call("hipStreamAttachMemAsync", kHostCosts.enqueue_ns, {on(stream)});
  return call.end(call.stream(stream) == nullptr ? kNoStream : Code::success);
}
RPL_HIP hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  Call call("hipDeviceGetStreamPriorityRange", kHostCosts.call_ns);
  if (least != nullptr) *least = kLowest;
  if (greatest != nullptr) *greatest = kHighest;
  return call.end(Code::success);
}

RPL_HIP hipStreamAddCallback(void* stream, void (*function)(void*, int, void*), void* data,
                             unsigned) {
  return call_host("hipStreamAddCallback", stream, [&] { function(stream, 0, data); });
}
RPL_HIP hipLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
  return call_host("hipLaunchHostFunc", stream, [&] { function(data); }, {function, data});
}

RPL_HIP hipEventCreate(void** where) { return create_event("hipEventCreate", where, 0); }
RPL_HIP hipEventCreateWithFlags(void** where, unsigned flags) {
  return create_event("hipEventCreateWithFlags", where, flags);
}
RPL_HIP hipEventDestroy(void* event_) {
  Call call("hipEventDestroy", kHostCosts.create_ns, {event(event_)});
  return call.end(call.runtime().destroy_event(static_cast<Event*>(event_)));
}
RPL_HIP hipEventRecord(void* event_, void* stream) {
  return record("hipEventRecord", event_, stream);
}
RPL_HIP hipEventRecord_spt(void* event_, void* stream) {
  return record("hipEventRecord_spt", event_,
                stream == nullptr ? reinterpret_cast<void*>(2) : stream);
}
RPL_HIP hipEventRecordWithFlags(void* event_, void* stream, unsigned) {
  return record("hipEventRecordWithFlags", event_, stream);
}
RPL_HIP hipEventSynchronize(void* event_) {
  Call call("hipEventSynchronize", kHostCosts.call_ns, {event(event_)});
  auto* known = static_cast<Event*>(event_);
  if (!call.runtime().is_event(known)) return call.end(Code::invalid_handle);
  if (known->recorded) call.runtime().wait_until(known->time_ns);
  return call.end_checked(Code::success);
}
RPL_HIP hipEventQuery(void* event_) {
  Call call("hipEventQuery", kHostCosts.call_ns, {event(event_)});
  auto* known = static_cast<Event*>(event_);
  if (!call.runtime().is_event(known)) return call.end(Code::invalid_handle);
  if (known->recorded && known->time_ns > call.runtime().now())
    return call.end_checked(Code::not_ready);
  if (known->recorded) call.runtime().host_knows(known->time_ns);
  return call.end_checked(Code::success);
}
RPL_HIP hipEventElapsedTime(float* milliseconds, void* from, void* to) {
  Call call("hipEventElapsedTime", kHostCosts.call_ns, {event(from), event(to)});
  auto *first = static_cast<Event*>(from), *second = static_cast<Event*>(to);
  if (milliseconds == nullptr) return call.end(Code::invalid_value);
  if (!call.runtime().is_event(first) || !call.runtime().is_event(second))
    return call.end(Code::invalid_handle);
  if (!first->recorded || !second->recorded ||
      ((first->flags | second->flags) & kDisableTiming) != 0)
    return call.end(Code::invalid_handle);
  if (std::max(first->time_ns, second->time_ns) > call.runtime().now())
    return call.end(Code::not_ready);
  constexpr double kNsPerMs = 1e6;
  *milliseconds =
      static_cast<float>(static_cast<double>(second->time_ns - first->time_ns) / kNsPerMs);
  return call.end(Code::success);
}
