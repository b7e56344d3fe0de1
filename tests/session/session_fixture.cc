#include "tests/session/session_fixture.h"

#include <thread>
#include <utility>

#include "server/tile/tile_query.h"
#include "tests/field/test_world.h"
#include "tests/session/sample_view.h"

namespace thalweg::session {
namespace {

class EmptyPurse final : public tile::Payer {
 public:
  absl::Status MayGenerate() override {
    return absl::ResourceExhaustedError("the budget is used up");
  }
  void Charge(std::int64_t) override {}
};

// The response as a client reads it.
v1::SessionResponse Parse(const Outgoing& outgoing) {
  v1::SessionResponse response;
  std::string bytes = outgoing.head;
  if (outgoing.tile != nullptr) bytes += *outgoing.tile;
  EXPECT_TRUE(response.ParseFromString(bytes));
  return response;
}

// Splits the keys: each part has as many as a message may name, and the last part has the rest.
std::vector<std::vector<wire::TileKey>> PartsOf(const std::vector<wire::TileKey>& keys) {
  std::vector<std::vector<wire::TileKey>> parts;
  for (const wire::TileKey& key : keys) {
    if (parts.empty() || parts.back().size() == kMaxKeysPerMessage) parts.emplace_back();
    parts.back().push_back(key);
  }
  return parts;
}

}  // namespace

std::vector<wire::TileKey> RowOf(std::int64_t count, std::int64_t first) {
  std::vector<wire::TileKey> keys;
  for (std::int64_t x = 0; x < count; ++x) keys.push_back({.x = first + x});
  return keys;
}

v1::SessionRequest WantOf(const std::vector<wire::TileKey>& keys, v1::Priority priority) {
  v1::SessionRequest request;
  v1::WantTiles& want = *request.mutable_want();
  for (const wire::TileKey& key : keys) *want.add_keys() = tile::ToProto(key);
  want.set_priority(priority);
  return request;
}

std::vector<v1::SessionRequest> WantsOf(const std::vector<wire::TileKey>& keys,
                                        v1::Priority priority) {
  std::vector<v1::SessionRequest> requests;
  for (const auto& part : PartsOf(keys)) requests.push_back(WantOf(part, priority));
  return requests;
}

v1::SessionRequest CancelOfAll() {
  v1::SessionRequest request;
  request.mutable_cancel()->set_all(true);
  return request;
}

v1::SessionRequest CreditOf(std::uint32_t tiles, std::uint64_t bytes) {
  v1::SessionRequest request;
  request.mutable_credit()->set_tiles(tiles);
  request.mutable_credit()->set_bytes(bytes);
  return request;
}

v1::SessionRequest ViewOf(std::uint64_t id, double east_m) {
  v1::SessionRequest request;
  *request.mutable_view() = SampleView(id, east_m);
  return request;
}

SessionFixture::SessionFixture() : SessionFixture(field::TestWorld()) {}

SessionFixture::SessionFixture(std::shared_ptr<const world::World> world)
    : world_(std::move(world)),
      worlds_(world::WorldLibrary::Of({world_})),
      tiles_({.field = std::make_unique<field::Field>(field::MakeFakeBackend(device_),
                                                      field::FieldOptions{}),
              .cache = &cache_,
              .room = std::make_unique<sharing::AnswerRoom>(std::size_t{1} << 40)}),
      context_{.worlds = worlds_.get(),
               .tiles = &tiles_,
               .timer = &timer_,
               .room = &plenty_,
               .bill = [](tile::TileQuery&) { return absl::OkStatus(); },
               .counters = &counters_,
               .now = [this] { return now_; }} {}

SessionFixture::~SessionFixture() {
  device_->Open();
  tiles_.Stop();
}

std::shared_ptr<Session> SessionFixture::Open() { return OpenWith(context_); }

std::shared_ptr<Session> SessionFixture::OpenWith(const SessionContext& context) {
  auto session = std::make_shared<Session>(context, [this] { ++wakes_; });
  v1::SessionRequest request;
  request.mutable_open()->set_world(world_->name());
  request.mutable_open()->set_precision(v1::PRECISION_EXACT);
  EXPECT_TRUE(Send(*session, request).ok());
  const auto responses = Take(*session);
  EXPECT_TRUE(responses.size() == 1 && responses.front().has_opened());
  return session;
}

std::shared_ptr<Session> SessionFixture::OpenWithoutBudget() {
  SessionContext context = context_;
  context.bill = [purse = std::make_shared<EmptyPurse>()](tile::TileQuery& query) {
    query.payer = purse;
    return absl::OkStatus();
  };
  return OpenWith(context);
}

absl::Status SessionFixture::Send(Session& session, const v1::SessionRequest& request) {
  absl::Status status = session.Receive(request);
  if (status.ok()) session.Pump();
  return status;
}

absl::Status SessionFixture::Send(Session& session,
                                  const std::vector<v1::SessionRequest>& requests) {
  for (const v1::SessionRequest& request : requests) {
    if (absl::Status status = Send(session, request); !status.ok()) return status;
  }
  return absl::OkStatus();
}

std::vector<v1::SessionResponse> SessionFixture::Take(Session& session, bool* idle) {
  std::vector<v1::SessionResponse> responses;
  while (true) {
    auto next = session.Next();
    EXPECT_TRUE(next.ok()) << next.status();
    if (idle != nullptr) *idle = next.ok() && next->idle;
    if (!next.ok() || !next->response) return responses;
    responses.push_back(Parse(*next->response));
    session.Pump();
  }
}

std::vector<v1::Tile> SessionFixture::AwaitTiles(Session& session, std::size_t count) {
  std::vector<v1::Tile> tiles;
  while (tiles.size() < count) {
    timer_.RunUntil(now_);
    for (v1::SessionResponse& response : Take(session)) {
      if (response.has_tile()) tiles.push_back(std::move(*response.mutable_tile()));
    }
    std::this_thread::yield();
  }
  return tiles;
}

void SessionFixture::AwaitWake(int count) const {
  while (wakes_ <= count) std::this_thread::yield();
}

v1::SessionRequest SessionFixture::HaveOf(const std::vector<wire::TileKey>& keys,
                                          std::uint32_t geometric_error) const {
  tile::TileQuery query;
  query.world = world_;
  query.precision = v1::PRECISION_EXACT;
  v1::SessionRequest request;
  request.mutable_have();
  for (const wire::TileKey& key : keys) {
    query.key = key;
    v1::HaveTile& have = *request.mutable_have()->add_tiles();
    *have.mutable_key() = tile::ToProto(key);
    have.set_tag(tile::TagOf(query));
    have.set_geometric_error(geometric_error);
    have.set_max_height(65'536);
  }
  return request;
}

std::vector<v1::SessionRequest> SessionFixture::HavesOf(const std::vector<wire::TileKey>& keys,
                                                        std::uint32_t geometric_error) const {
  std::vector<v1::SessionRequest> requests;
  for (const auto& part : PartsOf(keys)) requests.push_back(HaveOf(part, geometric_error));
  return requests;
}

}  // namespace thalweg::session
