// SPDX-License-Identifier: MIT
#include "tests/support/kineto_writer.h"

#include <fmt/format.h>

#include <fstream>

#include "engine/document/json.h"
#include "tests/support/packed.h"
#include "tests/support/workload.h"

namespace rpl::test {
namespace {

/// Microseconds with three digits behind the point, as libkineto writes them.
std::string us(std::int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

std::string quoted(std::string_view text) { return json_string(text).string(); }

class KinetoSink : public WorkloadSink {
 public:
  KinetoSink(const GenerateOptions& options, std::int64_t pid, std::string& out)
      : options_(options), pid_(pid), out_(out) {}

  [[nodiscard]] bool wants_calls() const override { return options_.api; }

  void kernel(const KernelRun& run) override {
    const auto groups = [&](std::size_t i) { return run.grid[i] / run.workgroup[i]; };
    complete_event(
        "kernel", kernel_shown(run.kernel), run.gpu, lane(run.stream), run.start_ns, run.end_ns,
        fmt::format(R"json("External id": {}, "device": {}, "stream": {}, "correlation": {},
      "kind": "Dispatch Kernel", "grid": [{}, {}, {}], "block": [{}, {}, {}], "shared memory": {})json",
                    run.correlation, run.gpu, lane(run.stream), run.correlation, groups(0),
                    groups(1), groups(2), run.workgroup[0], run.workgroup[1], run.workgroup[2],
                    run.lds_bytes));
  }

  void copy(const CopyRun& run) override {
    if (!options_.copies) return;
    const char* const name = run.kind == CopyKind::host_to_device ? "Memcpy HtoD (Host -> Device)"
                             : run.kind == CopyKind::device_to_host
                                 ? "Memcpy DtoH (Device -> Host)"
                                 : "Memcpy DtoD (Device -> Device)";
    complete_event("gpu_memcpy", name, run.gpu, lane(run.stream), run.start_ns, run.end_ns,
                   fmt::format(R"json("device": {}, "stream": {}, "correlation": {}, "bytes": {},
      "memory bandwidth (GB/s)": 12.5)json",
                               run.gpu, lane(run.stream), run.correlation, run.bytes));
  }

  void call(const ApiRun& run) override {
    complete_event(
        "cpu_op", fmt::format("aten::op_{}", run.correlation % 17), pid_, run.thread,
        run.start_ns - 500, run.end_ns + 500,
        fmt::format(R"json("External id": {}, "Record function id": 0, "Ev Idx": {})json",
                    run.correlation, run.correlation));
    complete_event("cuda_runtime", run.name, pid_, run.thread, run.start_ns, run.end_ns,
                   fmt::format(R"json("External id": {}, "cid": 107, "correlation": {})json",
                               run.correlation, run.correlation));
    out_ += fmt::format(
        R"json(  {{"ph": "s", "id": {}, "pid": {}, "tid": {}, "ts": {}, "cat": "ac2g", "name": "ac2g"}},
)json",
        run.correlation, pid_, run.thread, us(run.start_ns));
  }

  void marker(const MarkerRun& run) override {
    if (!options_.markers) return;
    complete_event("user_annotation", run.text, pid_, run.thread, run.start_ns, run.end_ns,
                   R"json("External id": 1, "Ev Idx": 2)json");
  }

 private:
  [[nodiscard]] std::int64_t lane(unsigned stream) const { return stream_handle(options_, stream); }

  void complete_event(std::string_view category, std::string_view name, std::int64_t pid,
                      std::int64_t tid, std::int64_t start_ns, std::int64_t end_ns,
                      std::string_view arguments) {
    fmt::format_to(std::back_inserter(out_),
                   "  {{\n    \"ph\": \"X\", \"cat\": \"{}\", \"name\": {}, \"pid\": {}, "
                   "\"tid\": {},\n    \"ts\": {}, \"dur\": {},\n    \"args\": {{\n      {}\n    "
                   "}}\n  }},\n",
                   category, quoted(name), pid, tid, us(start_ns), us(end_ns - start_ns),
                   arguments);
  }

  const GenerateOptions& options_;
  std::int64_t pid_;
  std::string& out_;
};

}  // namespace

std::string kineto_text(const GenerateOptions& options, unsigned ranks) {
  constexpr std::int64_t kFirstPid = 4242;
  const std::int64_t pid = kFirstPid + options.first_process;
  WorkloadOptions workload = options.workload;
  // As generate_rocpd() does, so that both are of one run.
  workload.seed += 1000 * std::uint64_t{options.first_process};
  std::string out = fmt::format(
      R"json({{
  "schemaVersion": 1,
  "deviceProperties": [{{"id": 0, "name": "AMD Instinct MI300X", "totalGlobalMem": 206141652992,
    "computeMajor": 9, "computeMinor": 4, "warpSize": 64, "numSms": 304}}],
  "distributedInfo": {{"backend": "nccl", "rank": {0}, "world_size": {1}}},
  "trace_id": "{2:032X}",
  "traceEvents": [
  {{"name": "process_name", "ph": "M", "ts": 0.000, "pid": {3}, "tid": 0, "args": {{"name": "python3"}}}},
)json",
      options.first_process, ranks, 0x5eed0000 + workload.seed, pid);
  KinetoSink sink(options, pid, out);
  simulate(workload, sink);
  out += fmt::format(
      R"json(  {{"ph": "X", "cat": "Trace", "ts": 0.000, "dur": 1.000, "pid": "Spans", "tid": "PyTorch Profiler",
    "name": "PyTorch Profiler (0)", "args": {{"Op count": 0}}}}
  ],
  "traceName": "made by rpl-generate",
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": {}
}}
)json",
      kKinetoBaseNs);
  return out;
}

Status generate_kineto(const GenerateOptions& options, unsigned ranks) {
  std::string text = kineto_text(options, ranks);
  if (options.path.ends_with(".gz")) text = testing_support::gzipped(text);
  if (options.path.ends_with(".zst")) text = testing_support::zstd_packed(text);
  std::ofstream file(options.path, std::ios::binary | std::ios::trunc);
  file << text;
  if (!file.flush()) return fail(Errc::io, options.path + " cannot be written");
  return {};
}

}  // namespace rpl::test
