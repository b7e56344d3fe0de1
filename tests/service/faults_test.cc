// Faults of the real programs: servers and clients that are killed or stopped, certificates that
// change, callers that read nothing.
#include <gmock/gmock.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/access/certificates.h"
#include "tests/access/temporary_folder.h"
#include "tests/access/token_line.h"
#include "tests/child/child.h"
#include "tests/service/child_server.h"
#include "tests/service/test_server.h"
#include "thalweg/client.h"
#include "thalweg/terrain_view.h"
#include "thalweg/v1/terrain.grpc.pb.h"

namespace thalweg::service {
namespace {

using access::TestAuthority;
using access::TestCertificate;
using child::Child;
using testing::IsEmpty;
using Words = std::vector<std::string>;

constexpr char kSent[] = "thalweg_session_tiles_total{outcome=\"sent\"}";
constexpr char kUnchanged[] = "thalweg_session_tiles_total{outcome=\"unchanged\"}";
constexpr char kSessions[] = "thalweg_sessions_open";

ClientOptions Impatient() {
  ClientOptions options;
  options.connect_timeout = std::chrono::seconds(10);
  options.first_backoff = std::chrono::milliseconds(1);
  options.max_backoff = std::chrono::milliseconds(20);
  return options;
}

std::unique_ptr<Client> ConnectTo(const std::string& address, const ClientOptions& options) {
  auto client = Client::Connect(address, options);
  EXPECT_TRUE(client.ok()) << client.status();
  return client.ok() ? *std::move(client) : nullptr;
}

// A camera that flies to the east, and the tiles that its view got.
class Flight {
 public:
  explicit Flight(Client& client, double east_m = 0) : client_(client), east_m_(east_m) {
    // Without lookahead, the server has nothing left to send once the finest set is complete.
    auto view = TerrainView::Open(client, {.world = "dales", .lookahead_s = 0});
    EXPECT_TRUE(view.ok()) << view.status();
    view_ = *std::move(view);
    Look();
  }

  TerrainView& view() { return *view_; }
  bool complete() const { return complete_; }
  bool finest() const { return finest_; }
  std::size_t arrived() const { return arrived_.size(); }
  // How often a frame was not complete although the frame before it was.
  int lapses() const { return lapses_; }

  void Frame() {
    const FrameChanges changes = view_->Update();
    for (const ArrivedTile& tile : changes.arrived) ++arrived_[tile.key];
    if (complete_ && !changes.complete) ++lapses_;
    complete_ = changes.complete;
    finest_ = changes.finest;
    view_->Wait(std::chrono::milliseconds(20));
  }
  void Advance(double metres) {
    east_m_ += metres;
    Look();
    Frame();
  }
  // Flies so far that the view needs other tiles of all levels but the coarsest.
  void FlyOn() {
    for (int n = 0; n < 10; ++n) Advance(2'000);
  }
  bool FramesUntil(const std::function<bool()>& condition) {
    return Eventually([&] {
      Frame();
      return condition();
    });
  }

  // Tiles that came more than once.
  std::vector<TileKey> Repeated() const {
    std::vector<TileKey> repeated;
    for (const auto& [key, times] : arrived_) {
      if (times > 1) repeated.push_back(key);
    }
    return repeated;
  }
  // Drawn tiles that differ from those of GetTile.
  std::vector<TileKey> Wrong() {
    std::vector<TileKey> wrong;
    for (const DrawnTile& drawn : view_->drawn()) {
      const auto tile = client_.GetTile("dales", drawn.key);
      EXPECT_TRUE(tile.ok()) << tile.status();
      if (!tile.ok() || tile->planes[0].values != drawn.tile->planes[0].values) {
        wrong.push_back(drawn.key);
      }
    }
    return wrong;
  }

 private:
  void Look() {
    const absl::Status taken = view_->SetCamera({.position_m = {east_m_, 50, 300},
                                                 .velocity_m_s = {.east = 100},
                                                 .direction = {.east = 1, .up = -0.3},
                                                 .viewport_height_px = 400,
                                                 .range_m = 20'000});
    EXPECT_TRUE(taken.ok()) << taken;
  }

  Client& client_;
  double east_m_;
  std::unique_ptr<TerrainView> view_;
  std::map<TileKey, int> arrived_;
  bool complete_ = false;
  bool finest_ = false;
  int lapses_ = 0;
};

class FaultsTest : public testing::Test {
 protected:
  FaultsTest() { folder_.Put(kDalesFile, kDales); }

  Words WithWorlds(const Words& flags = {}) const {
    Words words{"--worlds", folder_.path().string()};
    words.insert(words.end(), flags.begin(), flags.end());
    return words;
  }
  // Starts a client of the server, which would fly for an hour.
  static std::unique_ptr<Child> Fly(const std::string& world, const std::string& address) {
    return std::make_unique<Child>(Words{THALWEG, "fly", "--world", world, "--seconds", "3600",
                                         "--speed", "2000", "--server", address});
  }
  void PutCertificate(const TestCertificate& pair) const {
    folder_.Put("cert", pair.certificate);
    folder_.Put("key", pair.key);
  }

  const access::TemporaryFolder folder_;
};

// Whether the server has no sessions and nothing under way or waiting.
bool IsIdle(const ChildServer& server) {
  return server.Metric(kSessions) == 0 && server.Metric("thalweg_tiles_under_way") == 0 &&
         server.Metric("thalweg_field_requests_waiting") == 0 &&
         server.Metric("thalweg_field_blocks_queued") == 0;
}

TEST_F(FaultsTest, AViewContinuesAfterItsServerIsRestarted) {
  auto server = std::make_unique<ChildServer>(WithWorlds());
  const std::string address = server->address();
  const auto client = ConnectTo(address, Impatient());
  Flight flight(*client);
  ASSERT_TRUE(flight.FramesUntil([&] { return flight.complete() && flight.arrived() > 20; }));
  flight.FlyOn();

  server->Kill();
  ASSERT_TRUE(Eventually([&] { return !flight.view().Statistics().connected; }));
  const std::uint64_t received = flight.view().Statistics().tiles_received;
  // The camera flies on over the tiles that have arrived.
  for (int n = 0; n < 10; ++n) flight.Advance(10);
  EXPECT_TRUE(flight.complete());
  EXPECT_TRUE(flight.view().status().ok());

  server = std::make_unique<ChildServer>(WithWorlds(), address);
  ASSERT_EQ(server->address(), address);
  ASSERT_TRUE(flight.FramesUntil([&] { return flight.view().Statistics().connected; }));
  flight.FlyOn();
  ASSERT_TRUE(flight.FramesUntil([&] { return flight.finest(); }));

  EXPECT_EQ(flight.lapses(), 0);
  EXPECT_THAT(flight.Repeated(), IsEmpty());
  EXPECT_THAT(flight.Wrong(), IsEmpty());
  const TerrainStatistics statistics = flight.view().Statistics();
  EXPECT_EQ(statistics.reconnects, 1U);
  EXPECT_EQ(statistics.tiles_had, received);
  // The new server has sent only tiles that the client did not have.
  EXPECT_TRUE(Eventually([&] {
    return received + static_cast<std::uint64_t>(server->Metric(kSent)) ==
           flight.view().Statistics().tiles_received;
  }));
  EXPECT_GT(server->Metric(kUnchanged), 0);
}

// The twin: a client that does not say which tiles it has gets them again.
TEST_F(FaultsTest, AClientThatForgetsItsTilesGetsThemAgain) {
  const ChildServer server(WithWorlds());
  const auto client = ConnectTo(server.address(), Impatient());
  double sent = 0;
  for (int n = 1; n <= 2; ++n) {
    Flight flight(*client);
    ASSERT_TRUE(flight.FramesUntil([&] { return flight.finest(); }));
    const double before = sent;
    sent = server.Metric(kSent);
    EXPECT_GE(sent - before, static_cast<double>(flight.view().drawn().size()));
  }
}

// The two certificates are of different authorities. A client that trusts one tells them apart.
TEST_F(FaultsTest, ASessionContinuesAfterANewCertificate) {
  const TestAuthority first;
  const TestAuthority next;
  PutCertificate(first.Issue("first"));
  const ChildServer server(
      WithWorlds({"--tls-cert", folder_.Path("cert"), "--tls-key", folder_.Path("key")}));
  const auto believing = [](const TestAuthority& authority) {
    ClientOptions options = Impatient();
    options.tls = TlsOptions{authority.root(), "", "", ""};
    options.connect_timeout = std::chrono::seconds(1);
    return options;
  };
  const auto client = ConnectTo(server.address(), believing(first));
  ASSERT_NE(client, nullptr);
  Flight flight(*client);
  ASSERT_TRUE(flight.FramesUntil([&] { return flight.complete(); }));

  PutCertificate(next.Issue("next"));
  ASSERT_TRUE(Eventually([&] {
    flight.Advance(50);
    return Client::Connect(server.address(), believing(next)).ok();
  }));
  EXPECT_EQ(Client::Connect(server.address(), believing(first)).status().code(),
            absl::StatusCode::kUnavailable);
  ASSERT_TRUE(flight.FramesUntil([&] { return flight.finest(); }));
  const std::size_t arrived = flight.arrived();
  // Flies on until it needs tiles that it has not had.
  for (int step = 0; step < 200 && flight.arrived() == arrived; ++step) {
    flight.Advance(2'000);
    ASSERT_TRUE(flight.FramesUntil([&] { return flight.finest(); }));
  }
  EXPECT_GT(flight.arrived(), arrived);
  EXPECT_EQ(flight.lapses(), 0);
  EXPECT_EQ(flight.view().Statistics().reconnects, 0U);
  EXPECT_THAT(flight.Repeated(), IsEmpty());
}

TEST_F(FaultsTest, AViewEndsWithItsToken) {
  folder_.Put("tokens", access::LineOf("game", "t1", "read"));
  const ChildServer server(WithWorlds({"--tokens", folder_.Path("tokens")}));
  ClientOptions options = Impatient();
  options.token = "t1";
  const auto client = ConnectTo(server.address(), options);
  Flight flight(*client);
  ASSERT_TRUE(flight.FramesUntil([&] { return flight.finest(); }));
  // From here on, no client sends a request.
  folder_.Put("tokens", access::LineOf("other", "t2", "read"));
  EXPECT_TRUE(Eventually([&] { return absl::IsUnauthenticated(flight.view().status()); }));
  EXPECT_TRUE(Eventually([&] { return IsIdle(server); }));
}

TEST_F(FaultsTest, AKilledFlightLeavesNothingBehind) {
  const ChildServer server(WithWorlds());
  const auto fly = Fly("dales", server.address());
  ASSERT_TRUE(Eventually([&] { return server.Metric(kSent) > 10; }));
  EXPECT_EQ(server.Metric(kSessions), 1);
  fly->Signal(SIGKILL);
  EXPECT_TRUE(Eventually([&] { return IsIdle(server); }));
  const auto client = ConnectTo(server.address(), Impatient());
  EXPECT_TRUE(client->GetTile("dales", {.level = 1, .x = 70, .y = 70}).ok());
}

TEST_F(FaultsTest, AKilledFetchLeavesNothingBehind) {
  const ChildServer server(WithWorlds());
  const Child fetch({THALWEG, "fetch", "--world", "dales", "--level", "3", "--x0", "0", "--y0", "0",
                     "--size", "16384", "--out", folder_.Path("big.png"), "--server",
                     server.address()});
  ASSERT_TRUE(Eventually([&] {
    return server.Metric("thalweg_rpc_response_bytes_count{method=\"StreamTiles\"}") > 10;
  }));
  EXPECT_GT(server.Metric("thalweg_tiles_under_way"), 0);
  fetch.Signal(SIGKILL);
  EXPECT_TRUE(Eventually([&] { return IsIdle(server); }));
}

// A stopped process still has its connection, but does not answer. The server finds this out with
// pings.
TEST_F(FaultsTest, ASuspendedClientIsDisconnected) {
  TestServerOptions options;
  options.rpc.limits.keepalive = std::chrono::seconds(1);
  options.rpc.limits.keepalive_timeout = std::chrono::seconds(1);
  TestServer server(std::move(options));
  const auto fly = Fly("test-1", server.address());
  ASSERT_TRUE(Eventually([&] { return server.sessions().tiles_sent > 10; }));
  fly->Signal(SIGSTOP);
  EXPECT_TRUE(Eventually(
      [&] { return server.sessions().open == 0 && server.tiles().stats().flights == 0; }));
  fly->Signal(SIGKILL);
}

// A caller that has credit for everything and reads nothing.
class SilentReader {
 public:
  explicit SilentReader(const std::string& address)
      : stub_(v1::TerrainService::NewStub(
            grpc::CreateChannel(address, grpc::InsecureChannelCredentials()))),
        stream_(stub_->Session(&context_)) {
    v1::SessionRequest open;
    open.mutable_open()->set_world("dales");
    open.mutable_open()->set_precision(v1::PRECISION_EXACT);
    v1::SessionRequest credit;
    credit.mutable_credit()->set_tiles(1'000'000);
    credit.mutable_credit()->set_bytes(std::uint64_t{1} << 40);
    v1::SessionRequest want;
    for (int n = 0; n < kWanted; ++n) {
      v1::TileKey& key = *want.mutable_want()->add_keys();
      key.set_level(1);
      key.set_x(n % 40);
      key.set_y(n / 40);
    }
    EXPECT_TRUE(stream_->Write(open) && stream_->Write(credit) && stream_->Write(want));
  }
  ~SilentReader() {
    context_.TryCancel();
    stream_->Finish();
  }

  static constexpr int kWanted = 1'600;

 private:
  grpc::ClientContext context_;
  std::unique_ptr<v1::TerrainService::Stub> stub_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::SessionRequest, v1::SessionResponse>> stream_;
};

// Whether the server has sent all that it can: in many readings of its metrics, no tile is under
// way and none is sent. Computed tiles that it cannot send wait in a window.
bool StandsStill(const ChildServer& server) {
  const double sent = server.Metric(kSent);
  for (int n = 0; n < 50; ++n) {
    if (server.Metric("thalweg_tiles_under_way") != 0 || server.Metric(kSent) != sent) return false;
  }
  return sent > 0;
}

TEST_F(FaultsTest, CallersThatReadNothingUseLittleMemory) {
  // The cache is small, so that the process's memory shows what the sessions hold.
  const ChildServer server(WithWorlds({"--cache-mb", "16"}));
  constexpr int kReaders = 4;
  {
    std::vector<std::unique_ptr<SilentReader>> readers;
    for (int n = 0; n < kReaders; ++n) {
      readers.push_back(std::make_unique<SilentReader>(server.address()));
    }
    ASSERT_TRUE(Eventually([&] { return server.Metric(kSessions) == kReaders; }));
    ASSERT_TRUE(Eventually([&] { return StandsStill(server); }));
    EXPECT_LT(server.Metric(kSent), kReaders * SilentReader::kWanted / 2);
    EXPECT_LT(server.resident_bytes(), std::int64_t{1} << 30);
    // Another client is served meanwhile.
    const auto client = ConnectTo(server.address(), Impatient());
    EXPECT_TRUE(client->GetTile("dales", {.level = 1, .x = 70, .y = 70}).ok());
  }
  EXPECT_TRUE(Eventually([&] { return IsIdle(server); }));
}

}  // namespace
}  // namespace thalweg::service
