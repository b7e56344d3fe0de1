#include "server/metrics/session_families.h"

namespace thalweg::metrics {

void AddSessions(const session::SessionCounters& counters, Families& families) {
  AddGauge("thalweg_sessions_open", "Sessions that are open now", counters.open.load(), families);
  AddCounter("thalweg_sessions_total", "Sessions that were opened", counters.begun.load(),
             families);
  Family::Counter("thalweg_session_tiles_total",
                  "Tiles of sessions: sent, unchanged since the client got them, or failed")
      .Add(counters.tiles_sent.load(), {{"outcome", "sent"}})
      .Add(counters.tiles_unchanged.load(), {{"outcome", "unchanged"}})
      .Add(counters.tiles_failed.load(), {{"outcome", "failed"}})
      .PutIn(families);
  AddCounter("thalweg_session_tile_bytes_total", "Bytes of the tiles that sessions sent",
             counters.tile_bytes_sent.load(), families);
  AddCounter("thalweg_session_credit_stalls_total",
             "Stalls of sessions whose client had no credit left", counters.credit_stalls.load(),
             families);
  AddGauge("thalweg_sessions_stalled", "Sessions that wait for credit of their client now",
           counters.stalled.load(), families);
}

}  // namespace thalweg::metrics
