// SPDX-License-Identifier: MIT
#include "engine/device/hip/runtime.h"

#include "engine/device/hip/graph.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace rpl::emu::hip {
namespace {

// The clock begins at a second, so that no time is 0, which formats use for "unknown".
constexpr std::int64_t kFirstTime = 1'000'000'000;
constexpr std::uint32_t kQueues =
    4;  ///< of a device; HIP spreads its streams over as many (GPU_MAX_HW_QUEUES)

std::string own_command() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  while (!text.empty() && text.back() == '\0') text.pop_back();
  std::ranges::replace(text, '\0', ' ');
  return text;
}

void print_of_kernel(bool to_stderr, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), to_stderr ? stderr : stdout);
}

}  // namespace

Runtime::Runtime(RuntimeSettings settings, std::optional<RecordingWriter> recording)
    : settings_(std::move(settings)),
      recording_(std::move(recording)),
      space_(settings_.kind.xnack ? AddressSpace::HostMemory::all : AddressSpace::HostMemory::known,
             settings_.bounds),
      graph_memory_(space_),
      hostcall_(space_, print_of_kernel),
      capturer_(settings_.capture),
      now_(kFirstTime) {
  timelines_.resize(settings_.devices);
  parameters_ = settings_.parameters;
  if (parameters_ == nullptr) {
    auto made = cycle::parameters_of(settings_.kind.gpu);
    if (made) parameters_ = std::make_shared<const cycle::Parameters>(std::move(*made));
  }
  for (std::uint32_t device = 0; device < settings_.devices && parameters_ != nullptr; ++device)
    memory_states_.push_back(std::make_shared<cycle::MemoryState>(*parameters_));
  if (recording_) {
    recording_->add(ProcessRecord{.pid = ::getpid(),
                                  .ppid = ::getppid(),
                                  .start_ns = now_,
                                  .command = own_command(),
                                  .product = settings_.kind.product,
                                  .devices = settings_.devices,
                                  .host_model = std::string(kHostModel)});
  }
  for (std::uint32_t device = 0; device < settings_.devices; ++device) {
    Stream& stream = add_stream(device);
    stream.is_null = true;
    stream.waits_for_null = false;
  }
}

Runtime::~Runtime() = default;

void Runtime::stop_recording() {
  if (recording_) std::move(*recording_).abandon();
  recording_.reset();
}

void Runtime::finish() {
  if (!recording_) return;
  for (const auto& [name, calls] : refused_) recording_->add(RefusedRecord{name, calls});
  if (capturer_.wanted()) recording_->add(capturer_.outcome());
  std::int64_t end = now_;
  for (const auto& stream : streams_) end = std::max(end, stream->ready_ns);
  recording_->add(EndRecord{end, failure_text_, emulation_s_});
  recording_.reset();
}

Code Runtime::enable_peer(std::uint32_t from, std::uint32_t to, bool enable) {
  if (to >= device_count() || from == to) return Code::invalid_device;
  if (enable)
    return peers_.insert({from, to}).second ? Code::success : Code::peer_access_already_enabled;
  return peers_.erase({from, to}) != 0 ? Code::success : Code::peer_access_not_enabled;
}

// streams and events

Stream& Runtime::add_stream(std::uint32_t device) {
  auto stream = std::make_unique<Stream>();
  stream->id = stream_ids_++;
  stream->device = device;
  const auto before =
      std::ranges::count(streams_, device, [](const auto& other) { return other->device; });
  stream->queue = device * kQueues + static_cast<std::uint32_t>(before) % kQueues + 1;
  stream->ready_ns = now_;
  if (recording_) recording_->add(StreamRecord{stream->id, device, stream->queue});
  return *streams_.emplace_back(std::move(stream));
}

Stream* Runtime::create_stream(ThreadState& thread, unsigned flags, int priority) {
  constexpr unsigned kNonBlocking = 1;
  Stream& stream = add_stream(thread.device);
  stream.flags = flags;
  stream.priority = priority;
  stream.waits_for_null = (flags & kNonBlocking) == 0;
  return &stream;
}

Code Runtime::destroy_stream(Stream* stream) {
  const auto found = std::ranges::find(streams_, stream, &std::unique_ptr<Stream>::get);
  if (found == streams_.end() || (*found)->is_null) return Code::invalid_handle;
  if (stream->capture != nullptr) {
    std::erase(stream->capture->streams, stream);
    if (stream->capture->origin == stream) stream->capture->origin = nullptr;
    stream->capture->invalid = true;
  }
  // What was asked of it goes on; who waits for the device waits for it.
  Stream& null = null_stream(stream->device);
  null.ready_ns = std::max(null.ready_ns, stream->ready_ns);
  streams_.erase(found);
  return Code::success;
}

Stream* Runtime::stream_of(ThreadState& thread, void* handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  constexpr std::uintptr_t kLegacy = 1, kPerThread = 2;
  if (number == 0 || number == kLegacy) return &null_stream(thread.device);
  if (number == kPerThread) {
    Stream*& own = thread.own_streams[thread.device];
    if (own == nullptr) own = &add_stream(thread.device);
    return own;
  }
  const auto found = std::ranges::find(
      streams_, handle, [](const auto& stream) { return static_cast<void*>(stream.get()); });
  return found == streams_.end() ? nullptr : found->get();
}

Event* Runtime::create_event(unsigned flags) {
  auto event = std::make_unique<Event>();
  event->id = ++event_ids_;
  event->flags = flags;
  Event* handle = event.get();
  events_[handle] = std::move(event);
  return handle;
}

Code Runtime::destroy_event(Event* event) {
  if (event == nullptr) return Code::invalid_handle;
  return events_.erase(event) != 0 ? Code::success : Code::context_is_destroyed;
}

Code Runtime::record(Event& event, Stream& stream) {
  event.capture = stream.capture;
  event.captured = stream.captured;
  if (stream.capture != nullptr) return Code::success;
  event.recorded = true;
  // The device takes the time when it comes to the event's packet, not the host when it asks.
  event.time_ns = std::max(done_ns(stream), now_ + costs().dispatch_latency_ns);
  return Code::success;
}

Code Runtime::wait_on(Stream& stream, const Event& event) {
  if (event.capture != nullptr && event.capture->origin != nullptr &&
      event.capture->origin->capture == event.capture) {
    if (stream.capture != nullptr && stream.capture != event.capture)
      return stream.capture->invalid = true, Code::capture_unsupported;
    // The stream joins the capture.
    if (stream.capture == nullptr) {
      stream.capture = event.capture;
      stream.captured.clear();
      event.capture->streams.push_back(&stream);
    }
    for (GraphNode* node : event.captured) {
      if (std::ranges::find(stream.captured, node) == stream.captured.end())
        stream.captured.push_back(node);
    }
    return Code::success;
  }
  // Of an event that was recorded elsewhere the capture knows nothing.
  if (stream.capture != nullptr) return stream.capture->invalid = true, Code::capture_unsupported;
  if (event.recorded) stream.ready_ns = std::max(stream.ready_ns, event.time_ns);
  return Code::success;
}

std::int64_t Runtime::done_ns(const Stream& stream) const {
  std::int64_t done = stream.ready_ns;
  for (const auto& other : streams_) {
    if (other->device != stream.device) continue;
    const bool ordered =
        stream.is_null ? other->waits_for_null : stream.waits_for_null && other->is_null;
    if (ordered) done = std::max(done, other->ready_ns);
  }
  return done;
}

std::int64_t Runtime::device_done_ns(std::uint32_t device) const {
  std::int64_t done = 0;
  for (const auto& stream : streams_) {
    if (stream->device == device) done = std::max(done, stream->ready_ns);
  }
  return done;
}

void Runtime::wait_until(std::int64_t time_ns) {
  if (time_ns > now_) now_ = time_ns + costs().wait_ns;
  host_knows(time_ns);
}

std::int64_t Runtime::ready_on(const Stream& stream, std::int64_t latency) const {
  return std::max(done_ns(stream), now_ + latency);
}

Place Runtime::place_of(const ThreadState& thread, const Stream& stream, const Span& span) const {
  return {.correlation = thread.correlation,
          .thread = thread.id,
          .device = stream.device,
          .queue = stream.queue,
          .stream = stream.id,
          .start_ns = span.start,
          .end_ns = span.end};
}

// modules

Result<Module*> Runtime::add_module(std::span<const std::byte> image) {
  auto module = TRY(Module::read(image, settings_.kind, settings_.devices));
  return modules_.emplace_back(std::move(module)).get();
}

bool Runtime::is_module(const Module* module) const {
  return std::ranges::find(modules_, module, &std::unique_ptr<Module>::get) != modules_.end();
}

Code Runtime::unload(Module* module) {
  const auto found = std::ranges::find(modules_, module, &std::unique_ptr<Module>::get);
  if (found == modules_.end()) return Code::invalid_handle;
  module->unload(space_);
  modules_.erase(found);
  return Code::success;
}

Code Runtime::variable(ThreadState& thread, Module& module, const std::string& name, void** address,
                       std::uint64_t* bytes) {
  const isa::Symbol* symbol = module.variable(name);
  if (symbol == nullptr) return Code::invalid_symbol;
  const auto base = module.load(space_, thread.device);
  if (!base) return Code::invalid_image;
  record_module(module, thread.device);
  if (address != nullptr) *address = reinterpret_cast<void*>(*base + symbol->address);
  if (bytes != nullptr) *bytes = symbol->size;
  return Code::success;
}

void Runtime::record_module(Module& module, std::uint32_t device) {
  if (!recording_ || module.recorded[device] != 0) return;
  module.recorded[device] = ++object_ids_;
  recording_->add(ObjectRecord{module.recorded[device], device, *module.load_base(device),
                               module.bytes(), module.object()->hash()});
}

}  // namespace rpl::emu::hip
