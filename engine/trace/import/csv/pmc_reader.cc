// SPDX-License-Identifier: MIT
#include "engine/trace/import/csv/pmc_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/document/json.h"
#include "engine/trace/core/counter_fold.h"
#include "engine/trace/core/name_index.h"
#include "engine/trace/core/row_index.h"
#include "engine/trace/core/trace.h"
#include "engine/trace/import/csv/csv_table.h"
#include "engine/trace/import/csv/csv_times.h"

namespace rpl {
namespace {

/// One dispatch of one run, as the rows name it.
struct CountedDispatch {
  std::uint32_t launch = 0, lane = 0, kernel = 0;
  std::int64_t id = 0, start_ns = 0, end_ns = 0;
};

struct PmcColumns {
  std::size_t dispatch = 0, name = 0, gpu = 0, start = 0, end = 0, grid = 0, workgroup = 0, lds = 0,
              scratch = 0, vgprs = 0, accum_vgprs = 0, sgprs = 0;
  std::size_t queue = CsvTable::kAbsent, pid = CsvTable::kAbsent, thread = CsvTable::kAbsent;

  static Result<PmcColumns> find(const CsvTable& table) {
    PmcColumns at;
    if (is_rocprof_v1(table)) return first_version(table);
    at.dispatch = TRY(table.required("Dispatch_ID"));
    at.name = TRY(table.required("Kernel_Name"));
    at.gpu = table.column("GPU_ID");
    at.start = table.column("Start_Timestamp");
    at.end = table.column("End_Timestamp");
    at.grid = table.column("Grid_Size");
    at.workgroup = table.column("Workgroup_Size");
    at.lds = table.column("LDS_Per_Workgroup");
    at.scratch = table.column("Scratch_Per_Workitem");
    at.vgprs = table.column("Arch_VGPR");
    at.accum_vgprs = table.column("Accum_VGPR");
    at.sgprs = table.column("SGPR");
    return at;
  }

  /// Of rocprof version 1. The grid is in work-items, of all axes together.
  static Result<PmcColumns> first_version(const CsvTable& table) {
    PmcColumns at;
    at.dispatch = TRY(table.required("Index"));
    at.name = TRY(table.required("KernelName"));
    at.gpu = table.column("gpu-id");
    at.queue = table.column("queue-id");
    at.pid = table.column("pid");
    at.thread = table.column("tid");
    at.start = table.column("BeginNs");
    at.end = table.column("EndNs");
    at.grid = table.column("grd");
    at.workgroup = table.column("wgr");
    at.lds = table.column("lds");
    at.scratch = table.column("scr");
    // Before ROCm 5.3 one column stands for both kinds of vector registers.
    at.vgprs = table.has("arch_vgpr") ? table.column("arch_vgpr") : table.column("vgpr");
    at.accum_vgprs = table.column("accum_vgpr");
    at.sgprs = table.column("sgpr");
    if (at.start == CsvTable::kAbsent || at.end == CsvTable::kAbsent)
      return fail(Errc::unsupported,
                  table.name() +
                      " is results.csv of rocprof version 1 without times: counters "
                      "alone",
                  "record it again with times, 'rocprof --timestamp on …', or with rocprofv3: "
                  "'rocprofv3 --sys-trace --output-format rocpd -- APP'");
    return at;
  }
};

/// Releases of rocprof-compute and rocprof add " [clone .kd]", " (.kd)" or ".kd" to names, so that one kernel would be several.
std::string_view undecorated(std::string_view name) {
  for (const std::string_view tail : {" [clone .kd]", " (.kd)", ".kd"}) {
    if (name.ends_with(tail)) name.remove_suffix(tail.size());
  }
  return name;
}

class PmcReader {
 public:
  PmcReader(CsvTable table, PmcColumns at, RawTrace& out)
      : table_(std::move(table)), at_(at), times_(at.start, at.end), out_(out) {}

  Status read(const Monitor& monitor) {
    const bool is_long = table_.has("Counter_Name");
    std::size_t rows = 0;
    while (TRY(table_.next())) {
      if (++rows % interrupt::kRowsBetweenChecks == 0) {
        TRY(interrupt::check());
        monitor.report("reading dispatches", table_.offset(), table_.bytes());
      }
      const std::int64_t id = table_.rounded(at_.dispatch).value;
      if (is_long && !seen_.insert({id, table_.rounded(at_.start).value}).second) continue;
      const CsvTimes times = times_.read(table_);
      counted_.push_back({launch(), lane(), last_kernel_, id, times.start_ns, times.end_ns});
    }
    if (table_.truncated()) {
      out_.notes.push_back(fmt::format("line {} is cut short and was left out", table_.line()));
    }
    times_.note(out_.notes);
    if (is_long)
      match_runs();
    else
      for (std::size_t i = 0; i < counted_.size(); ++i) add(counted_[i], i + 1);
    return {};
  }

  PmcRows take_rows() { return std::move(rows_); }

 private:
  std::uint32_t launch() {
    Launch launch;
    launch.kernel = last_kernel_ = kernel();
    launch.grid = {at_.grid == CsvTable::kAbsent ? 1 : table_.count(at_.grid), 1, 1};
    launch.workgroup = {at_.workgroup == CsvTable::kAbsent ? 1 : table_.count(at_.workgroup), 1, 1};
    launch.lds_bytes = table_.count(at_.lds);
    launch.scratch_bytes = table_.count(at_.scratch);
    return out_.launch(launch);
  }

  std::uint32_t kernel() {
    Kernel kernel;
    kernel.name = std::string(undecorated(table_.text(at_.name)));
    kernel.arch_vgprs = table_.count(at_.vgprs);
    kernel.accum_vgprs = table_.count(at_.accum_vgprs);
    kernel.sgprs = table_.count(at_.sgprs);
    return out_.kernel(std::move(kernel));
  }

  std::uint32_t lane() {
    Lane lane;
    Process process;
    process.pid = table_.integer(at_.pid);
    lane.process = out_.process(std::move(process));
    lane.thread = table_.integer(at_.thread);
    if (at_.queue != CsvTable::kAbsent)
      lane.queue = out_.queue({lane.process, table_.handle(at_.queue), {}});
    Agent agent;
    agent.process = lane.process;
    agent.recorded_id = std::max<std::int64_t>(table_.agent(at_.gpu), 0);
    agent.gpu = true;
    lane.agent = out_.agent(std::move(agent));
    return out_.lane(lane);
  }

  void add(const CountedDispatch& dispatch, std::size_t number) {
    out_.add({dispatch.start_ns, std::max(dispatch.start_ns, dispatch.end_ns), dispatch.launch,
              dispatch.lane, dispatch.id, static_cast<std::int64_t>(number)});
  }

  /// Runs follow one another in time and number their dispatches afresh, so an id that comes again begins the next one.
  void match_runs() {
    std::ranges::stable_sort(counted_, {}, &CountedDispatch::start_ns);
    std::set<std::int64_t> in_run;
    std::unordered_map<std::uint32_t, std::uint64_t> ordinals;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> numbers;
    for (const CountedDispatch& dispatch : counted_) {
      if (!in_run.insert(dispatch.id).second) {
        in_run = {dispatch.id};
        ordinals.clear();
        ++runs_;
      }
      const auto [place, added] =
          numbers.try_emplace({dispatch.kernel, ordinals[dispatch.kernel]++}, numbers.size() + 1);
      if (added) add(dispatch, place->second);
      rows_.dispatches[{dispatch.id, dispatch.start_ns}] = place->second;
    }
    if (runs_ > 1) {
      out_.notes.push_back(
          fmt::format("{} runs of the application; times are those of the first", runs_));
    }
  }

  CsvTable table_;
  PmcColumns at_;
  CsvTimesReader times_;
  RawTrace& out_;
  std::vector<CountedDispatch> counted_;
  std::set<std::pair<std::int64_t, std::int64_t>> seen_;
  PmcRows rows_;
  std::uint32_t last_kernel_ = 0;
  std::size_t runs_ = 1;
};

/// The first word of counter names, by hardware block.
constexpr std::array<std::string_view, 17> kBlocks{"SQ",   "SQC",  "TA",   "TD",   "TCP",  "TCC",
                                                   "TCA",  "GRBM", "CPC",  "CPF",  "SPI",  "GDS",
                                                   "GL1C", "GL2C", "GL2A", "GCEA", "GRBMH"};

/// A counter's column of the wide form: the name of what it is an instance of, or its own.
struct CounterColumn {
  std::size_t at = 0;
  std::string counter;
};

bool is_counter_name(std::string_view name) {
  const std::string_view block = name.substr(0, name.find('_'));
  return block.size() < name.size() &&
         std::find(kBlocks.begin(), kBlocks.end(), block) != kBlocks.end();
}

/// Everything else in the results.csv of rocprof version 1 is a counter or derived from counters.
constexpr std::array<std::string_view, 25> kFirstVersion{
    "Index", "KernelName", "gpu-id",     "queue-id",     "queue-index", "pid",        "tid",
    "grd",   "wgr",        "lds",        "scr",          "vgpr",        "arch_vgpr",  "accum_vgpr",
    "sgpr",  "fbar",       "sig",        "obj",          "wave_size",   "DispatchNs", "BeginNs",
    "EndNs", "CompleteNs", "DurationNs", "ExecutionTime"};

std::vector<CounterColumn> counter_columns(const CsvTable& table) {
  const bool first_version = is_rocprof_v1(table);
  std::set<std::string, std::less<>> plain;
  for (const std::string& name : table.header()) {
    if (name.find('[') == std::string::npos) plain.insert(name);
  }
  std::vector<CounterColumn> columns;
  for (std::size_t i = 0; i < table.header().size(); ++i) {
    const std::string& name = table.header()[i];
    if (first_version ? std::ranges::find(kFirstVersion, name) != kFirstVersion.end()
                      : !is_counter_name(name))
      continue;
    const std::size_t bracket = name.find('[');
    if (bracket == std::string::npos) {
      columns.push_back({i, name});
      continue;
    }
    std::string sum = name.substr(0, bracket) + "_sum";
    if (!plain.contains(sum)) columns.push_back({i, std::move(sum)});
  }
  return columns;
}

/// What sysinfo.csv calls the keys of the agent's record.
constexpr std::pair<std::string_view, std::string_view> kAgentKeys[] = {
    {"cu_per_gpu", "cu_count"},
    {"num_xcd", "num_xcc"},
    {"max_sclk", "max_engine_clk_fcompute"},
    {"simd_per_cu", "simd_per_cu"},
    {"wave_size", "wave_front_size"},
    {"max_waves_per_cu", "max_waves_per_cu"},
    {"gpu_chip_id", "device_id"},
    {"se_per_gpu", "num_shader_banks"},
    {"workgroup_max_size", "workgroup_max_size"},
};

}  // namespace

bool is_pmc_perf(const CsvTable& table) {
  return table.has("Dispatch_ID") && table.has("Kernel_Name") && table.has("LDS_Per_Workgroup");
}

bool is_rocprof_v1(const CsvTable& table) {
  return table.has("KernelName") && table.has("gpu-id") && table.has("Index");
}

bool describe_by_sysinfo(const std::string& folder, Agent& agent) {
  const std::string path = (std::filesystem::path(folder) / "sysinfo.csv").string();
  auto table = CsvTable::open(path);
  if (!table || !table->next().value_or(false)) return false;
  const std::string_view arch = table->text(table->column("gpu_arch"));
  if (arch.empty()) return false;
  agent.arch = std::string(arch);
  agent.product = std::string(table->text(table->column("gpu_model")));
  Record details;
  for (const auto& [recorded, key] : kAgentKeys) {
    const std::string_view value = table->text(table->column(recorded));
    const auto number = whole_number<double>(value);
    if (!number || !(*number > 0 && *number < 1e15)) continue;
    const auto integer = whole_number<std::int64_t>(value);
    details.emplace_back(key, integer ? Value(*integer) : Value(*number));
  }
  for (const char* key : {"compute_partition", "memory_partition", "rocm_version"})
    details.emplace_back(key, Value(table->text(table->column(key))));
  agent.details = to_json(Value(std::move(details)), JsonStyle::compact);
  return true;
}

Result<RawTrace> read_pmc_perf(const ReadRequest& request) {
  CsvTable table = TRY(CsvTable::open(request.path));
  const PmcColumns at = TRY(PmcColumns::find(table));
  RawTrace out;
  out.file.path = request.path;
  out.file.format = TraceFormat::csv;
  out.file.bytes = table.bytes();
  out.presence.counters = !is_rocprof_v1(table) || !counter_columns(table).empty();
  if (out.presence.counters)
    out.notes.emplace_back(
        "this is a counter file: the dispatches were serialised and their times are not those of a "
        "normal run");
  if (is_rocprof_v1(table))
    out.notes.emplace_back(
        "rocprof version 1 wrote this: kernels alone, on hardware queues; copies and calls, where "
        "it recorded them, are in other files of it, which are not read");
  PmcReader reader(std::move(table), at, out);
  TRY(reader.read(request.monitor));
  const std::string folder = std::filesystem::path(request.path).parent_path().string();
  for (const Agent& agent : std::vector<Agent>(out.agents())) {
    Agent described = agent;
    if (describe_by_sysinfo(folder, described)) out.agent(std::move(described));
  }
  out.tables = pmc_tables(request.path, reader.take_rows());
  return out;
}

namespace {

class PmcTables : public FileTables {
 public:
  PmcTables(std::string path, PmcRows rows) : path_(std::move(path)), rows_(std::move(rows)) {}

  Status counters(const Trace& trace, std::uint32_t file, CounterTable& out) override {
    const RowIndex index(trace, file, RowIndex::Key::event_id);
    std::uint32_t process = kNone;
    for (std::uint32_t i = 0; i < trace.entities().processes.size() && process == kNone; ++i) {
      if (trace.entities().processes[i].file == file) process = i;
    }
    if (process == kNone) return {};
    CsvTable table = TRY(CsvTable::open(path_));
    const auto row_of = [&](std::size_t number) {
      return index.find(process, static_cast<std::int64_t>(number));
    };
    TRY(table.has("Counter_Name") ? read_long(table, row_of, out) : read_wide(table, row_of, out));
    fold_samples(out.rows);
    if (bad_ > 0)
      out.notes.push_back(fmt::format("{}: {} counter values are not numbers", path_, bad_));
    return {};
  }

 private:
  template <class RowOf>
  Status read_wide(CsvTable& table, RowOf row_of, CounterTable& out) {
    const std::vector<CounterColumn> columns = counter_columns(table);
    NameIndex names(out.names);
    std::vector<std::uint32_t> indices;
    for (const CounterColumn& column : columns) indices.push_back(names(column.counter));
    for (std::size_t number = 1; TRY(table.next()); ++number) {
      TRY(interrupt::check());
      const std::uint32_t row = row_of(number);
      if (row == kNone) continue;
      std::vector<CounterSample> samples;
      for (std::size_t i = 0; i < columns.size(); ++i)
        add(samples, row, indices[i], table.text(columns[i].at));
      fold_samples(samples);
      out.rows.insert(out.rows.end(), samples.begin(), samples.end());
    }
    return {};
  }

  template <class RowOf>
  Status read_long(CsvTable& table, RowOf row_of, CounterTable& out) {
    NameIndex names(out.names);
    const std::size_t id = table.column("Dispatch_ID"), start = table.column("Start_Timestamp");
    const std::size_t name = table.column("Counter_Name"), value = table.column("Counter_Value");
    for (std::size_t rows = 1; TRY(table.next()); ++rows) {
      if (rows % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
      const auto found =
          rows_.dispatches.find({table.rounded(id).value, table.rounded(start).value});
      const std::uint32_t row = found == rows_.dispatches.end() ? kNone : row_of(found->second);
      if (row == kNone) continue;
      std::string counter(table.text(name));
      if (const std::size_t bracket = counter.find('['); bracket != std::string::npos) {
        if (counted_whole(table, counter.substr(0, bracket) + "_sum")) continue;
        counter = counter.substr(0, bracket) + "_sum";
      }
      add(out.rows, row, names(counter), table.text(value));
    }
    return {};
  }

  /// Whether the long form has the sum beside the instances; the file is asked once.
  bool counted_whole(const CsvTable& table, const std::string& sum) {
    if (!sums_read_) {
      sums_read_ = true;
      auto again = CsvTable::open(path_);
      const std::size_t name = table.column("Counter_Name");
      while (again && again->next().value_or(false)) {
        const std::string_view counter = again->text(name);
        if (counter.ends_with("_sum")) sums_.emplace(counter);
      }
    }
    return sums_.contains(sum);
  }

  void add(std::vector<CounterSample>& rows, std::uint32_t row, std::uint32_t counter,
           std::string_view field) {
    if (field.empty()) return;
    const auto value = whole_number<double>(field);
    if (!value || !std::isfinite(*value)) {
      ++bad_;
      return;
    }
    add_sample(rows, {row, counter, 1, *value, *value});
  }

  std::string path_;
  PmcRows rows_;
  std::set<std::string, std::less<>> sums_;
  bool sums_read_ = false;
  std::size_t bad_ = 0;
};

}  // namespace

std::unique_ptr<FileTables> pmc_tables(std::string path, PmcRows rows) {
  return std::make_unique<PmcTables>(std::move(path), std::move(rows));
}

}  // namespace rpl
