// SPDX-License-Identifier: MIT
// What graphs keep alive, what clones have of their originals, graphs as pictures.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/base/files.h"
#include "engine/device/hip/api/graph_calls.h"

namespace rpl::emu::hip {

void release(Call& call, UserObject& object, std::uint64_t references) {
  object.references -= std::min(object.references, references);
  if (object.references != 0) return;
  const UserObject last = object;
  // A program may have given up more references than were its own.
  for (const auto& [handle, graph] : call.process().graphs) graph->objects.erase(&object);
  for (const auto& [handle, executable] : call.process().executables)
    executable->graph->objects.erase(&object);
  call.process().objects.erase(&object);
  call.unlocked([&] { last.destroy(last.data); });
}

std::unique_ptr<Graph> copy_with_objects(const Graph& graph,
                                         std::map<const GraphNode*, GraphNode*>& copies) {
  auto out = graph.clone(copies);
  out->objects = graph.objects;
  for (const auto& [object, references] : out->objects) object->references += references;
  return out;
}

void forget(Call& call, std::unique_ptr<Graph> graph) {
  for (const auto& [object, references] : graph->objects) release(call, *object, references);
  graph.reset();
  call.runtime().graph_memory().forget_unused();
}

namespace {

UserObject* object_of(const Call& call, const void* handle) {
  const auto found = call.process().objects.find(handle);
  return found == call.process().objects.end() ? nullptr : found->second.get();
}

/// Of references: HIP keeps it in an int.
bool is_count(unsigned references) {
  return references != 0 && references <= static_cast<unsigned>(std::numeric_limits<int>::max());
}

std::string_view title_of(const GraphNode& node) {
  // In the order of GraphNode::Work.
  constexpr std::string_view kTitles[] = {"empty", "kernel", "memcpy", "memset",
                                          "host",  "event",  "graph",  "memory"};
  return kTitles[node.work.index()];
}

/// In Graphviz' language: a node each, named by its place.
std::string picture_of(const Graph& graph) {
  std::string out = "digraph graph_0 {\n";
  std::map<const GraphNode*, std::size_t> places;
  for (const auto& node : graph.nodes) {
    const std::size_t place = places.size();
    places[node.get()] = place;
    const auto* kernel = std::get_if<LaunchRequest>(&node->work);
    out += fmt::format("  \"node_{}\" [label=\"{}: {}\"];\n", place, place,
                       kernel == nullptr ? title_of(*node) : kernel->function->kernel->name);
  }
  for (const auto& node : graph.nodes) {
    for (const GraphNode* before : node->after)
      out += fmt::format("  \"node_{}\" -> \"node_{}\";\n", places[before], places[node.get()]);
  }
  return out + "}\n";
}

}  // namespace
}  // namespace rpl::emu::hip

using namespace rpl::emu::hip;

RPL_HIP hipUserObjectCreate(void** object, void* data, void (*destroy)(void*), unsigned references,
                            unsigned flags) {
  Call call("hipUserObjectCreate", kHostCosts.create_ns, {number("initialRefcount", references)});
  constexpr unsigned kNotSynchronized = 1;
  if (object == nullptr || destroy == nullptr || !is_count(references) || flags != kNotSynchronized)
    return call.end(Code::invalid_value);
  auto made = std::make_unique<UserObject>(
      UserObject{.data = data, .destroy = destroy, .references = references});
  *object = made.get();
  call.process().objects[*object] = std::move(made);
  return call.end(Code::success);
}
RPL_HIP hipUserObjectRetain(void* object, unsigned references) {
  Call call("hipUserObjectRetain", kHostCosts.call_ns, {number("count", references)});
  UserObject* known = object_of(call, object);
  if (known == nullptr || !is_count(references)) return call.end(Code::invalid_value);
  known->references += references;
  return call.end(Code::success);
}
RPL_HIP hipUserObjectRelease(void* object, unsigned references) {
  Call call("hipUserObjectRelease", kHostCosts.call_ns, {number("count", references)});
  UserObject* known = object_of(call, object);
  if (object == nullptr || !is_count(references)) return call.end(Code::invalid_value);
  // One that was destroyed meanwhile has nothing left to release.
  if (known != nullptr) release(call, *known, references);
  return call.end(Code::success);
}
RPL_HIP hipGraphRetainUserObject(void* graph, void* object, unsigned references, unsigned flags) {
  Call call("hipGraphRetainUserObject", kHostCosts.call_ns, {number("count", references)});
  Graph* known = graph_of(call, graph);
  UserObject* wanted = object_of(call, object);
  constexpr unsigned kMove = 1;
  if (known == nullptr || wanted == nullptr || !is_count(references) || flags > kMove)
    return call.end(Code::invalid_value);
  if (flags != kMove) wanted->references += references;
  known->objects[wanted] += references;
  return call.end(Code::success);
}
RPL_HIP hipGraphReleaseUserObject(void* graph, void* object, unsigned references) {
  Call call("hipGraphReleaseUserObject", kHostCosts.call_ns, {number("count", references)});
  Graph* known = graph_of(call, graph);
  UserObject* wanted = object_of(call, object);
  if (known == nullptr || object == nullptr || !is_count(references))
    return call.end(Code::invalid_value);
  const auto held = known->objects.find(wanted);
  if (held == known->objects.end()) return call.end(Code::success);
  const std::uint64_t given_up = std::min<std::uint64_t>(held->second, references);
  held->second -= given_up;
  if (held->second == 0) known->objects.erase(held);
  release(call, *wanted, given_up);
  return call.end(Code::success);
}

RPL_HIP hipGraphNodeFindInClone(void** copy, void* original, void* clone) {
  Call call("hipGraphNodeFindInClone", kHostCosts.call_ns);
  const Graph* known = graph_of(call, clone);
  if (copy == nullptr || original == nullptr || known == nullptr)
    return call.end(Code::invalid_value);
  const auto found = known->clones.find(static_cast<GraphNode*>(original));
  if (found == known->clones.end() || known->find(found->second) == nullptr)
    return call.end(Code::invalid_value);
  *copy = found->second;
  return call.end(Code::success);
}

RPL_HIP hipGraphDebugDotPrint(void* graph, const char* path, unsigned) {
  Call call("hipGraphDebugDotPrint", kHostCosts.call_ns, {text("path", path)});
  const Graph* known = graph_of(call, graph);
  if (known == nullptr || path == nullptr) return call.end(Code::invalid_value);
  const rpl::Status written = rpl::write_file(path, picture_of(*known));
  return call.end(written ? Code::success : Code::os_error);
}
