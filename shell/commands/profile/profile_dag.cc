// SPDX-License-Identifier: MIT
// dag.json and the folder of all four documents. The graph may have millions of edges: they are written as they are read.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "engine/base/made_files.h"
#include "engine/base/numbers.h"
#include "engine/base/output_file.h"
#include "engine/base/policy.h"
#include "engine/document/json.h"
#include "engine/graph/overlap.h"
#include "engine/plot/paint.h"
#include "shell/commands/diagnose/diagnosis_view.h"
#include "shell/commands/profile/profile_files.h"
#include "shell/render/render.h"

namespace rpl {
namespace {

std::string dag_node_name(const Graph& graph, NodeId id) {
  if (id < graph.operations()) return operation_id(graph, id);
  const GraphNode node = graph.node(id);
  return fmt::format("{}{}", node.kind == NodeKind::host_sync ? "wait" : "call", node.row + 1);
}

/// By how much dispatches of each kernel could have run beside others, summed over pairs.
Result<std::vector<std::int64_t>> overlap_by_kernel(const Monitor& monitor, const Graph& graph,
                                                    const CriticalPath& path) {
  const OverlapReport report = TRY(find_overlap(graph, path.on_path, monitor));
  std::vector<std::int64_t> out(graph.trace().kernels().size());
  for (const OverlapPair& pair : report.potential) {
    if (pair.first < out.size()) out[pair.first] += pair.could_save_ns;
    if (pair.second < out.size() && pair.second != pair.first)
      out[pair.second] += pair.could_save_ns;
  }
  return out;
}

Status write_kernels(const Inputs& inputs, const RooflineArgs& args, const Graph& graph,
                     const CriticalPath& path, JsonStream& out) {
  const auto overlap = TRY(overlap_by_kernel(inputs.monitor, graph, path));
  std::map<std::string, std::optional<double>> priority;
  for (const DiagnosedKernel& kernel : TRY(diagnosed(inputs, args)).kernels)
    priority[kernel.id] = kernel.headroom.priority;
  out.begin_rows("kernels");
  for (const KernelOnPath& row : path.kernels) {
    const Kernel& kernel = graph.trace().kernels()[row.kernel];
    const DagKernel written{kernel.id,        kernel.name,         row.calls,          row.share,
                            row.min_slack_ns, overlap[row.kernel], priority[kernel.id]};
    TRY(out.row(to_value(kDagKernelFields, written)).status());
  }
  return out.end_rows().status();
}

Result<std::uint64_t> write_nodes(const Graph& graph, JsonStream& out) {
  out.begin_rows("nodes");
  NodeCursor cursor(graph);
  std::uint64_t count = 0;
  for (GraphNode node; cursor.next(node); ++count) {
    DagNode written{dag_node_name(graph, node.id),
                    node.kind,
                    node.start_ns - graph.span_ns().first,
                    node.end_ns - node.start_ns,
                    {}};
    if (node.id < graph.operations()) written.name = operation_name(graph, node.id);
    TRY(out.row(to_value(kDagNodeFields, written)).status());
  }
  out.end_rows();
  return count;
}

Result<std::uint64_t> write_edges(const Graph& graph, JsonStream& out) {
  out.begin_rows("edges");
  EdgeCursor cursor(graph);
  std::uint64_t count = 0;
  for (GraphEdge edge; cursor.next(edge); ++count) {
    const DagEdge written{dag_node_name(graph, edge.from), dag_node_name(graph, edge.to),
                          edge.edge_class, edge.wait_ns};
    TRY(out.row(to_value(kDagEdgeFields, written)).status());
  }
  out.end_rows();
  return count;
}

Result<WrittenFile> write_json(const Document& document, const std::string& name,
                               const std::string& folder, OutputFile::Place place,
                               std::string holds) {
  auto file = TRY(OutputFile::create((std::filesystem::path(folder) / name).string(), place));
  Form form;
  form.format = Format::json;
  TRY(render(document, form, Terminal{}, [&](OutputBytes text) { return file.write(text); }));
  TRY(file.commit());
  return WrittenFile{name, file.path(), std::move(holds), file.bytes()};
}

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", format_count(count), what, count == 1 ? "" : "s");
}

}  // namespace

Result<WrittenFile> write_dag_document(const Inputs& inputs, const RooflineArgs& args,
                                       const std::string& path, OutputFile::Place place) {
  const Loaded now = TRY(loaded(inputs));
  const auto graph = TRY(graph_of(inputs, now));
  const auto critical = TRY(path_of(inputs, now));
  auto file = TRY(OutputFile::create(path, place));
  JsonStream out(kJsonDocument, [&](OutputBytes text) { return file.write(text); });
  out.member("schema", Value("rpl.dag/1")).member("span_ns", Value(critical->span_ns));
  TRY(write_kernels(inputs, args, *graph, *critical, out));
  const std::uint64_t nodes = TRY(write_nodes(*graph, out));
  const std::uint64_t edges = TRY(write_edges(*graph, out));
  out.member("notes", Value(List(graph->notes().begin(), graph->notes().end())))
      .member("provenance", Value(to_string(provenance_of(*now.trace))));
  TRY(out.finish());
  TRY(file.commit());
  return WrittenFile{"dag.json", path,
                     fmt::format("{}, {}", counted(nodes, "node"), counted(edges, "edge")),
                     file.bytes()};
}

Status write_profile_document(const Profile& profile, const std::string& folder) {
  TRY(write_json(document_of(profile), "profile.json", folder, OutputFile::Place::own, ""));
  return {};
}

Result<std::vector<WrittenFile>> write_profile_files(const Inputs& inputs, const RooflineArgs& args,
                                                     const std::string& folder,
                                                     OutputFile::Place place) {
  const std::filesystem::path to(folder);
  // All of them before the first is written: what is refused has changed nothing.
  if (place == OutputFile::Place::named) {
    for (const char* name : {"profile.json", "roofline.json", "dag.json", "analysis.json"})
      TRY(check_replaceable((to / name).string()));
  }
  const Document profile = document_of(TRY(profile_of_trace(inputs, args)));
  const Document roofline = TRY(roofline_document(inputs, args));
  const Document analysis = TRY(analysis_of_trace(inputs, args));
  if (place == OutputFile::Place::named) TRY(check_named_output((to / "profile.json").string()));
  std::error_code error;
  std::filesystem::create_directories(to, error);
  if (error)
    return fail(Errc::io, fmt::format("cannot create the folder {}: {}", folder, error.message()),
                "--output DIR");
  std::vector<WrittenFile> out;
  out.push_back(
      TRY(write_json(profile, "profile.json", folder, place, "the kernel with most time")));
  out.push_back(TRY(write_json(roofline, "roofline.json", folder, place,
                               counted(roofline.rows.size(), "row") + " and the ceilings")));
  out.push_back(TRY(write_dag_document(inputs, args, (to / "dag.json").string(), place)));
  out.push_back(TRY(write_json(analysis, "analysis.json", folder, place,
                               counted(analysis.rows.size(), "kernel"))));
  return out;
}

}  // namespace rpl
