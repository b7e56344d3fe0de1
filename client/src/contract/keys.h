// Conversion between the keys of the public headers and those of `proto`.
#pragma once

#include "proto/wire/tile_key.h"
#include "thalweg/tile.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg {

inline TileKey ToPublic(const wire::TileKey& key) {
  return {.level = key.level, .x = key.x, .y = key.y, .face = key.face};
}

inline wire::TileKey ToWire(const TileKey& key) {
  return {.face = key.face, .level = key.level, .x = key.x, .y = key.y};
}

inline wire::TileKey ToWire(const v1::TileKey& message) {
  return {.face = static_cast<int>(message.face()),
          .level = static_cast<int>(message.level()),
          .x = message.x(),
          .y = message.y()};
}

inline v1::TileKey ToMessage(const wire::TileKey& key) {
  v1::TileKey message;
  message.set_face(static_cast<std::uint32_t>(key.face));
  message.set_level(static_cast<std::uint32_t>(key.level));
  message.set_x(key.x);
  message.set_y(key.y);
  return message;
}

}  // namespace thalweg
