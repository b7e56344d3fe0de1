// Requests with few bytes that cause much work or need much memory.
#include "tests/neighbour/gzip_zeros.h"
#include "tests/neighbour/neighbour.h"
#include "tests/service/http_client.h"
#include "tests/service/raw_http2.h"

namespace thalweg::neighbour {
namespace {

constexpr std::size_t kInflated = std::size_t{512} << 20;
constexpr int kPipelined = 16;

// Asks for documents and the viewer's page, in every compression.
void AskForDocuments(const Place& place, Connection& connection, std::uint64_t round,
                     const std::stop_token& stop) {
  service::HttpClient client(place.http_port);
  while (!stop.stop_requested()) {
    for (int n = 0; n < kPipelined; ++n, ++round) {
      const std::string headers = std::string("X-Forwarded-For: ") + kNeighbourAddress +
                                  "\r\nAccept-Encoding: " + (round % 2 == 0 ? "zstd" : "gzip") +
                                  "\r\n";
      const std::string world = "/v1/worlds/" + connection.world();
      const std::string path = round % 3 == 0 ? "/v1/worlds" : round % 3 == 1 ? world : "/";
      client.Send(service::RequestOf("GET", path, headers));
    }
    for (int n = 0; n < kPipelined; ++n) {
      if (!client.Read()) return;
    }
  }
}

// Half a mebibyte that would inflate to half a gibibyte.
void SendCompressed(const Place& place, Connection&, std::uint64_t, const std::stop_token& stop) {
  static const std::string packed = service::GrpcFrame(GzipOfZeros(kInflated), true);
  service::RawHttp2 client(place.rpc_port);
  client.Begin();
  for (std::uint32_t call = 1; call < 32 && !stop.stop_requested(); call += 2) {
    client.Call(call, "/thalweg.v1.TerrainService/GetTile",
                {{"grpc-encoding", "gzip"}, {"x-forwarded-for", kNeighbourAddress}});
    client.Send(call, packed, true);
    if (!client.AwaitEnd(call)) return;
  }
}

// As many calls as a connection may have. Each sends the largest allowed request without its last
// byte.
void SendHalfRequests(const Place& place, Connection&, std::uint64_t, const std::stop_token& stop) {
  constexpr std::size_t kLargest = 256 << 10;
  constexpr std::uint32_t kCalls = 128;
  std::string half = service::GrpcFrame(std::string(kLargest, 'x'));
  half.pop_back();
  service::RawHttp2 client(place.rpc_port);
  client.Begin();
  for (std::uint32_t n = 0; n < kCalls && !stop.stop_requested(); ++n) {
    const std::uint32_t call = 2 * n + 1;
    client.Call(call, "/thalweg.v1.TerrainService/GetTile",
                {{"x-forwarded-for", kNeighbourAddress}});
    if (!client.Send(call, half, false)) return;
  }
}

// Calls of ten bytes each, which have a single header and are none of this service's. gRPC takes
// each apart, and answers it, before the server sees it.
void FloodHeaders(const Place& place, Connection&, std::uint64_t, const std::stop_token& stop) {
  constexpr std::uint32_t kCalls = 64;
  constexpr std::uint32_t kRounds = 256;
  // `accept-encoding: gzip, deflate`, by its number in HPACK's table.
  constexpr char kHeader[] = "\x90";
  service::RawHttp2 client(place.rpc_port);
  client.Begin();
  for (std::uint32_t round = 0; round < kRounds && !stop.stop_requested(); ++round) {
    const std::uint32_t first = 2 * kCalls * round + 1;
    client.CallMany(first, kCalls, kHeader);
    if (!client.AwaitEnd(first + 2 * (kCalls - 1))) return;
  }
}

}  // namespace

std::vector<Neighbour> HostileBytes() {
  return {{"documents", 1, AskForDocuments},
          {"compressed-requests", 1, SendCompressed},
          {"half-requests", 1, SendHalfRequests},
          {"headers", 1, FloodHeaders}};
}

}  // namespace thalweg::neighbour
