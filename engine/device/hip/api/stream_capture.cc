// SPDX-License-Identifier: MIT
// Streams whose work becomes a graph.
#include "engine/device/hip/api/graph_calls.h"

using namespace rpl::emu::hip;

namespace {

void* per_thread(void* stream) { return stream == nullptr ? reinterpret_cast<void*>(2) : stream; }

constexpr int kModes = 3;

// The mode says what other threads may not do meanwhile; what they do here disturbs no capture.
int begin(const char* name, void* stream, int mode) {
  Call call(name, kHostCosts.create_ns, {on(stream), whole("mode", mode)});
  Stream* known = call.stream(stream);
  if (known == nullptr) return call.end(kNoStream);
  if (mode < 0 || mode >= kModes) return call.end(Code::invalid_value);
  return call.end(call.runtime().begin_capture(*known, nullptr));
}

int end(const char* name, void* stream, void** graph) {
  Call call(name, kHostCosts.create_ns, {on(stream)});
  Stream* known = call.stream(stream);
  if (known == nullptr) return call.end(kNoStream);
  if (graph == nullptr) return call.end(Code::invalid_value);
  *graph = nullptr;
  std::unique_ptr<Graph> own;
  Graph* captured = nullptr;
  const Code code = call.runtime().end_capture(*known, own, captured);
  if (code != Code::success) return call.end(code);
  if (own != nullptr) return give_graph(call, graph, std::move(own));
  *graph = captured;
  return call.end(Code::success);
}

constexpr int kNone = 0, kActive = 1, kInvalid = 2;

int status_of(const Stream& stream) {
  if (stream.capture == nullptr) return kNone;
  return stream.capture->invalid ? kInvalid : kActive;
}

int info(const char* name, void* stream, int* status, unsigned long long* id, void** graph,
         void* const** nodes, std::size_t* count) {
  Call call(name, kHostCosts.call_ns, {on(stream)});
  const Stream* known = call.stream(stream);
  if (known == nullptr) return call.end(kNoStream);
  if (status == nullptr) return call.end(Code::invalid_value);
  *status = status_of(*known);
  const bool active = *status == kActive;
  if (id != nullptr) *id = active ? known->capture->id : 0;
  if (graph != nullptr) *graph = active ? known->capture->graph : nullptr;
  if (nodes != nullptr)
    *nodes = active ? reinterpret_cast<void* const*>(known->captured.data()) : nullptr;
  if (count != nullptr) *count = active ? known->captured.size() : 0;
  return call.end(Code::success);
}

}  // namespace

RPL_HIP hipStreamBeginCapture(void* stream, int mode) {
  return begin("hipStreamBeginCapture", stream, mode);
}
RPL_HIP hipStreamBeginCapture_spt(void* stream, int mode) {
  return begin("hipStreamBeginCapture_spt", per_thread(stream), mode);
}
RPL_HIP hipStreamEndCapture(void* stream, void** graph) {
  return end("hipStreamEndCapture", stream, graph);
}
RPL_HIP hipStreamEndCapture_spt(void* stream, void** graph) {
  return end("hipStreamEndCapture_spt", per_thread(stream), graph);
}
RPL_HIP hipStreamBeginCaptureToGraph(void* stream, void* graph, void* const* after, const void*,
                                     std::size_t count, int mode) {
  Call call("hipStreamBeginCaptureToGraph", kHostCosts.create_ns,
            {on(stream), whole("mode", mode)});
  Stream* known = call.stream(stream);
  if (known == nullptr) return call.end(kNoStream);
  Graph* into = graph_of(call, graph);
  std::vector<GraphNode*> before;
  if (into == nullptr || mode < 0 || mode >= kModes || !nodes_of(*into, after, count, before))
    return call.end(Code::invalid_value);
  const Code code = call.runtime().begin_capture(*known, into);
  if (code == Code::success) known->captured = std::move(before);
  return call.end(code);
}
RPL_HIP hipStreamUpdateCaptureDependencies(void* stream, void* const* nodes, std::size_t count,
                                           unsigned flags) {
  Call call("hipStreamUpdateCaptureDependencies", kHostCosts.call_ns,
            {on(stream), number("flags", flags)});
  Stream* known = call.stream(stream);
  if (known == nullptr) return call.end(kNoStream);
  if (known->capture == nullptr) return call.end(Code::illegal_state);
  constexpr unsigned kAdd = 0, kSet = 1;
  std::vector<GraphNode*> wanted;
  if (flags > kSet || !nodes_of(*known->capture->graph, nodes, count, wanted))
    return call.end(Code::invalid_value);
  if (flags == kAdd) wanted.insert(wanted.begin(), known->captured.begin(), known->captured.end());
  known->captured = std::move(wanted);
  return call.end(Code::success);
}
RPL_HIP hipStreamIsCapturing_spt(void* stream, int* status) {
  return info("hipStreamIsCapturing_spt", per_thread(stream), status, nullptr, nullptr, nullptr,
              nullptr);
}
RPL_HIP hipStreamGetCaptureInfo_spt(void* stream, int* status, unsigned long long* id) {
  return info("hipStreamGetCaptureInfo_spt", per_thread(stream), status, id, nullptr, nullptr,
              nullptr);
}
RPL_HIP hipStreamGetCaptureInfo_v2_spt(void* stream, int* status, unsigned long long* id,
                                       void** graph, void* const** nodes, std::size_t* count) {
  return info("hipStreamGetCaptureInfo_v2_spt", per_thread(stream), status, id, graph, nodes,
              count);
}
RPL_HIP hipStreamIsCapturing(void* stream, int* status) {
  return info("hipStreamIsCapturing", stream, status, nullptr, nullptr, nullptr, nullptr);
}
RPL_HIP hipStreamGetCaptureInfo(void* stream, int* status, unsigned long long* id) {
  return info("hipStreamGetCaptureInfo", stream, status, id, nullptr, nullptr, nullptr);
}
RPL_HIP hipStreamGetCaptureInfo_v2(void* stream, int* status, unsigned long long* id, void** graph,
                                   void* const** nodes, std::size_t* count) {
  return info("hipStreamGetCaptureInfo_v2", stream, status, id, graph, nodes, count);
}
RPL_HIP hipThreadExchangeStreamCaptureMode(int* mode) {
  Call call("hipThreadExchangeStreamCaptureMode", kHostCosts.call_ns);
  if (mode == nullptr) return call.end(Code::invalid_value);
  thread_local int t_mode = 0;
  std::swap(t_mode, *mode);
  return call.end(Code::success);
}
