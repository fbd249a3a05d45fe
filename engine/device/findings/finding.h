// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/findings/cause.h"
#include "engine/document/bound.h"

namespace rpl::emu {
struct Executed;
}
namespace rpl::isa {
class CodeObject;
}

namespace rpl::findings {

/// Where something is: in the machine code and, with line tables, in the source; or in the timeline of an application.
struct Place {
  std::uint64_t address = 0;  ///< relative to the load base
  std::string instruction;    ///< as disassembled
  std::string
      source;  ///< "softmax.hip:12 in normalise, inlined at …"; of an application the line of the host's call; "" without a line table
  double share = 0;  ///< of what is counted for the cause
  std::optional<std::string> what =
      {};  ///< of an application: "hipMalloc, 300 calls", "k7f3a2c, 96 launches"
  std::optional<std::int64_t> from_ns = {},
                              to_ns =
                                  {};  ///< from the beginning of the recording, where it has a time

  /// The line, and what is there; else the instruction.
  [[nodiscard]] std::string text() const {
    if (what) return source.empty() ? *what : source + ": " + *what;
    return source.empty() ? instruction : source;
  }
};

/// A number that a finding rests on: exact counts, or of the model.
struct Evidence {
  std::string what;  ///< "lines of a load"
  double value = 0;
  bool modelled = false;
};

/// A share of the kernel's time, 0 to 1.
struct Worth {
  double low = 0, high = 0;
};

/// One reason why a kernel takes its time.
struct Finding {
  Cause cause = Cause::nothing_of_note;
  std::vector<Place> where = {};  ///< the most of it first
  std::vector<Evidence> evidence = {};
  std::optional<Worth> worth = {};  ///< of the kernel's time, were the cause away; none: not priced
  std::string assumes = {};         ///< what is taken to be ideal for that
  std::string remedy = {};
};

/// What is found of one launch.
struct Findings {
  std::vector<Finding> all;  ///< the one worth most first; never empty
  Worth without_faults;      ///< what the same work would save, were every cause above away
};

/// As in documents and recordings.
std::string to_json(const Findings& found);
/// Reads what to_json() wrote, of a recording that may say anything. Fails with corrupt.
Result<Findings> findings_from_json(std::string_view text);

/// Memory that kernels reach and that is not the device's own: addresses [begin, end).
struct FarMemory {
  std::uint64_t begin = 0, end = 0;
  bool managed = false;  ///< its pages move; else it stays on the host
};

/// From what a modelled launch counted and kept (ExecuteOptions::keep_record). `far`: what there was of such memory. Fails with unsupported for a run without, interrupted.
Result<Findings> find(const emu::Executed& executed, const isa::CodeObject& object,
                      const cycle::Parameters& parameters, std::span<const FarMemory> far = {});

Columns<Place> bound(const Place*);
Columns<Evidence> bound(const Evidence*);
Columns<Worth> bound(const Worth*);
Columns<Finding> bound(const Finding*);

}  // namespace rpl::findings
