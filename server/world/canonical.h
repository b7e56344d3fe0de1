// The canonical encoding of a specification. World ids are hashes of it.
#pragma once

#include <cstdint>
#include <string>

#include "server/world/level_program.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// The bytes of everything that decides the terrain: fields in the order of their numbers, tagged
// and little-endian. Protobuf's own encoding is not canonical. Fields with their default are left
// out, so a new field of the schema changes no id until it is used. Names and the description are
// left out too, and so are named nodes that nothing uses; another one is replaced by its number.
// The specification must have passed World::Create's checks.
std::string CanonicalBytes(const v1::WorldSpec& spec);

// The first 16 bytes of the SHA-256 (FIPS 180-4) of the canonical bytes and a generator version.
std::string WorldId(const v1::WorldSpec& spec, std::uint32_t version = kGeneratorVersion);

}  // namespace thalweg::world
