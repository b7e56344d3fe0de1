// Tiles on disk, kept between runs of a program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/src/store/tile_file.h"

namespace thalweg {

// A folder with one file for each tile, WORLD/FILE (tile_file.h). A file gets its name only when it
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

}  // namespace thalweg
