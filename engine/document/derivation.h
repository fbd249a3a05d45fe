// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/document/document.h"

namespace rpl {

/// Where a number comes from, as a tree: a leaf names the file, recording or person it was taken from, an inner node the formula
/// over its inputs. Any part of the engine fills one beside a result; `explain` prints it.
struct Derivation {
  std::string name;             ///< what it is called in results: "peak_gflops"
  std::optional<double> value;  ///< in `unit`; nullopt: unknown, and `note` says why
  Unit unit = Unit::none;
  std::string unit_text = {};  ///< for units that results have no column type for: "FLOP/clk/CU"
  std::string formula = {};    ///< over the names of `inputs`; "" for a leaf
  std::string source =
      {};  ///< "gfx942.arch:31 (CDNA3 white paper)", "agent a4 of the recording: cu_count"
  Provenance provenance = Provenance::none;
  std::string note =
      {};  ///< what a reader must know: an assumption, a correction, why it is unknown
  std::vector<Derivation> inputs = {};
};

}  // namespace rpl
