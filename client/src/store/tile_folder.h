// Tiles on disk, between runs of a program.
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

// A folder with a file a tile, WORLD/FILE (tile_file.h). A file gets its name only when it is
// complete, so a killed program leaves complete files; damage from a crash of the machine is found
// by the checksum when the file is read. Bounded by bytes and by the number of files: the least
// recently used go first. Programs may share a folder. Thread-safe.
class TileFolder {
 public:
  // Makes the folder if it is not there and looks through it. Errors name it.
  static absl::StatusOr<std::unique_ptr<TileFolder>> Open(const std::string& folder,
                                                          std::uint64_t max_bytes);

  // A world's tiles, those used last first. The world's id in hexadecimal.
  std::vector<FiledTile> List(const std::string& world) const;

  // NOT_FOUND if the file is gone; DATA_LOSS if it is damaged, and then it is removed.
  absl::StatusOr<v1::Tile> Read(const std::string& world, const FiledTile& tile);

  // Writes a tile that is not there yet, and removes tiles until the rest fits.
  absl::Status Write(const std::string& world, const FiledTile& tile, const v1::Tile& message);

  // Removes a tile that turned out to be unusable.
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
  // With the lock held.
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
