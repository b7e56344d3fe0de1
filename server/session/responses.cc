#include "server/session/responses.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <utility>

#include "proto/wire/status_details.h"
#include "server/tile/tile_query.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg::session {

Outgoing OpenedResponse(const world::World& world, const lod::Grid& grid) {
  v1::SessionResponse response;
  v1::SessionOpened& opened = *response.mutable_opened();
  opened.set_world_id(world.id());
  opened.set_cell_size_m(grid.cell_size_m);
  opened.set_levels(static_cast<std::uint32_t>(grid.levels));
  opened.set_radius_m(grid.radius_m);
  return {response.SerializeAsString()};
}

Outgoing TileResponse(tile::TileBytes tile) {
  using google::protobuf::internal::WireFormatLite;
  using google::protobuf::io::CodedOutputStream;
  std::uint8_t head[2 * 10];
  std::uint8_t* end = CodedOutputStream::WriteVarint32ToArray(
      WireFormatLite::MakeTag(v1::SessionResponse::kTileFieldNumber,
                              WireFormatLite::WIRETYPE_LENGTH_DELIMITED),
      head);
  end = CodedOutputStream::WriteVarint64ToArray(tile->size(), end);
  return {std::string(reinterpret_cast<const char*>(head), static_cast<std::size_t>(end - head)),
          std::move(tile)};
}

Outgoing UnchangedResponse(const wire::TileKey& key) {
  v1::SessionResponse response;
  *response.mutable_unchanged()->mutable_key() = tile::ToProto(key);
  return {response.SerializeAsString()};
}

Outgoing FailedResponse(const wire::TileKey& key, const absl::Status& status) {
  v1::SessionResponse response;
  v1::TileFailed& failed = *response.mutable_failed();
  *failed.mutable_key() = tile::ToProto(key);
  failed.set_code(static_cast<std::uint32_t>(status.code()));
  failed.set_message(std::string(status.message()));
  if (const auto delay = wire::RetryDelayOf(status)) {
    failed.set_retry_after_ms(static_cast<std::uint32_t>(delay->count()));
  }
  return {response.SerializeAsString()};
}

Outgoing SettledResponse(std::uint64_t view_id, std::size_t tiles, std::size_t failed) {
  v1::SessionResponse response;
  v1::ViewSettled& settled = *response.mutable_settled();
  settled.set_view_id(view_id);
  settled.set_tiles(static_cast<std::uint32_t>(tiles));
  settled.set_failed(static_cast<std::uint32_t>(failed));
  return {response.SerializeAsString()};
}

}  // namespace thalweg::session
