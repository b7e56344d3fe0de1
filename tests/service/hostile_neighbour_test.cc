// One caller does the worst it can over four connections. Meanwhile another asks for cold tiles.
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "tests/access/temporary_folder.h"
#include "tests/neighbour/neighbour.h"
#include "tests/service/child_server.h"
#include "tests/service/memory.h"
#include "tests/size.h"

namespace thalweg::neighbour {

// How GoogleTest names a parameter.
void PrintTo(const Neighbour& neighbour, std::ostream* out) { *out << neighbour.name; }

}  // namespace thalweg::neighbour

namespace thalweg::service {
namespace {

using neighbour::AtWork;
using neighbour::Neighbour;

constexpr std::size_t kMebibyte = std::size_t{1} << 20;
// The memory that the server below may use for tiles and pictures, blocks, and callers' requests: a
// neighbour fills one of the three shares of request_memory_mb.
constexpr std::size_t kBudgets = (20 + 16 + 768 / 3) * kMebibyte;
// The memory that it may use for everything else.
constexpr std::size_t kRest = 64 * kMebibyte;

// Flags that tell callers apart, and limit the memory that a few of them may use.
const std::vector<std::string> kGuarded{"--trusted-proxies", "127.0.0.0/8", "--device-mb", "16"};

// A server for one neighbour, and the stub of another caller.
class Neighbourhood {
 public:
  explicit Neighbourhood(const std::vector<std::string>& flags)
      : server_(AllFlags(folder_, flags)),
        stub_(v1::TerrainService::NewStub(
            grpc::CreateChannel(server_.address(), grpc::InsecureChannelCredentials()))) {}

  neighbour::Place place() const {
    return {.rpc_port = server_.rpc_port(), .http_port = server_.http_port(), .world = "dales"};
  }
  std::size_t PeakBytes() const { return service::PeakBytes(std::to_string(server_.pid())); }

  // Asks for a tile that was not asked for before. The level changes with each call.
  grpc::Status GetColdTile() {
    grpc::ClientContext context;
    context.AddMetadata("x-forwarded-for", "198.51.100.7");
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(2));
    v1::GetTileRequest request;
    request.set_world("dales");
    *request.mutable_key() = neighbour::KeyOf(tiles_ % 4, -1'000 * (tiles_ + 1), 0);
    ++tiles_;
    v1::GetTileResponse response;
    return stub_->GetTile(&context, request, &response);
  }

 private:
  static std::vector<std::string> AllFlags(const access::TemporaryFolder& folder,
                                           const std::vector<std::string>& flags) {
    folder.Put(kDalesFile, kDales);
    std::vector<std::string> all{"--worlds",    folder.path().string(), "--http",
                                 "127.0.0.1:0", "--cache-mb",           "20"};
    all.insert(all.end(), flags.begin(), flags.end());
    return all;
  }

  const access::TemporaryFolder folder_;
  ChildServer server_;
  const std::unique_ptr<v1::TerrainService::Stub> stub_;
  int tiles_ = 0;
};

struct Harm {
  // How many of the other caller's tiles were refused, and the message of the first refusal.
  int refused = 0;
  std::string first_refusal;
  // By how much the peak of the server's memory grew.
  std::size_t bytes = 0;
};

// The work is counted, not timed, so that a busy machine changes nothing but the time: the
// neighbour works until the other caller asked for `cold_tiles` and `enough` holds.
constexpr int kMaxColdTiles = 5000;

Harm HarmOf(
    const Neighbour& neighbour, const std::vector<std::string>& flags, int cold_tiles,
    const std::function<bool(const Harm&)>& enough = [](const Harm&) { return true; }) {
  Neighbourhood neighbourhood(flags);
  Harm harm;
  const auto get = [&] {
    const grpc::Status status = neighbourhood.GetColdTile();
    if (status.ok()) return;
    if (harm.refused++ == 0) harm.first_refusal = status.error_message();
  };
  for (int n = 0; n < 4; ++n) get();
  const std::size_t before = neighbourhood.PeakBytes();
  {
    const AtWork at_work(neighbourhood.place(), neighbour);
    for (int n = 0; n < cold_tiles || (!enough(harm) && n < kMaxColdTiles); ++n) {
      get();
      harm.bytes = neighbourhood.PeakBytes() - before;
    }
  }
  get();
  harm.bytes = neighbourhood.PeakBytes() - before;
  return harm;
}

const Neighbour& Named(const std::vector<Neighbour>& all, const std::string& name) {
  return *std::find_if(all.begin(), all.end(), [&](const auto& n) { return n.name == name; });
}

class HostileNeighbourTest : public testing::TestWithParam<Neighbour> {};

TEST_P(HostileNeighbourTest, OthersGetTilesAndMemoryStaysBounded) {
  const Harm harm = HarmOf(GetParam(), kGuarded, FewOrAll(12, 100));
  EXPECT_EQ(harm.refused, 0) << harm.first_refusal;
  if (kMemoryIsItsOwn) {
    EXPECT_LE(harm.bytes, kBudgets + kRest);
  }
  RecordProperty("mebibytes", static_cast<int>(harm.bytes / kMebibyte));
}

INSTANTIATE_TEST_SUITE_P(Of, HostileNeighbourTest,
                         testing::ValuesIn(neighbour::HostileNeighbours()), [](const auto& of) {
                           std::string name;
                           for (const char c : of.param.name) {
                             if (c != '-') name += c;
                           }
                           return name;
                         });

// The twins: without protection, the same neighbours do harm, sooner or later.
TEST(UnguardedNeighbourTest, FillsTheMemory) {
  const auto all = neighbour::HostileCalls();
  // That of tiles and pictures: this neighbour has no sessions and no large requests.
  constexpr std::size_t kLimit = 20 * kMebibyte + kRest;
  const Harm harm =
      HarmOf(Named(all, "deep-tiles"), {"--trusted-proxies", "127.0.0.0/8", "--device-mb", "2048"},
             0, [](const Harm& done) { return done.bytes > kLimit; });
  EXPECT_GT(harm.bytes, kLimit);
}

TEST(UnguardedNeighbourTest, CrowdsOutCallersWithTheSameAddress) {
  const auto all = neighbour::HostileCalls();
  const Harm harm = HarmOf(Named(all, "deep-tiles"), {"--max-calls-per-caller", "64"}, 0,
                           [](const Harm& done) { return done.refused > 0; });
  EXPECT_GT(harm.refused, 0);
}

}  // namespace
}  // namespace thalweg::service
