// Tiles on disk, kept between runs of a program.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/geometry/tile_tree.h"
#include "proto/wire/tile_key.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg {

// The facts in the name of a tile's file.
struct FiledTile {
  wire::TileKey key;
  std::uint64_t tag = 0;
  lod::TileFacts facts;
};

// Returns the facts of a tile for its file's name. The height must be among its layers.
FiledTile FiledAs(const v1::Tile& message);

// Converts to FACE_LEVEL_X_Y_TAG_ERROR_MIN_MAX.tile, and back: nothing for any other name, or for
// values that no tile can have.
std::string FileNameOf(const FiledTile& tile);
std::optional<FiledTile> FromFileName(const std::string& name);

// Max bytes of a file: the largest message that gRPC accepts, and the header.
inline constexpr std::size_t kMaxFileBytes = (std::size_t{16} << 20) + 24;

// Returns a file: a header with an XXH3 checksum, then the tile's message.
std::string FileOf(const v1::Tile& message);

// Returns the message in a file's bytes. DATA_LOSS unless they were written for this tile.
absl::StatusOr<v1::Tile> FromFile(std::string_view bytes, const FiledTile& tile);

// A folder with one file for each tile, WORLD/FILE. A file gets its name only when it
// is complete, so a killed program leaves complete files. Damage from a crash of the machine is
// found by the checksum when the file is read. Limited by bytes and by the number of files: the
// least recently used are removed first. Programs may share a folder. Thread-safe.
class TileFolder {
 public:
  // Makes the folder if it does not exist, and lists its files. Errors name the folder.
  static absl::StatusOr<std::unique_ptr<TileFolder>> Open(const std::string& folder,
                                                          std::uint64_t max_bytes);

  // Returns a world's tiles, the last used first. `world` is the world's id in hexadecimal.
  std::vector<FiledTile> List(const std::string& world) const;

  // Reads a tile. NOT_FOUND if the file is gone; DATA_LOSS, and it is removed, if it is damaged.
  absl::StatusOr<v1::Tile> Read(const std::string& world, const FiledTile& tile);

  // Writes a tile that is not there yet, and removes others until all fit.
  absl::Status Write(const std::string& world, const FiledTile& tile, const v1::Tile& message);

  // Removes an unusable tile.
  void Discard(const std::string& world, const FiledTile& tile);

  bool Contains(const std::string& world, const FiledTile& tile) const;

  std::uint64_t bytes() const;

 private:
  struct File {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
  };
  using Order = std::list<File>;  // used last first

  TileFolder(std::filesystem::path folder, std::uint64_t max_bytes)
      : folder_(std::move(folder)), max_bytes_(max_bytes) {}

  void Scan();
  std::filesystem::path PathOf(const std::string& world, const FiledTile& tile) const;
  // The lock must be held.
  void Add(const std::filesystem::path& path, std::uint64_t bytes);
  void Remove(const std::filesystem::path& path);
  void Shrink();

  const std::filesystem::path folder_;
  const std::uint64_t max_bytes_;
  mutable std::mutex mutex_;
  Order files_;
  absl::flat_hash_map<std::string, Order::iterator> by_path_;
  std::uint64_t bytes_ = 0;
  std::uint64_t temporaries_ = 0;
};

// Reads and writes tiles of a folder, on one thread of its own. Reads come before writes; each kind
// keeps its order. Thread-safe.
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
