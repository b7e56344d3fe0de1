#include "server/session/room.h"

namespace thalweg::session {
namespace {

// Shares change in steps of this many entries, so that not every tile takes the room's lock.
constexpr std::size_t kStep = 256;

}  // namespace

Room::Share::~Share() { Hold(0); }

bool Room::Share::Hold(std::size_t entries) {
  const std::size_t held = (entries + kStep - 1) / kStep * kStep;
  if (held == held_) return true;
  const std::lock_guard lock(room_.mutex_);
  if (held < held_) {
    room_.shares_.Remove(caller_, held_ - held);
  } else {
    if (!room_.shares_.HasRoom(caller_, room_.entries_, held - held_)) return false;
    room_.shares_.Add(caller_, held - held_);
  }
  held_ = held;
  return true;
}

}  // namespace thalweg::session
