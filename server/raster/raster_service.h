// Rasters and other things made of tiles: from a cache, or made once for all callers that ask.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "server/sharing/lru_cache.h"
#include "server/sharing/single_flight.h"
#include "server/sharing/threads.h"
#include "server/tile/tile_contents.h"
#include "server/tile/tile_query.h"
#include "server/tile/tile_service.h"

namespace thalweg::raster {

// How something is made of tiles: a raster of one, pictures and meshes of several.
struct Recipe {
  // A text that decides the bytes.
  std::string identity;
  // Whose turn it is made in; see TileQuery. The caller sets both.
  std::uint64_t client = 0;
  // Pays for making it; null if it is free.
  std::shared_ptr<tile::Payer> payer = nullptr;
  // Returns the exact tiles that it is made of, with client and payer. Takes milliseconds; any
  // thread may call it.
  std::function<std::vector<tile::TileQuery>()> tiles;
  // Makes the bytes from the tiles' contents, in order. Takes milliseconds; any thread may call it.
  std::function<absl::StatusOr<std::string>(std::span<const tile::TileContents>)> make;
};

// A finished raster, which answers share.
using RasterBytes = std::shared_ptr<const std::string>;

struct RasterServiceStats {
  std::uint64_t rendered = 0;
  double render_seconds = 0;
};

// Thread-safe. The tiles must outlive it. The destructor waits for all answers.
class RasterService {
 public:
  // Called once, without any lock held: inside Get if the raster is in the cache or its payer
  // refuses, else by a thread of one of the services. Must neither wait nor throw. Errors:
  // CANCELLED after Cancel, the payer's, the tile service's, or that of making the raster.
  using Done = absl::AnyInvocable<void(absl::StatusOr<RasterBytes>) &&>;

  // A request under way. Thread-safe.
  class Question {
   public:
    virtual ~Question() = default;
    // Withdraws the request. Its tiles are cancelled; a raster that is being made is finished for
    // the cache.
    virtual void Cancel() = 0;
  };

  RasterService(tile::TileService* tiles, std::size_t cache_bytes, int threads)
      : tiles_(tiles), cache_(cache_bytes), pool_(threads) {}

  // Asks for a raster. It waits until its client has room for its tiles, and holds room until its
  // bytes are used no more. Null if it was answered at once. If it must be made, its payer is
  // charged as for a tile whose block is kept, in addition to what its tiles cost. Callers that
  // join pay nothing.
  std::shared_ptr<Question> Get(Recipe recipe, Done done);

  RasterServiceStats stats() const;
  sharing::LruStats cache_stats() const { return cache_.stats(); }

 private:
  class Gathering;
  using Tiles = std::vector<tile::TileContents>;

  // A finished raster, and how long making it took.
  struct Made {
    RasterBytes bytes;
    double seconds = 0;
  };

  // Makes a raster from its tiles, or waits if it is already being made.
  void Make(Recipe recipe, Tiles tiles, Done done);
  static absl::StatusOr<Made> MakeRaster(const Recipe& recipe, const Tiles& tiles);
  // Keeps the raster, and answers the requests that wait for it.
  void OnMade(const std::string& identity, const absl::StatusOr<Made>& made);

  tile::TileService* const tiles_;
  sharing::LruCache<std::string, RasterBytes> cache_;  // by identity
  // The requests that wait for rasters that are being made.
  sharing::SingleFlight<std::string, Done> making_;

  mutable std::mutex mutex_;
  RasterServiceStats stats_;

  // Last, so that its threads end before the members that they use are destroyed.
  sharing::WorkerPool pool_;
};

}  // namespace thalweg::raster
