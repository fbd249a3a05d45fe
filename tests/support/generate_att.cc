// SPDX-License-Identifier: MIT
#include "tests/support/generate_att.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <vector>

namespace rpl::testing_support {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "/work/kernels/rowsum.hip";

struct Line {
  const char* text;
  int category;
  int source;
  int loads = 0;     ///< 1: vmcnt, 2: lgkmcnt
  int vm_wait = -1;  ///< s_waitcnt vmcnt(N)
  bool lgkm_wait = false;
};

// One iteration loads two rows, adds them up and multiplies; the other build loads the next rows before it waits.
const std::vector<Line>& head_lines() {
  static const std::vector<Line> lines{{"s_load_dwordx4 s[4:7], s[0:1], 0x0", 1, 12, 2},
                                       {"s_waitcnt lgkmcnt(0)", 9, 12, 0, -1, true},
                                       {"v_lshlrev_b32_e32 v1, 2, v0", 6, 13},
                                       {"v_mov_b32_e32 v8, 0", 6, 14}};
  return lines;
}
const std::vector<Line>& loop_lines(bool prefetch) {
  static const std::vector<Line> plain{
      {"global_load_dwordx2 v[2:3], v1, s[4:5]", 4, 16, 1},
      {"global_load_dwordx2 v[4:5], v1, s[4:5] offset:512", 4, 17, 1},
      {"v_add_u32_e32 v1, 0x400, v1", 6, 18},
      {"s_waitcnt vmcnt(1)", 9, 19, 0, 1},
      {"v_add_f32_e32 v6, v2, v3", 6, 19},
      {"s_waitcnt vmcnt(0)", 9, 20, 0, 0},
      {"v_add_f32_e32 v7, v4, v5", 6, 20},
      {"v_mfma_f32_32x32x8_f16 a[0:15], v[6:7], v[2:3], a[0:15]", 6, 21},
      {"s_add_i32 s8, s8, -1", 2, 15},
      {"s_cmp_lg_u32 s8, 0", 2, 15},
      {"s_cbranch_scc1 65525", 7, 15}};
  static const std::vector<Line> ahead{
      {"global_load_dwordx2 v[2:3], v1, s[4:5]", 4, 16, 1},
      {"global_load_dwordx2 v[4:5], v1, s[4:5] offset:512", 4, 17, 1},
      {"v_add_u32_e32 v1, 0x400, v1", 6, 18},
      {"s_waitcnt vmcnt(3)", 9, 19, 0, 3},
      {"v_add_f32_e32 v6, v10, v11", 6, 19},
      {"s_waitcnt vmcnt(2)", 9, 20, 0, 2},
      {"v_add_f32_e32 v7, v12, v13", 6, 20},
      {"v_mfma_f32_32x32x8_f16 a[0:15], v[6:7], v[10:11], a[0:15]", 6, 21},
      {"v_mov_b64_e32 v[10:11], v[2:3]", 6, 22},
      {"s_add_i32 s8, s8, -1", 2, 15},
      {"s_cmp_lg_u32 s8, 0", 2, 15},
      {"s_cbranch_scc1 65523", 7, 15}};
  return prefetch ? ahead : plain;
}
const std::vector<Line>& tail_lines() {
  static const std::vector<Line> lines{{"ds_write_b32 v1, v8", 5, 24, 2},
                                       {"s_waitcnt lgkmcnt(0)", 9, 24, 0, -1, true},
                                       {"s_barrier", 9, 25},
                                       {"ds_read_b32 v9, v1", 5, 26, 2},
                                       {"s_waitcnt lgkmcnt(0)", 9, 26, 0, -1, true},
                                       {"global_store_dword v1, v9, s[6:7]", 4, 27, 1},
                                       {"s_endpgm", 11, 28}};
  return lines;
}

std::string chain(int source) {
  if (source == 19 || source == 20)
    return fmt::format("/work/kernels/pair.h:{} -> {}:{}", source - 12, kFile, source);
  return fmt::format("{}:{}", kFile, source);
}

struct Counted {
  std::uint64_t hit = 0, latency = 0, stall = 0, idle = 0;
};

struct Pending {
  std::int64_t ready = 0;
  int line = 0;
};

/// One wave as it runs, and its file.
class WaveRun {
 public:
  WaveRun(const AttSpec& spec, std::int64_t begin, std::mt19937& random,
          std::vector<Counted>& counted)
      : spec_(spec),
        begin_(begin),
        now_(begin + 32),
        until_(begin),
        random_(random),
        counted_(counted) {
    add_state(1, 32);
  }

  void run() {
    int line = 1;
    for (const Line& at : head_lines()) execute(at, line++);
    const int loop = line;
    for (std::uint32_t i = 0; i < spec_.iterations; ++i) {
      line = loop;
      for (const Line& at : loop_lines(spec_.prefetch)) {
        Line taken = at;
        if (at.category == 7 && i + 1 == spec_.iterations) taken.category = 8;
        execute(taken, line++);
      }
    }
    for (const Line& at : tail_lines()) execute(at, line++);
  }

  [[nodiscard]] std::int64_t end() const { return until_; }
  [[nodiscard]] std::string json(std::uint32_t simd, std::uint32_t slot, std::uint32_t id) const {
    return fmt::format(
        R"({{"duration":{},"name":"SE0","num_insts":{},"num_stitched":{},"wave":{{"begin":{},"cu":1,"end":{},"id":{},"instructions":[{}],"simd":{},"slot":{}{}{}}}}})",
        until_ - begin_, count_, count_, begin_, until_, id, rows_, simd, slot,
        spec_.timelines ? ",\"timeline\":[" + timeline_ + "]" : "",
        spec_.wait_lists ? ",\"waitcnt\":" + (waits_.empty() ? "null" : "[" + waits_ + "]") : "");
  }
  /// Each run of a state: from, to, state.
  [[nodiscard]] const std::vector<std::array<std::int64_t, 3>>& runs() const { return runs_; }

 private:
  void execute(const Line& at, int line) {
    const std::int64_t gap = count_ % 7 == 3 ? 4 : 0;
    if (gap > 0) add_state(2, gap);
    now_ += gap;
    std::int64_t stall = 0, issue = 4;
    if (at.lgkm_wait) stall = wait(lgkm_, 0, line);
    if (at.vm_wait >= 0) stall = wait(vm_, static_cast<std::size_t>(at.vm_wait), line);
    if (std::string_view(at.text) == "s_barrier")
      stall = 40 + static_cast<std::int64_t>(random_() % 16) * 4;
    if (at.category == 4) stall = random_() % 4 == 0 ? 8 : 0;
    if (std::string_view(at.text).starts_with("v_mfma")) issue = 16;
    if (at.category == 11) issue = 300 + static_cast<std::int64_t>(random_() % 64) * 4;
    if (at.category == 9) issue = stall == 0 ? 4 : 0;
    Counted& sum = counted_[static_cast<std::size_t>(line)];
    ++sum.hit;
    sum.latency += static_cast<std::uint64_t>(stall + issue);
    sum.stall += static_cast<std::uint64_t>(stall);
    sum.idle += static_cast<std::uint64_t>(std::max<std::int64_t>(now_ - until_, 0));
    rows_ += fmt::format("{}[{},{},{},{},{}]", count_ > 0 ? "," : "", now_, at.category, stall,
                         stall + issue, line);
    ++count_;
    if (at.category == 9 || at.category == 11) {
      add_state(at.category == 11 || stall > 0 ? 3 : 2, stall + issue);
    } else {
      add_state(4, stall);
      add_state(2, issue);
    }
    const std::int64_t issued = now_ + stall;
    if (at.loads == 1)
      vm_.push_back({issued + 500 + static_cast<std::int64_t>(random_() % 100) * 4, line});
    if (at.loads == 2)
      lgkm_.push_back({issued + 60 + static_cast<std::int64_t>(random_() % 8) * 4, line});
    now_ += stall + issue;
    until_ = now_;
  }

  std::int64_t wait(std::deque<Pending>& queue, std::size_t limit, int line) {
    std::int64_t ready = now_;
    std::string list;
    while (queue.size() > limit) {
      ready = std::max(ready, queue.front().ready);
      list += fmt::format("{}[{},0]", list.empty() ? "" : ",", queue.front().line);
      queue.pop_front();
    }
    if (!list.empty()) waits_ += fmt::format("{}[{},[{}]]", waits_.empty() ? "" : ",", line, list);
    return (ready - now_ + 3) / 4 * 4;
  }

  void add_state(int state, std::int64_t cycles) {
    if (cycles == 0) return;
    timeline_ += fmt::format("{}[{},{}]", timeline_.empty() ? "" : ",", state, cycles);
    runs_.push_back({states_until_ + begin_, states_until_ + begin_ + cycles, state});
    states_until_ += cycles;
  }

  const AttSpec& spec_;
  std::int64_t begin_, now_, until_, states_until_ = 0;
  std::mt19937& random_;
  std::vector<Counted>& counted_;
  std::uint64_t count_ = 0;
  std::string rows_, timeline_, waits_;
  std::deque<Pending> vm_, lgkm_;
  std::vector<std::array<std::int64_t, 3>> runs_;
};

/// The same document with a line end or blanks behind each token that allows it.
std::string with_blanks(const std::string& json) {
  std::string out;
  bool quoted = false;
  for (const char c : json) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == ']' || c == '}')) out += "\n  ";
    out += c;
    if (quoted) continue;
    if (c == '[' || c == '{' || c == ',') out += "\n    ";
    if (c == ':') out += ' ';
  }
  return out + "\n";
}

void write_text(const fs::path& path, const std::string& text, bool indented = false) {
  std::ofstream(path, std::ios::binary) << (indented ? with_blanks(text) : text);
}

std::string quoted_text(const std::string& text) { return "\"" + text + "\""; }

std::vector<Line> all_lines(bool prefetch) {
  std::vector<Line> lines(head_lines());
  lines.insert(lines.end(), loop_lines(prefetch).begin(), loop_lines(prefetch).end());
  lines.insert(lines.end(), tail_lines().begin(), tail_lines().end());
  return lines;
}

void write_listing(const fs::path& folder, const AttSpec& spec,
                   const std::vector<Counted>& counted) {
  std::string code =
      R"row(["; _Z6rowsumPKfPfi",0,0,"rowsum(float const*, float*, int)",2,6144,0,0,0,0])row";
  std::string csv =
      "\"CodeObj\",\"Vaddr\",\"Instruction\",\"Hitcount\",\"Latency\",\"Stall\",\"Idle\","
      "\"Source\"\n"
      "2,6144,\"; _Z6rowsumPKfPfi\",0,0,0,0,\"rowsum(float const*, float*, int)\"\n";
  int line = 1, address = 6144;
  for (const Line& at : all_lines(spec.prefetch)) {
    const Counted& sum = counted[static_cast<std::size_t>(line)];
    code += fmt::format(",[\"{}\",0,{},\"{}\",2,{},{},{},{},{}]", at.text, line, chain(at.source),
                        address, sum.hit, sum.latency, sum.stall, sum.idle);
    csv += fmt::format("2,{},{},{},{},{},{},{}\n", address, quoted_text(at.text), sum.hit,
                       sum.latency, sum.stall, sum.idle, quoted_text(chain(at.source)));
    ++line;
    address += 8;
  }
  write_text(
      folder / "code.json",
      R"({"code":[)" + code +
          R"(],"header":"ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle","version":"3.0.0"})",
      spec.indented);
  write_text(folder.parent_path() / ("stats_" + folder.filename().string() + ".csv"), csv);
}

void write_source(const fs::path& folder) {
  write_text(
      folder / "snapshots.json",
      R"({"/":{"work":{"kernels":{"rowsum.hip":"source_0_rowsum.hip","pair.h":"source_1_pair.h"}}}})");
  std::string text;
  constexpr std::array<const char*, 30> kText{
      "// Sums pairs of rows, as an example: it was never compiled.",
      "#include \"pair.h\"",
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      "__global__ void rowsum(const float* in, float* out, int rows) {",
      "  __shared__ float tile[256];",
      "  const float* row = in;",
      "  const int lane = threadIdx.x;",
      "  float sum = 0;",
      "  for (int i = 0; i < rows; ++i) {",
      "    const float2 a = load(row, lane);",
      "    const float2 b = load(row + 128, lane);",
      "    row += 256;",
      "    const float left = add(a);",
      "    const float right = add(b);",
      "    sum = mfma(left, right, sum);",
      "    keep(a);",
      "  }",
      "  tile[lane] = sum;",
      "  __syncthreads();",
      "  const float all = tile[lane];",
      "  out[lane] = all;",
      "}",
      "",
      ""};
  for (const char* line : kText) text += std::string(line) + "\n";
  write_text(folder / "source_0_rowsum.hip", text);
  write_text(folder / "source_1_pair.h",
             "// Example.\n#pragma once\n\n\n\n__device__ inline float add(float2 pair) {\n  "
             "return pair.x +\n         pair.y;\n}\n");
}

void write_states(const fs::path& folder,
                  const std::array<std::map<std::int64_t, std::int64_t>, 5>& changes) {
  for (std::size_t state = 1; state < changes.size(); ++state) {
    if (changes[state].empty()) continue;
    std::string counts, times;
    std::int64_t active = 0;
    for (const auto& [time, change] : changes[state]) {
      active += change;
      counts += fmt::format("{}{}", counts.empty() ? "" : ",", active);
      times += fmt::format("{}{}", times.empty() ? "" : ",", time);
    }
    write_text(folder / fmt::format("wstates{}.json", state),
               fmt::format(R"({{"name":"wstates{}.json","state":[{}],"time":[{}]}})", state, counts,
                           times));
  }
}

}  // namespace

std::uint64_t write_att(const std::string& path, const AttSpec& spec) {
  const fs::path folder(path);
  fs::create_directories(folder);
  std::mt19937 random(spec.seed);
  std::vector<Counted> counted(all_lines(spec.prefetch).size() + 1);
  std::array<std::map<std::int64_t, std::int64_t>, 5> changes;
  std::string names, occupancy;
  std::uint64_t bytes = 0;
  for (std::uint32_t se = 0; se < spec.engines; ++se) {
    std::string of_simds;
    std::vector<std::array<std::int64_t, 4>> events;
    for (std::uint32_t simd = 0; simd < 4; ++simd) {
      std::string of_ids;
      std::int64_t begin = 70000 - se * 750 + simd * 4;
      for (std::uint32_t id = 0; id < spec.waves_per_simd; ++id) {
        WaveRun wave(spec, begin, random, counted);
        wave.run();
        const std::string name = fmt::format("se{}_sm{}_sl0_wv{}.json", se, simd, id);
        const std::string text = wave.json(simd, 0, id);
        bytes += text.size();
        write_text(folder / name, text, spec.indented);
        of_ids += fmt::format("{}\"{}\":[\"{}\",{},{}]", of_ids.empty() ? "" : ",", id, name, begin,
                              wave.end());
        for (const std::int64_t cu : {1, 2}) {
          events.push_back({begin + (cu - 1) * 8, cu, simd, 1});
          events.push_back({wave.end() + (cu - 1) * 8, cu, simd, 0});
        }
        for (const auto& [from, to, state] : wave.runs()) {
          if (!spec.states) break;
          ++changes[static_cast<std::size_t>(state)][from];
          --changes[static_cast<std::size_t>(state)][to];
        }
        begin = wave.end() + 40;
      }
      of_simds +=
          fmt::format("{}\"{}\":{{\"0\":{{{}}}}}", of_simds.empty() ? "" : ",", simd, of_ids);
    }
    names += fmt::format("{}\"{}\":{{{}}}", names.empty() ? "" : ",", se, of_simds);
    std::ranges::stable_sort(events, {}, [](const auto& event) { return event[0]; });
    std::string list;
    for (const auto& [time, cu, simd, start] : events)
      list += fmt::format("{}[{},{},{},0,{},1]", list.empty() ? "" : ",", time, cu, simd, start);
    occupancy += fmt::format("\"{}\":[{}],", se, list);
  }
  write_text(
      folder / "filenames.json",
      fmt::format(
          R"({{"counter_names":[],"gfxip":9,"gfxv":"vega","global_begin_time":0,"version":"3.0.0","wave_filenames":{{{}}}}})",
          names),
      spec.indented);
  write_text(
      folder / "occupancy.json",
      fmt::format(R"({{{}"dispatches":{{"0":"0 / 0x0","1":"_Z6rowsumPKfPfi"}},"version":"3.0.0"}})",
                  occupancy),
      spec.indented);
  std::string clocks;
  for (std::uint32_t se = 0; se < spec.engines; ++se)
    clocks += fmt::format("\"SE{}\":[[{},201717741804014],[{},201717741808014]],", se,
                          6500 - se * 750, 90500 - se * 750);
  write_text(
      folder / "realtime.json",
      fmt::format(
          R"({{{}"metadata":{{"descriptor":"[gfx_clock, realtime_clock]","frequency":100000000}}}})",
          clocks));
  write_listing(folder, spec, counted);
  write_source(folder);
  if (spec.states) write_states(folder, changes);
  return bytes;
}

}  // namespace rpl::testing_support
