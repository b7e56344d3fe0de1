#include "server/tile/tile_fan_in.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace thalweg::tile {

TileFanIn::TileFanIn(TileSource* tiles, Take take, Done done)
    : tiles_(tiles), take_(std::move(take)), done_(std::move(done)) {}

void TileFanIn::AskAll(std::size_t count, QueryOf query_of, std::size_t ahead) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    asking_ = true;
    query_of_ = std::move(query_of);
    count_ = count;
    ahead_ = ahead;
    ++left_;
  }
  AskAhead();
}

void TileFanIn::Release() {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ++released_;
    ++left_;
  }
  AskAhead();
}

void TileFanIn::AskAhead() {
  bool all = false;
  while (!all) {
    TileQuery query;
    Asked next{};
    {
      const std::lock_guard lock(mutex_);
      if (ended_) break;
      all = stopped_ || asked_ == count_;
      if (all || asked_ - released_ >= ahead_) break;
      query = query_of_(asked_);
      // One tile is always under way, so that the owner goes on when that one was used up.
      if (asked_ > released_ && !tiles_->MayAskAhead(query)) break;
      ++left_;
      next = {asked_++, std::make_shared<TileWaiter>()};
      under_way_.push_back(next);
    }
    tiles_->Get(
        next.waiter, std::move(query),
        [this, n = next.n](absl::StatusOr<TileContents> tile) { Receive(n, std::move(tile)); });
  }
  if (all) End();
  Leave();
}

void TileFanIn::End(const absl::Status& status) {
  {
    const std::lock_guard lock(mutex_);
    status_.Update(status);
    if (std::exchange(ended_, true)) return;
  }
  Leave();
}

void TileFanIn::Stop(const absl::Status& why) {
  UnderWay withdrawn;
  bool ends = false;
  {
    const std::lock_guard lock(mutex_);
    if (left_ == 0) return;
    ++left_;
    status_.Update(why);
    stopped_ = true;
    ends = asking_;
    withdrawn.swap(under_way_);
  }
  for (const Asked& asked : withdrawn) tiles_->Cancel(asked.waiter);
  if (ends) End();
  Leave();
}

absl::Status TileFanIn::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void TileFanIn::Receive(std::size_t n, absl::StatusOr<TileContents> tile) {
  bool wanted = false;
  {
    const std::lock_guard lock(mutex_);
    const auto asked = std::find_if(under_way_.begin(), under_way_.end(),
                                    [n](const Asked& other) { return other.n == n; });
    wanted = asked != under_way_.end();
    if (wanted) under_way_.erase(asked);
  }
  if (wanted) {
    const absl::Status taken = take_(n, std::move(tile));
    if (!taken.ok()) Stop(taken);
  }
  Leave();
}

void TileFanIn::Leave() {
  absl::Status status;
  Done done;
  {
    const std::lock_guard lock(mutex_);
    if (--left_ > 0) return;
    status = status_;
    done = std::move(done_);
  }
  std::move(done)(status);
}

}  // namespace thalweg::tile
