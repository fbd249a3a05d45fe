// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/device/hip/graph_memory.h"
#include "engine/device/hip/runtime.h"

/// HIP graphs: work that is described first, by calls or by what a stream would have done, and then done as often as one likes.
namespace rpl::emu::hip {

struct Graph;

/// `slices` boxes of rows, whose beginnings lie `to_slice` and `from_slice` bytes apart.
struct CopyWork {
  void* to = nullptr;
  const void* from = nullptr;
  Runtime::Rows rows;
  std::uint64_t slices = 1, to_slice = 0, from_slice = 0;
  int kind = 0;
};
struct FillWork {
  void* to = nullptr;
  std::uint32_t value = 0, size = 1;               ///< bytes of an element
  std::uint64_t pitch = 0, width = 0, height = 1;  ///< pitch in bytes, width in elements
};
struct HostWork {
  void (*function)(void*) = nullptr;
  void* data = nullptr;
};
struct EventWork {
  Event* event = nullptr;
  bool waits = false;  ///< else records it
};
struct ChildWork {
  std::shared_ptr<Graph> graph;
};
/// Takes memory into use that was set aside when the node was added, or gives it back.
struct MemoryWork {
  std::shared_ptr<GraphBlock> block;
  bool frees = false;
};

struct GraphNode {
  using Work = std::variant<std::monostate, LaunchRequest, CopyWork, FillWork, HostWork, EventWork,
                            ChildWork, MemoryWork>;
  Work work;
  Graph* graph = nullptr;
  std::vector<GraphNode*> after;  ///< what must be done before it, each once
  bool enabled = true;
  std::vector<std::byte>
      given;  ///< the structure that the program handed over, for when it asks again; empty: none
  std::vector<void*> arguments;  ///< pointers into those of a kernel, likewise
  std::map<unsigned, std::array<std::byte, 64>> attributes;  ///< by hipLaunchAttributeID
};

/// Something of the host's that lives as long as what refers to it.
struct UserObject {
  void* data = nullptr;
  void (*destroy)(void*) = nullptr;
  std::uint64_t references = 0;
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;  ///< in the order in which they were added
  std::map<const GraphNode*, GraphNode*>
      clones;  ///< of the nodes of the graph that it is a clone of
  std::map<UserObject*, std::uint64_t> objects;  ///< how many references to each it holds

  GraphNode& add(GraphNode::Work work, std::vector<GraphNode*> after);
  /// Null for a node of another graph, or of none.
  [[nodiscard]] GraphNode* find(const void* node) const;
  void remove(GraphNode* node);
  /// An order that the dependencies allow; of several nodes the one that was added first. Empty for a circle, and for no nodes.
  [[nodiscard]] std::vector<GraphNode*> order() const;
  /// `copies` gets the copy of each node.
  [[nodiscard]] std::unique_ptr<Graph> clone(std::map<const GraphNode*, GraphNode*>& copies) const;
};

/// A graph that can be launched: a copy, which later changes of the graph do not reach.
struct GraphExec {
  std::unique_ptr<Graph> graph;
  std::map<const GraphNode*, GraphNode*> copies;  ///< of the nodes of the graph that it was made of
  std::vector<GraphNode*> order;
  std::uint64_t flags = 0;    ///< hipGraphInstantiateFlags
  const Graph* of = nullptr;  ///< what it was made of, which may be gone
};

/// For Runtime::captures().
struct CapturedWork {
  GraphNode::Work node;
};

/// What streams that are captured together write down.
struct StreamCapture {
  std::unique_ptr<Graph> own;  ///< null once it was handed out
  Graph* graph = nullptr;
  Stream* origin = nullptr;
  std::uint64_t id = 0;
  bool invalid = false;
  std::vector<Stream*> streams;  ///< the origin among them
};

}  // namespace rpl::emu::hip
