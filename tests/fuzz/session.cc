// A session's messages. Each is a length (two bytes, the lower one first) and its bytes. Tiles come
// from a device that computes at once.
#include "server/session/session.h"

#include <algorithm>
#include <memory>

#include "server/world/world_library.h"
#include "tests/field/fake_backend.h"
#include "tests/field/test_world.h"
#include "tests/fuzz/target.h"
#include "tests/sharing/manual_timer.h"

namespace {

using namespace thalweg;

// One server for all inputs.
struct Server {
  std::unique_ptr<world::WorldLibrary> worlds = world::WorldLibrary::Of({field::TestWorld()});
  cache::TileCache cache{std::size_t{64} << 20};
  tile::TileService tiles{
      {.field = std::make_unique<field::Field>(
           field::MakeFakeBackend(std::make_shared<field::FakeDevice>()), field::FieldOptions{}),
       .cache = &cache,
       .room = std::make_unique<sharing::AnswerRoom>(std::size_t{256} << 20)}};
};

// With more, an input with much credit would take long.
constexpr int kResponsesAMessage = 8;

void Drain(session::Session& session) {
  for (int n = 0; n < kResponsesAMessage; ++n) {
    const auto turn = session.Next();
    if (!turn.ok() || !turn->response) return;
    session.Pump();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Server server;
  sharing::ManualTimer timer;
  session::SessionCounters counters;
  sharing::Room room(std::size_t{1} << 30);
  const auto session = std::make_shared<session::Session>(
      session::SessionContext{.worlds = server.worlds.get(),
                              .tiles = &server.tiles,
                              .timer = &timer,
                              .room = &room,
                              .bill = [](tile::TileQuery&) { return absl::OkStatus(); },
                              .counters = &counters},
      [] {});
  while (size >= 2) {
    const std::size_t length =
        std::min(std::size_t{data[0]} + std::size_t{256} * data[1], size - 2);
    v1::SessionRequest request;
    const bool parsed = request.ParseFromArray(data + 2, static_cast<int>(length));
    data += 2 + length;
    size -= 2 + length;
    if (!parsed) continue;
    if (!session->Receive(request).ok()) break;
    session->Pump();
    timer.RunAll();
    Drain(*session);
  }
  session->Close();
  return 0;
}
