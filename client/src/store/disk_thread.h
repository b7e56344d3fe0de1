// Reads and writes tiles on disk, away from every other thread.
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

// One thread. Reads come before writes, each in the order asked for. Thread-safe.
class DiskThread {
 public:
  using OnRead = std::function<void(const FiledTile&, absl::StatusOr<v1::Tile>)>;
  using OnWritten = std::function<void(const FiledTile&, const absl::Status&)>;

  // The callbacks run on this thread.
  DiskThread(std::unique_ptr<TileFolder> folder, OnRead on_read, OnWritten on_written);
  // Finishes the writes that wait and drops the reads.
  ~DiskThread();
  DiskThread(const DiskThread&) = delete;
  DiskThread& operator=(const DiskThread&) = delete;

  const TileFolder& folder() const { return *folder_; }

  void Read(std::string world, const FiledTile& tile);

  // Removes a tile that turned out to be unusable.
  void Discard(const std::string& world, const FiledTile& tile) { folder_->Discard(world, tile); }

  // Drops the tile if too many wait to be written: a slow disk must not hold up the flight.
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
