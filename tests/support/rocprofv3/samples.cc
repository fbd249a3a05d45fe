// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "engine/att/read/thread_trace.h"
#include "tests/support/rocprofv3/recording.h"

namespace rpl::stand_in {
namespace {

constexpr std::uint64_t kCyclesPerSample = 100, kAllLanes = ~0ULL;
constexpr int kWaitcnt = 3;  // of the reasons why a wave did not issue

struct Sample {
  const att::Instruction* instruction = nullptr;
  std::size_t text = 0;  ///< index of its text
  bool issued = true;
};

std::vector<Sample> samples_of(const att::CodeTable& code) {
  std::vector<Sample> out;
  std::size_t text = 0;
  for (const att::Instruction& one : code.rows) {
    if (one.label || one.hit == 0) continue;
    // An executed instruction is seen once at least.
    const std::uint64_t all = std::max<std::uint64_t>(1, one.latency / kCyclesPerSample),
                        stalled = std::min(all - 1, one.stall / kCyclesPerSample);
    for (std::uint64_t i = 0; i < all; ++i) out.push_back({&one, text, i >= stalled});
    ++text;
  }
  return out;
}

std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

void write_csv(const std::string& path, const std::vector<Sample>& samples, bool stochastic) {
  std::ofstream out(path);
  out << "\"Sample_Timestamp\",\"Exec_Mask\",\"Dispatch_Id\",\"Instruction\",\"Instruction_"
         "Comment\",\"Correlation_Id\"";
  if (stochastic)
    out << ",\"Wave_Issued_Instruction\",\"Instruction_Type\",\"Stall_Reason\",\"Wave_Count\"";
  out << "\n";
  std::uint64_t time = 1000;
  for (const Sample& sample : samples) {
    out << fmt::format("{},{},1,\"{}\",\"{}\",1", ++time, kAllLanes, sample.instruction->text,
                       sample.instruction->source);
    if (stochastic) {
      out << fmt::format(
          ",{},\"ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_{}\",\"ROCPROFILER_PC_SAMPLING_"
          "INSTRUCTION_NOT_ISSUED_REASON_{}\",4",
          sample.issued ? 1 : 0, sample.issued ? "VALU" : "NO_INST",
          sample.issued ? "NONE" : "WAITCNT");
    }
    out << "\n";
  }
}

void write_json(const std::string& path, const std::vector<Sample>& samples, bool stochastic) {
  std::ofstream out(path);
  std::string texts, comments, records;
  std::size_t known = 0;
  std::uint64_t time = 1000;
  for (const Sample& sample : samples) {
    if (sample.text == known) {
      texts += fmt::format("{}{}", known == 0 ? "" : ",", in_quotes(sample.instruction->text));
      comments += fmt::format("{}{}", known == 0 ? "" : ",", in_quotes(sample.instruction->source));
      ++known;
    }
    const std::string how =
        stochastic
            ? fmt::format(
                  R"(,"wave_issued":{},"inst_type":1,"wave_cnt":4,"snapshot":{{"stall_reason":{}}})",
                  sample.issued ? 1 : 0, sample.issued ? 0 : kWaitcnt)
            : std::string();
    records += fmt::format(
        R"({}{{"record":{{"pc":{{"code_object_id":{},"code_object_offset":{}}},"exec_mask":{},"timestamp":{},"dispatch_id":1{}}},"inst_index":{}}})",
        records.empty() ? "" : ",", sample.instruction->code_object, sample.instruction->address,
        kAllLanes, ++time, how, sample.text);
  }
  out << fmt::format(
      R"({{"rocprofiler-sdk-tool":[{{"strings":{{"pc_sample_instructions":[{}],"pc_sample_comments":[{}]}},"buffer_records":{{"pc_sample_{}":[{}]}}}}]}})",
      texts, comments, stochastic ? "stochastic" : "host_trap", records);
}

}  // namespace

Status write_samples(const std::string& thread_trace, const std::string& folder,
                     const std::string& pid, const Options& options) {
  const auto trace = TRY(att::open_trace(thread_trace));
  const std::vector<Sample> samples = samples_of(trace->code);
  const std::string method = options.value("pc-sampling-method");
  const bool stochastic = method == "stochastic";
  for (const std::string& format : options.values("output-format")) {
    if (format == "csv")
      write_csv(fmt::format("{}/{}_pc_sampling_{}.csv", folder, pid, method), samples, stochastic);
    if (format == "json")
      write_json(fmt::format("{}/{}_results.json", folder, pid), samples, stochastic);
  }
  return {};
}

}  // namespace rpl::stand_in
