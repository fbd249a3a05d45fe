// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/document/json.h"
#include "engine/plot/event_writer.h"
#include "engine/plot/paint.h"

namespace rpl {

/// The Trace Event format, event by event, through a buffer.
class ChromeWriter : public EventWriter {
 public:
  ChromeWriter(const SinkOf<JsonText>& write, std::int64_t origin_ns);

  void name_process(std::int64_t pid, std::string_view name) override;
  Status slice(const Slice& slice) override;
  Status arrow(std::string_view category, const ArrowEnd& from, const ArrowEnd& to) override;
  Status counter(std::int64_t pid, std::string_view name, std::int64_t at_ns,
                 double value) override;
  Status finish() override;

 private:
  JsonStream out_;
  std::int64_t origin_ns_;
  std::uint64_t next_arrow_ = 1;
};

}  // namespace rpl
