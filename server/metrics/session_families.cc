#include "server/metrics/session_families.h"

namespace thalweg::metrics {

void AddSessions(const session::SessionCounters& counters, Families& families) {
  Family::Gauge("thalweg_sessions_open", "Sessions that are open now")
      .Add(counters.open.load())
      .PutIn(families);
  Family::Counter("thalweg_sessions_total", "Sessions that were opened")
      .Add(counters.begun.load())
      .PutIn(families);
  Family::Counter("thalweg_session_tiles_total",
                  "Tiles of sessions: sent, unchanged since the client got them, or failed")
      .Add(counters.tiles_sent.load(), {{"outcome", "sent"}})
      .Add(counters.tiles_unchanged.load(), {{"outcome", "unchanged"}})
      .Add(counters.tiles_failed.load(), {{"outcome", "failed"}})
      .PutIn(families);
  Family::Counter("thalweg_session_tile_bytes_total", "Bytes of the tiles that sessions sent")
      .Add(counters.tile_bytes_sent.load())
      .PutIn(families);
  Family::Counter("thalweg_session_credit_stalls_total",
                  "Stalls of sessions whose client had no credit left")
      .Add(counters.credit_stalls.load())
      .PutIn(families);
  Family::Gauge("thalweg_sessions_stalled", "Sessions that wait for credit of their client now")
      .Add(counters.stalled.load())
      .PutIn(families);
}

}  // namespace thalweg::metrics
