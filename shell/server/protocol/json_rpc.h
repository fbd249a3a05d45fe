// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/document/json.h"

/// JSON-RPC 2.0 (jsonrpc.org/specification) as the Model Context Protocol uses it: one message a line, no batches.
namespace rpl::rpc {

/// Codes of errors, from the specification.
enum class Code {
  parse = -32700,
  invalid_request = -32600,
  no_method = -32601,
  invalid_params = -32602,
  internal = -32603,
  no_resource = -32002  ///< of the Model Context Protocol
};

struct Message {
  enum class Kind {
    request,       ///< wants an answer to `id`
    notification,  ///< wants none
    response,      ///< to a request that we would have sent: `method` is ""
    invalid,       ///< to be answered to `id` with `code` and `reason`
  };
  Kind kind = Kind::invalid;
  std::string id = "null";  ///< as JSON writes it
  std::string method;
  Value params;  ///< a Record, or null
  Code code = Code::invalid_request;
  std::string reason;
};

/// Takes a line apart; any bytes.
Message read(std::string_view line);

/// Lines with their end. `id` and `result` are JSON on one line.
JsonText response(std::string_view id, const JsonText& result);
JsonText failure(std::string_view id, Code code, std::string_view reason);
JsonText notification(std::string_view method, const Record& params);

}  // namespace rpl::rpc
