// Reads and writes tiles on disk, on its own thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "client/src/store/tile_folder.h"

namespace thalweg {

// One thread. Reads come before writes; each kind keeps its order. Thread-safe.
class DiskThread {
 public:
  using OnRead = std::function<void(const FiledTile&, absl::StatusOr<v1::Tile>)>;
  using OnWritten = std::function<void(const FiledTile&, const absl::Status&)>;

  // The callbacks run on this thread.
  DiskThread(std::unique_ptr<TileFolder> folder, OnRead on_read, OnWritten on_written);
  // Finishes the waiting writes and drops the waiting reads.
  ~DiskThread();
  DiskThread(const DiskThread&) = delete;
  DiskThread& operator=(const DiskThread&) = delete;

  const TileFolder& folder() const { return *folder_; }

  void Read(std::string world, const FiledTile& tile);

  // Removes an unusable tile.
  void Discard(const std::string& world, const FiledTile& tile) { folder_->Discard(world, tile); }

  // Queues a write. Drops the tile if too many wait: a slow disk must not delay the flight.
  void Write(std::string world, const FiledTile& tile, v1::Tile message);

 private:
  struct ReadJob {
    std::string world;
    FiledTile tile;
  };
  struct WriteJob {
    std::string world;
    FiledTile tile;
    v1::Tile message;
  };

  void Loop();

  const std::unique_ptr<TileFolder> folder_;
  const OnRead on_read_;
  const OnWritten on_written_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<ReadJob> reads_;
  std::deque<WriteJob> writes_;
  std::size_t waiting_bytes_ = 0;  // of their messages
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace thalweg
