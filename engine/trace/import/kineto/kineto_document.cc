// SPDX-License-Identifier: MIT
#include "engine/trace/import/kineto/kineto_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/trace/bytes/byte_source.h"
#include "engine/trace/import/json/json_scanner.h"

namespace rpl {
namespace {

/// No event of a profiler comes near it.
constexpr std::size_t kMostEventBytes = std::size_t{64} << 20;
constexpr std::string_view kEvents = "traceEvents";
/// Keys of which Kineto writes at least one before its events.
constexpr std::array<std::string_view, 5> kOwn{
    "schemaVersion", "deviceProperties", "distributedInfo", "baseTimeNanoseconds", "record_shapes"};

class Reader {
 public:
  Reader(ByteSource source, const Monitor& monitor)
      : scanner_(std::move(source), kMostEventBytes), monitor_(monitor) {}

  Result<KinetoDocument> read() {
    TRY(scanner_.enter('{'));
    std::string key;
    while (!out_.cut_at) {
      auto more = scanner_.next_member(key);
      if (!more) {
        TRY(cut(std::move(more).failure()));
        break;
      }
      if (!*more) break;
      own_ = own_ || std::ranges::find(kOwn, key) != kOwn.end();
      if (Status read = member(key); !read) TRY(cut(std::move(read).failure()));
    }
    out_.packed_cut = scanner_.source().cut_short();
    if (!collector_.any_known() && !own_) return other_chrome_trace();
    out_.rows = std::move(collector_.rows());
    return std::move(out_);
  }

 private:
  /// The end of the file within it is no error once there were events: what they say is worth reading.
  Status cut(Failure failure) {
    if (!scanner_.ended() || !found_events_) return failure;
    out_.cut_at = scanner_.offset();
    return {};
  }

  Result<KinetoDocument> other_chrome_trace() const {
    return fail(
        Errc::unsupported,
        fmt::format("{} is a Chrome trace, but none that PyTorch's profiler wrote: no event "
                    "has one of its categories",
                    scanner_.source().name()),
        "record the program itself: 'rocprofv3 --sys-trace --output-format rocpd -- APP'");
  }

  Status member(const std::string& key) {
    if (key == kEvents) return events();
    if (key == "deviceProperties") return devices(TRY(scanner_.value()));
    if (key == "distributedInfo") return distributed(TRY(scanner_.value()));
    if (key == "baseTimeNanoseconds") {
      out_.base_ns = whole_number<std::int64_t>(text(TRY(scanner_.value())));
      return {};
    }
    if (key == "schemaVersion") {
      out_.schema_version = text(TRY(scanner_.value()));
      return {};
    }
    if (key == "trace_id") {
      out_.trace_id = text(TRY(scanner_.value()));
      return {};
    }
    return scanner_.skip();
  }

  static std::string text(std::string_view value) { return unescaped(JsonCursor(value).token()); }

  Status events() {
    TRY(scanner_.enter('['));
    found_events_ = true;
    bool cut = false;
    while (!cut) {
      TRY(interrupt::check());
      const std::string_view batch = TRY(scanner_.whole_elements(cut));
      const std::uint64_t offset = batch.empty() ? scanner_.offset() : scanner_.offset_of(batch);
      TRY(collector_.add(batch, offset, scanner_.source().name()));
      monitor_.report("reading events", scanner_.source().used(scanner_.offset()),
                      scanner_.source().size());
      if (batch.empty()) break;
    }
    if (cut) out_.cut_at = scanner_.offset();
    return {};
  }

  Status devices(std::string_view list) {
    JsonCursor at(list);
    at.enter('[');
    while (at.next_element()) {
      KinetoDevice device;
      device.details = at.value();
      JsonCursor inner(device.details);
      inner.enter('{');
      std::string_view key;
      while (inner.next_member(key)) {
        const std::string_view held = inner.token();
        if (key == "id") device.id = whole_number<std::int64_t>(held).value_or(0);
        if (key == "name") device.name = unescaped(held);
      }
      constexpr std::size_t kMostDevices = 4096;
      if (!inner.failed() && out_.devices.size() < kMostDevices)
        out_.devices.push_back(std::move(device));
    }
    return {};
  }

  Status distributed(std::string_view object) {
    JsonCursor at(object);
    at.enter('{');
    std::string_view key;
    while (at.next_member(key)) {
      const std::string_view held = at.token();
      if (key == "rank") out_.rank = whole_number<std::int64_t>(held).value_or(-1);
      if (key == "world_size") out_.world_size = whole_number<std::int64_t>(held).value_or(0);
    }
    return {};
  }

  JsonScanner scanner_;
  const Monitor& monitor_;
  KinetoCollector collector_;
  KinetoDocument out_;
  bool own_ = false, found_events_ = false;
};

}  // namespace

Result<KinetoDocument> read_kineto_document(const std::string& path, const Monitor& monitor) {
  Reader reader(TRY(ByteSource::open_unpacked(path)), monitor);
  return reader.read();
}

Result<bool> is_chrome_trace(const std::string& path) {
  JsonScanner scanner(TRY(ByteSource::open_unpacked(path)), kMostEventBytes);
  TRY(scanner.enter('{'));
  std::string key;
  while (TRY(scanner.next_member(key))) {
    if (key == kEvents || std::ranges::find(kOwn, key) != kOwn.end()) return true;
    if (key == "rocprofiler-sdk-tool") return false;
    TRY(scanner.skip());
  }
  return false;
}

}  // namespace rpl
