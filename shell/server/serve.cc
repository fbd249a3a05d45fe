// SPDX-License-Identifier: MIT
#include "shell/server/serve.h"

#include "engine/process/attached.h"
#include "shell/core/run/signals.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/server/request_reader.h"

namespace rpl {

int serve(Context& context, Streams& streams, WorkQueue& queue, std::size_t longest_line,
          LineSplitter::Take hear, AfterCancel after_cancel) {
  Attached::serve_programs();
  {
    RequestReader reader(streams.requests(), longest_line, std::move(hear), queue);
    while (!context.face().leaving()) {
      const auto work = queue.next();
      if (!work) break;
      const std::string reply = work->run();
      const bool was_cancelled = queue.done();
      if (!was_cancelled || after_cancel == AfterCancel::replied) streams.reply(reply);
    }
    for (const Work& left : queue.abandon()) left.cancelled();
  }
  return signals::exit_status(context.face().leaving() ? context.face().exit_code() : 0);
}

}  // namespace rpl
