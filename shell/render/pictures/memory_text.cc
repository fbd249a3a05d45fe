// SPDX-License-Identifier: MIT
#include "shell/render/pictures/text_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/metrics/roofline/plot.h"

namespace rpl {
namespace {

std::string bytes_text(const std::optional<double>& bytes) {
  if (!bytes) return "-";
  if (*bytes < 0) return fmt::format("{:.0f} B (impossible)", *bytes);
  return format_bytes(static_cast<std::uint64_t>(std::llround(std::min(*bytes, 9e18))));
}

std::string share_text(const std::optional<double>& share) {
  if (!share) return "-";
  const bool possible = *share >= 0 && *share <= 1;
  return possible ? format_share(*share) : fmt::format("{:.1f} % (impossible)", 100 * *share);
}

class CascadePicture {
 public:
  CascadePicture(const MemoryCascade& cascade, const Canvas& canvas)
      : cascade_(cascade),
        canvas_(canvas),
        bar_(std::clamp<std::size_t>(canvas.width / 5, 12, 40)) {}

  std::string run() {
    out_ = fmt::format("{}\n{}, {}\n\n", elide_middle(short_kernel(cascade_.kernel), canvas_.width),
                       cascade_.gpu, timing());
    box("CUs", waves_line(), units_line());
    side("LDS", bytes_text(cascade_.lds.bytes) + rate(cascade_.lds));
    if (cascade_.lds_conflict_rate) {
      out_ +=
          fmt::format("      {}        {:.2f} cycles lost to bank conflicts for each useful one\n",
                      line_mark(), *cascade_.lds_conflict_rate);
    }
    for (const auto& station : cascade_.stations) {
      link(station.inward);
      std::string text;
      if (station.has_hit_rate) {
        text = station.hit_rate ? fmt::format("hit {:>7}  {}", share_text(station.hit_rate),
                                              bar(*station.hit_rate, bar_, canvas_.unicode))
                                : "hit rate not counted";
        text.erase(text.find_last_not_of(' ') + 1);
      }
      box(station.name, text, {});
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string timing() const {
    const std::string mean = fmt::format("mean of {} dispatch{}", format_count(cascade_.calls),
                                         cascade_.calls == 1 ? "" : "es");
    if (!cascade_.time_ns) return mean + ", duration unknown";
    return fmt::format("{}, {}{}", mean, format_ns(*cascade_.time_ns),
                       cascade_.time_source == "instrumented" ? " in the counting run" : "");
  }

  [[nodiscard]] std::string waves_line() const {
    std::string line = "waves not counted";
    if (cascade_.waves)
      line = fmt::format(
          "{} waves",
          format_count(static_cast<std::uint64_t>(std::llround(std::max(*cascade_.waves, 0.0)))));
    if (cascade_.occupancy) line += fmt::format(", occupancy {}", share_text(cascade_.occupancy));
    return line;
  }
  [[nodiscard]] std::string units_line() const {
    std::string line;
    const auto add = [&](const char* name, const std::optional<double>& share) {
      if (share) line += fmt::format("{}{} {}", line.empty() ? "" : ", ", name, share_text(share));
    };
    add("VALU", cascade_.valu_utilization);
    add("MFMA", cascade_.mfma_utilization);
    add("lanes", cascade_.active_lanes);
    return line;
  }

  [[nodiscard]] static std::string rate(const MemoryCascade::Traffic& traffic) {
    if (!traffic.gbps) return "";
    if (!traffic.peak_gbps) return fmt::format("  {}", short_gbps(*traffic.gbps));
    const double share = *traffic.gbps / *traffic.peak_gbps;
    return fmt::format("  {} = {} of {}{}", short_gbps(*traffic.gbps), format_share(share),
                       short_gbps(*traffic.peak_gbps), share > 1 ? " (impossible)" : "");
  }

  [[nodiscard]] const char* line_mark() const { return canvas_.unicode ? "│" : "|"; }

  void box(const std::string& name, const std::string& text, const std::string& below) {
    const std::string rule = repeated(canvas_.unicode ? "─" : "-", 8);
    out_ += canvas_.unicode ? fmt::format("  ┌{}┐\n", rule) : fmt::format("  +{}+\n", rule);
    std::string line = fmt::format("  {0}{1:^8}{0}  {2}", line_mark(), name, text);
    line.erase(line.find_last_not_of(' ') + 1);
    out_ += line + "\n";
    out_ += canvas_.unicode ? fmt::format("  └{}┘", rule) : fmt::format("  +{}+", rule);
    out_ += below.empty() ? "\n" : "  " + below + "\n";
  }

  void link(const MemoryCascade::Traffic& traffic) {
    const char* const line = line_mark();
    std::string text;
    if (traffic.read_bytes || traffic.write_bytes) {
      text = fmt::format("read {}  write {}", bytes_text(traffic.read_bytes),
                         bytes_text(traffic.write_bytes));
    } else {
      text = bytes_text(traffic.bytes);
      if (traffic.bytes && !traffic.remark.empty()) text += " (" + traffic.remark + ")";
    }
    out_ += fmt::format("      {}     {}\n", line, text);
    if (const std::string speed = rate(traffic); !speed.empty())
      out_ += fmt::format("      {}   {}\n", line, speed);
  }

  void side(const std::string& name, const std::string& text) {
    out_ += fmt::format("      {}{} {}  {}\n", canvas_.unicode ? "├" : "+",
                        canvas_.unicode ? "──" : "--", name, text);
  }

  static std::string repeated(std::string_view mark, std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += mark;
    return out;
  }

  const MemoryCascade& cascade_;
  const Canvas& canvas_;
  std::size_t bar_;
  std::string out_;
};

}  // namespace

std::string memory_text(const MemoryCascade& cascade, const Canvas& canvas) {
  return CascadePicture(cascade, canvas).run();
}

}  // namespace rpl
