// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <string>

#include "engine/plot/timeline.h"
#include "shell/commands/report/report.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"

/// Pictures of what is open, for reports and for the pages of `serve`; nullopt where there is nothing to draw.
namespace rpl {

/// Where links of pictures lead: "#kernel-" or "/kernel/", followed by the kernel's id.
struct PictureLinks {
  std::string kernel_page = "#kernel-";
  std::string title = {};  ///< of the timeline
  /// The kernels that have a place there; null: all.
  const std::set<std::string, std::less<>>* known = nullptr;

  /// "" for a kernel without one.
  [[nodiscard]] std::string to(const std::string& kernel) const {
    return known == nullptr || known->contains(kernel) ? kernel_page + kernel : std::string();
  }
};

/// Which rows a timeline has: the busiest streams.
TimelineOptions figure_rows();

/// What ran when, drawn once and as data for a script.
Result<std::optional<ReportFigure>> timeline_figure(const Inputs& inputs,
                                                    const PictureLinks& links);
/// Of the kernels whose counters are there; `kernel` of one alone.
Result<std::optional<ReportFigure>> roofline_figure(const Inputs& inputs, const PictureLinks& links,
                                                    const std::string& kernel = {});
/// The way of the data of the kernel with the most time, or of one.
Result<std::optional<ReportFigure>> memory_figure(const Inputs& inputs,
                                                  const std::string& kernel = {});
/// Cycles by cause and the states of the waves over time.
Result<std::optional<ReportFigure>> cycles_figure(const Inputs& inputs, const AttEntry& entry);

/// The source of a thread trace in the order of its files, each line beside its share of the cycles or samples; lines far from all that cost anything are
/// left out. "" where no source is known.
XmlText source_html(const AttEntry& entry, const std::string& anchor);
/// The same of the last run on the emulated device, from what `list` gave: how often waves came to each line, its share of what they waited for, its cause.
XmlText run_source_html(const Document& list);

}  // namespace rpl
