#include "server/calls/worlds.h"

#include <algorithm>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/limits.h"
#include "proto/wire/tile_key.h"
#include "server/tile/layers/tile_layers.h"

namespace thalweg::calls {
namespace {

constexpr std::size_t kShownToken = 96;

}  // namespace

void FindWorld(const Engine& engine, std::uint64_t client, const std::string& request,
               world::TakeWorld take) {
  engine.worlds->FindThen(
      request,
      [&engine, client](absl::AnyInvocable<void() &&> work) {
        return engine.workers->compilers.Run(
            client, "find world",
            [work = std::move(work)]() mutable {
              std::move(work)();
              return absl::OkStatus();
            },
            [](const absl::Status&) {});
      },
      std::move(take));
}

v1::World ToProto(const world::World& world) {
  v1::World message;
  message.set_id(world.id());
  *message.mutable_spec() = world.spec();
  message.set_generator_version(world::kGeneratorVersion);
  for (const v1::Layer layer : tile::LayersOf(world.layers())) message.add_layers(layer);
  message.set_max_vertex(wire::kMaxVertex);
  for (const std::int64_t cost : world.level_costs()) message.add_level_costs(cost);
  return message;
}

absl::StatusOr<WorldPage> PageOf(const world::WorldLibrary& worlds, std::int32_t size,
                                 const std::string& token) {
  if (size < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("invalid page_size: expected 0 to ", kMaxPageSize, ", got ", size));
  }
  if (!token.empty() && !wire::IsWorldName(token)) {
    return absl::InvalidArgumentError(
        absl::StrCat("invalid page_token: expected the next_page_token of the page before, got '",
                     absl::CHexEscape(token.substr(0, kShownToken)), "'"));
  }
  const std::int32_t wanted = size == 0 ? kDefaultPageSize : std::min(size, kMaxPageSize);
  world::WorldLibrary::Page page =
      worlds.PageAfter(token, static_cast<std::size_t>(wanted), kMaxPageBytes);
  WorldPage result{.worlds = std::move(page.worlds), .next_token = ""};
  if (page.has_more) result.next_token = result.worlds.back()->name();
  return result;
}

}  // namespace thalweg::calls
