// SPDX-License-Identifier: MIT
#include "engine/device/hip/graph.h"

#include <algorithm>
#include <set>

namespace rpl::emu::hip {

GraphNode& Graph::add(GraphNode::Work work, std::vector<GraphNode*> after) {
  GraphNode& node = *nodes.emplace_back(std::make_unique<GraphNode>());
  node.work = std::move(work);
  node.graph = this;
  for (GraphNode* before : after) {
    if (std::ranges::find(node.after, before) == node.after.end()) node.after.push_back(before);
  }
  return node;
}

GraphNode* Graph::find(const void* node) const {
  const auto found = std::ranges::find_if(
      nodes, [&](const auto& each) { return static_cast<const void*>(each.get()) == node; });
  return found == nodes.end() ? nullptr : found->get();
}

void Graph::remove(GraphNode* node) {
  for (const auto& each : nodes) std::erase(each->after, node);
  std::erase_if(nodes, [&](const auto& each) { return each.get() == node; });
}

std::vector<GraphNode*> Graph::order() const {
  std::vector<GraphNode*> out;
  std::set<const GraphNode*> done;
  while (out.size() < nodes.size()) {
    const std::size_t before = out.size();
    for (const auto& node : nodes) {
      if (done.contains(node.get()) ||
          !std::ranges::all_of(node->after, [&](auto* each) { return done.contains(each); }))
        continue;
      done.insert(node.get());
      out.push_back(node.get());
    }
    if (out.size() == before) return {};
  }
  return out;
}

std::unique_ptr<Graph> Graph::clone(std::map<const GraphNode*, GraphNode*>& copies) const {
  auto out = std::make_unique<Graph>();
  for (const auto& node : nodes) {
    GraphNode& copy = out->add(node->work, {});
    copy.enabled = node->enabled;
    copy.given = node->given;
    copy.attributes = node->attributes;
    copies[node.get()] = &copy;
  }
  for (const auto& node : nodes) {
    for (const GraphNode* before : node->after) copies[node.get()]->after.push_back(copies[before]);
  }
  return out;
}

// capture

bool Runtime::captures(Stream& stream, CapturedWork work) {
  if (stream.capture == nullptr) return false;
  StreamCapture& capture = *stream.capture;
  stream.captured = {&capture.graph->add(std::move(work.node), stream.captured)};
  return true;
}

std::vector<Graph*> Runtime::graphs_in_capture() const {
  std::vector<Graph*> out;
  for (const auto& stream : streams_) {
    if (stream->capture != nullptr && stream->capture->own != nullptr)
      out.push_back(stream->capture->graph);
  }
  return out;
}

Code Runtime::begin_capture(Stream& stream, Graph* into) {
  if (stream.capture != nullptr) return Code::capture_unmatched;
  if (stream.is_null) return Code::capture_unsupported;
  auto capture = std::make_shared<StreamCapture>();
  if (into == nullptr) {
    capture->own = std::make_unique<Graph>();
    into = capture->own.get();
  }
  capture->graph = into;
  capture->origin = &stream;
  capture->id = ++capture_ids_;
  capture->streams = {&stream};
  stream.capture = std::move(capture);
  stream.captured.clear();
  return Code::success;
}

Code Runtime::end_capture(Stream& stream, std::unique_ptr<Graph>& own, Graph*& graph) {
  const std::shared_ptr<StreamCapture> capture = stream.capture;
  if (capture == nullptr) return Code::illegal_state;
  if (capture->origin != &stream) return Code::capture_unmatched;
  // What other streams did must have come back to this one by events.
  std::set<const GraphNode*> reached;
  std::vector<const GraphNode*> left(stream.captured.begin(), stream.captured.end());
  while (!left.empty()) {
    const GraphNode* node = left.back();
    left.pop_back();
    if (!reached.insert(node).second) continue;
    left.insert(left.end(), node->after.begin(), node->after.end());
  }
  bool joined = true;
  for (Stream* other : capture->streams) {
    joined = joined && std::ranges::all_of(other->captured,
                                           [&](auto* node) { return reached.contains(node); });
    other->capture.reset();
    other->captured.clear();
  }
  capture->origin = nullptr;
  if (capture->invalid) return Code::capture_invalidated;
  if (!joined) return Code::capture_unjoined;
  own = std::move(capture->own);
  graph = capture->graph;
  return Code::success;
}

// launching

Code Runtime::do_node(ThreadState& thread, const GraphNode& node, Stream* stream,
                      const std::function<void(const HostWork&)>& call_host) {
  if (!node.enabled) return Code::success;
  if (const auto* kernel = std::get_if<LaunchRequest>(&node.work)) {
    LaunchRequest request = *kernel;
    request.stream = stream;
    return launch(thread, std::move(request));
  }
  if (const auto* work = std::get_if<CopyWork>(&node.work))
    return copy_box(thread, *work, stream, false);
  if (const auto* work = std::get_if<FillWork>(&node.work)) return fill_box(thread, *work, stream);
  if (const auto* work = std::get_if<HostWork>(&node.work)) call_host(*work);
  if (const auto* work = std::get_if<EventWork>(&node.work)) {
    if (!is_event(work->event)) return Code::invalid_handle;
    return work->waits ? wait_on(*stream, *work->event) : record(*work->event, *stream);
  }
  if (const auto* work = std::get_if<MemoryWork>(&node.work)) {
    const bool done =
        work->frees ? graph_memory_.give_back(*work->block) : graph_memory_.take(*work->block);
    return done ? Code::success : Code::invalid_value;
  }
  if (const auto* work = std::get_if<ChildWork>(&node.work))
    return do_nodes(thread, work->graph->order(), stream, call_host);
  return Code::success;
}

Code Runtime::do_nodes(ThreadState& thread, const std::vector<GraphNode*>& order, Stream* stream,
                       const std::function<void(const HostWork&)>& call_host) {
  if (stream == nullptr) return kNoStream;
  for (const GraphNode* node : order) {
    if (const Code code = do_node(thread, *node, stream, call_host); code != Code::success)
      return code;
  }
  return Code::success;
}

void Runtime::free_left_over(const std::vector<GraphNode*>& order) {
  for (const GraphNode* node : order) {
    const auto* work = std::get_if<MemoryWork>(&node->work);
    if (work != nullptr && !work->frees) graph_memory_.give_back(*work->block);
  }
}

Code Runtime::copy_box(ThreadState& thread, const CopyWork& work, Stream* stream, bool wait) {
  if (stream != nullptr && stream->capture != nullptr && work.slices > 1) {
    if (wait) return stream->capture->invalid = true, Code::capture_unsupported;
    return captures(*stream, {work}) ? Code::success : Code::invalid_value;
  }
  Code code = Code::success;
  for (std::uint64_t slice = 0; slice < work.slices && code == Code::success; ++slice) {
    code = copy_rows(thread, static_cast<char*>(work.to) + slice * work.to_slice,
                     static_cast<const char*>(work.from) + slice * work.from_slice, work.rows,
                     work.kind, stream, wait);
  }
  return code;
}

Code Runtime::fill_box(ThreadState& thread, const FillWork& work, Stream* stream) {
  if (stream != nullptr && stream->capture != nullptr)
    return captures(*stream, {work}) ? Code::success : Code::invalid_value;
  Code code = Code::success;
  for (std::uint64_t row = 0; row < work.height && code == Code::success; ++row) {
    code = fill(thread, static_cast<char*>(work.to) + row * work.pitch, work.value, work.size,
                work.width, stream, false);
  }
  return code;
}

}  // namespace rpl::emu::hip
