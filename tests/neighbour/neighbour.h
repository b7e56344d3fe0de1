// Callers that share a server with others: well-behaved ones, and ones that do the worst they can.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "thalweg/v1/terrain.grpc.pb.h"

namespace thalweg::neighbour {

// A server that trusts this machine as a proxy (`--trusted-proxies 127.0.0.0/8`), so that a caller
// can state its address.
struct Place {
  int rpc_port = 0;
  int http_port = 0;
  // A world of the server whose tiles cost little.
  std::string world;
};

// The address that neighbours' calls state.
inline constexpr char kNeighbourAddress[] = "192.0.2.66";

// A separate connection to a place, for calls with the neighbour's address.
class Connection {
 public:
  explicit Connection(const Place& place);

  const std::string& world() const { return world_; }
  v1::TerrainService::Stub& stub() { return *stub_; }
  // The context of a call that is cancelled when the neighbour must stop.
  class Call {
   public:
    explicit Call(const std::stop_token& stop);
    grpc::ClientContext& operator*() { return context_; }
    grpc::ClientContext* get() { return &context_; }

   private:
    grpc::ClientContext context_;
    std::stop_callback<std::function<void()>> on_stop_;
  };

 private:
  const std::string world_;
  const std::unique_ptr<v1::TerrainService::Stub> stub_;
};

// A kind of callers. `run` is one round of one caller. For each connection,
// `callers_per_connection` threads call it until they are stopped. Then it must return soon.
struct Neighbour {
  std::string name;
  int callers_per_connection = 1;
  std::function<void(const Place&, Connection&, std::uint64_t round, const std::stop_token&)> run;
};

// Callers that ask for existing tiles, one after the other.
Neighbour WellBehaved(int callers_per_connection);
// Each of them does one kind of harm, as fast as it can.
std::vector<Neighbour> HostileNeighbours();

// The parts of that list.
std::vector<Neighbour> HostileSessions();
std::vector<Neighbour> HostileCalls();
std::vector<Neighbour> HostileWorlds();
std::vector<Neighbour> HostileBytes();

inline constexpr int kConnections = 4;

// Runs a neighbour over four connections until it is destroyed.
class AtWork {
 public:
  AtWork(const Place& place, Neighbour neighbour);
  ~AtWork();
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

  // The number of finished rounds of all callers.
  std::uint64_t rounds() const { return rounds_; }

 private:
  const Place place_;
  const Neighbour neighbour_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::atomic<std::uint64_t> rounds_ = 0;
  std::vector<std::jthread> callers_;
};

// A tile's key as a message.
v1::TileKey KeyOf(int level, std::int64_t x, std::int64_t y);

}  // namespace thalweg::neighbour
