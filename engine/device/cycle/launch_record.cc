// SPDX-License-Identifier: MIT
#include "engine/device/cycle/launch_time.h"

#include <fmt/format.h>
#include <zstd.h>

#include <cstring>

#include "engine/base/files.h"

namespace rpl::cycle {
namespace {

constexpr std::string_view kMagic = "rpl-launch-record/3";
constexpr std::uint64_t kMostBytes = std::uint64_t{8} << 30;  ///< uncompressed

/// Numbers with seven bits in a byte, the lowest first.
class Out {
 public:
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }
  /// The difference to the one before, so that neighbours are small.
  void near(std::uint64_t value, std::uint64_t before) {
    const auto off = static_cast<std::int64_t>(value - before);
    number(static_cast<std::uint64_t>(off) << 1 ^ static_cast<std::uint64_t>(off >> 63));
  }
  void text(std::string_view text) {
    number(text.size());
    bytes_ += text;
  }
  template <class Range>
  void numbers(const Range& range) {
    number(range.size());
    for (const auto value : range) number(value);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class In {
 public:
  explicit In(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ >= bytes_.size()) break;
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    good_ = false;
    return 0;
  }
  std::uint64_t near(std::uint64_t before) {
    const std::uint64_t value = number();
    return before + ((value >> 1) ^ (~(value & 1) + 1));
  }
  /// Of things that take a byte each at least.
  std::size_t size() {
    const std::uint64_t value = number();
    if (value <= bytes_.size() - at_) return value;
    good_ = false;
    return 0;
  }
  std::string text() {
    const std::size_t length = size();
    std::string out(bytes_.substr(at_, length));
    at_ += length;
    return out;
  }
  template <class Vector>
  void numbers(Vector& out) {
    out.resize(size());
    for (auto& value : out) value = static_cast<typename Vector::value_type>(number());
  }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool good_ = true;
};

void write_stream(Out& out, const WaveStream& stream) {
  out.number(stream.executed);
  out.number(stream.steps.size());
  Step before;
  for (const Step& step : stream.steps) {
    out.near(step.operation, before.operation);
    out.near(step.detail, before.detail);
    before = step;
  }
  out.number(stream.lines.size());
  std::uint64_t line = 0;
  for (const std::uint64_t value : stream.lines) {
    out.near(value, line);
    line = value;
  }
}

void read_stream(In& in, WaveStream& stream) {
  stream.executed = in.number();
  stream.steps.resize(in.size());
  Step before;
  for (Step& step : stream.steps) {
    step.operation = static_cast<std::uint32_t>(in.near(before.operation));
    step.detail = static_cast<std::uint32_t>(in.near(before.detail));
    before = step;
  }
  stream.lines.resize(in.size());
  std::uint64_t line = 0;
  for (std::uint64_t& value : stream.lines) line = value = in.near(line);
}

void write_traffic(Out& out, const TrafficCounts& traffic) {
  out.number(traffic.rows.size());
  for (const TrafficCounts::Row& row : traffic.rows) {
    for (const std::uint64_t value : {row.first, row.in_l2, row.all, row.missing, row.beyond,
                                      row.in_mall, std::uint64_t{row.stores}})
      out.number(value);
  }
  for (const std::uint64_t value :
       {std::uint64_t{traffic.line}, traffic.read_lines, traffic.written_lines,
        traffic.reads_looked_up, traffic.reads_in_mall, traffic.written_back, traffic.atomic_lanes,
        traffic.hottest_line, traffic.busiest_channel})
    out.number(value);
}

void read_traffic(In& in, TrafficCounts& traffic) {
  traffic.rows.resize(in.size());
  for (TrafficCounts::Row& row : traffic.rows) {
    for (std::uint64_t* value :
         {&row.first, &row.in_l2, &row.all, &row.missing, &row.beyond, &row.in_mall})
      *value = in.number();
    row.stores = in.number() != 0;
  }
  traffic.line = static_cast<std::uint32_t>(in.number());
  for (std::uint64_t* value :
       {&traffic.read_lines, &traffic.written_lines, &traffic.reads_looked_up,
        &traffic.reads_in_mall, &traffic.written_back, &traffic.atomic_lanes, &traffic.hottest_line,
        &traffic.busiest_channel})
    *value = in.number();
}

/// What was not kept from the beginning stands behind the rest, so that older records can be read.
void write_later(Out& out, const LaunchRecord& record) {
  out.number(record.traffic.busiest_l2_channel);
  out.number(record.by_workgroup.size());
  for (const LaunchRecord::Equal& some : record.by_workgroup) {
    out.number(some.workgroups);
    out.number(some.instructions);
  }
  for (const TrafficCounts::Row& row : record.traffic.rows) out.number(row.elsewhere);
}

void read_later(In& in, LaunchRecord& record) {
  if (in.at_end()) return;
  record.traffic.busiest_l2_channel = in.number();
  record.by_workgroup.resize(in.size());
  for (LaunchRecord::Equal& some : record.by_workgroup) {
    some.workgroups = in.number();
    some.instructions = in.number();
  }
  if (in.at_end()) return;
  for (TrafficCounts::Row& row : record.traffic.rows) row.elsewhere = in.number();
}

/// What a step names must be there.
bool is_whole(const LaunchRecord& record) {
  const std::size_t operations = record.instructions.size();
  if (record.matrix_passes.size() != operations || record.traffic.rows.size() != operations ||
      record.workgroups == 0 || record.waves == 0 || record.by_unit.empty())
    return false;
  for (const auto& workgroup : record.kept) {
    for (const auto& stream : workgroup) {
      for (const Step& step : stream->steps) {
        if (step.operation >= operations) return false;
      }
    }
  }
  return true;
}

Failure corrupt(const std::string& path) {
  return fail(Errc::corrupt, fmt::format("{} is no record of a launch", path),
              "execute the launch again");
}

}  // namespace

Status write_record(const LaunchRecord& record, const std::string& path) {
  Out out;
  out.text(kMagic);
  out.text(record.gpu);
  out.number(record.instructions.size());
  for (const std::string& text : record.instructions) out.text(text);
  out.numbers(record.matrix_passes);
  for (const std::uint32_t value :
       {record.workgroups, record.waves, record.vgprs, record.lds_bytes})
    out.number(value);
  out.numbers(record.by_unit);
  out.number(record.kept.size());
  for (const auto& workgroup : record.kept) {
    out.number(workgroup.size());
    for (const auto& stream : workgroup) write_stream(out, *stream);
  }
  write_traffic(out, record.traffic);
  write_later(out, record);
  std::vector<std::byte> packed(ZSTD_compressBound(out.bytes().size()));
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), out.bytes().data(), out.bytes().size(), 3);
  if (ZSTD_isError(size) != 0) return fail(Errc::internal, ZSTD_getErrorName(size));
  packed.resize(size);
  return write_file(path, packed);
}

Result<LaunchRecord> read_record(const std::string& path) {
  const std::vector<std::byte> packed = TRY(read_binary_file(path));
  const std::uint64_t size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size > kMostBytes) return corrupt(path);
  std::string bytes(size, '\0');
  if (ZSTD_isError(ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size())) != 0)
    return corrupt(path);
  In in(bytes);
  if (in.text() != kMagic)
    return fail(Errc::unsupported, fmt::format("{} is of another version", path),
                "execute the launch again");
  LaunchRecord record;
  record.gpu = in.text();
  record.instructions.resize(in.size());
  for (std::string& text : record.instructions) text = in.text();
  in.numbers(record.matrix_passes);
  for (std::uint32_t* value : {&record.workgroups, &record.waves, &record.vgprs, &record.lds_bytes})
    *value = static_cast<std::uint32_t>(in.number());
  in.numbers(record.by_unit);
  record.kept.resize(in.size());
  for (auto& workgroup : record.kept) {
    workgroup.resize(in.size());
    for (auto& stream : workgroup) read_stream(in, *(stream = std::make_unique<WaveStream>()));
  }
  read_traffic(in, record.traffic);
  read_later(in, record);
  if (!in.good() || !in.at_end() || !is_whole(record)) return corrupt(path);
  return record;
}

}  // namespace rpl::cycle
