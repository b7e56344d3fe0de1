// Reads the URL of a tile. An accepted URL is a tile of the world. Any other URL is the caller's
// fault.
#include "server/http/tile_address.h"

#include <cstdlib>
#include <memory>
#include <string>

#include "server/http/handlers.h"
#include "server/http/problem.h"
#include "tests/field/test_world.h"
#include "tests/fuzz/target.h"

namespace {

using namespace thalweg;  // NOLINT(google-build-using-namespace): a program of one file.

const world::WorldLibrary& Worlds() {
  static const std::unique_ptr<world::WorldLibrary> worlds =
      world::WorldLibrary::Of({field::TestWorld()});
  return *worlds;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto target = http::ParseTarget({reinterpret_cast<const char*>(data), size});
  if (!target.ok()) return 0;
  const auto match = http::RoutesOf(*target);
  if (!match.ok()) return 0;
  const auto handle = match->routes.front().handle;
  if (handle != http::HandleGetTile && handle != http::HandleGetMapTile) return 0;
  const auto world = Worlds().Find(match->values.world);
  if (!world.ok()) return 0;
  const auto parse =
      handle == http::HandleGetTile ? http::ParseTileAddress : http::ParseMapTileAddress;
  const auto address = parse(*world, match->values, target->parameters);
  if (!address.ok()) {
    // Every error must be the caller's.
    if (http::CodeOf(address.status()) >= 500) std::abort();
    return 0;
  }
  if (!tile::CheckKey(address->tile_query.key, *address->tile_query.world).ok()) std::abort();
  if (address->recipe != nullptr) {
    for (const tile::TileQuery& one : address->recipe(address->tile_query).tiles()) {
      if (!tile::CheckKey(one.key, *one.world).ok()) std::abort();
    }
  }
  if (address->identity.empty() || address->content_type.empty()) std::abort();
  return 0;
}
