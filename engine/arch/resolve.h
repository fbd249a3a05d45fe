// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/arch/catalogue.h"
#include "engine/arch/gpu.h"

/// From a recorded agent, a name and the user's wishes to what is known of a GPU: the user over the recording over the file.
namespace rpl::arch {

/// A recorded agent, as engine/trace/core/entities.h has it.
struct RecordedAgent {
  std::string id;       ///< "a4", for sources
  std::string arch;     ///< "gfx942"
  std::string product;  ///< as recorded: "AMD Instinct MI300X"
  std::string
      details;  ///< the recorder's JSON about the agent (rocpd_info_agent.extdata), untrusted; "" when absent
};

/// What the user said on the command line or by `set arch …`.
struct Overrides {
  std::string product = {};  ///< "MI308X": which product it is, whatever is recorded; "" for none
  std::vector<Fact> facts =
      {};  ///< their origin is made `user`; `source` says which option or setting
};

/// A GPU without a recording. Fails with not_found for an unknown name.
Result<Gpu> resolve(const Catalogue& catalogue, std::string_view name, const Overrides& overrides);

/// The GPU of a recording. An architecture without a file leaves a note and what the recording and the user say. Fails with
/// not_found when the user's product is unknown.
Result<Gpu> resolve(const Catalogue& catalogue, const RecordedAgent& agent,
                    const Overrides& overrides);

struct AgentReading;
/// The same for who has read `agent.details` before; reading them costs more than all the rest.
Result<Gpu> resolve(const Catalogue& catalogue, const RecordedAgent& agent,
                    const AgentReading& reading, const Overrides& overrides);

}  // namespace rpl::arch
