// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "shell/server/mcp_host.h"

/// Resources of the Model Context Protocol: reports, sources, results that a reply was too small for.
namespace rpl {

/// Results of resources/list and resources/templates/list, on one line.
JsonText resource_list(Context& context, const KeptResults& kept);
JsonText resource_templates();

/// The result of resources/read. Fails with not_found for what no resource is, and as reading does: sources within what the session may read.
Result<JsonText> read_resource(Context& context, McpHost& host, const std::string& uri);

}  // namespace rpl
