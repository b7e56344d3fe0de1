#include "tests/bench/loopback.h"

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "grpcpp/generic/generic_stub.h"
#include "server/access/tls_identity.h"
#include "server/calls/engine.h"
#include "server/rpc/byte_buffer.h"
#include "tests/access/token_line.h"
#include "tests/bench/devices.h"
#include "tests/bench/exit.h"
#include "tests/bench/sample_tiles.h"
#include "thalweg/v1/terrain.grpc.pb.h"

namespace thalweg::bench {
namespace {

constexpr char kGetTile[] = "/thalweg.v1.TerrainService/GetTile";
constexpr char kStreamTiles[] = "/thalweg.v1.TerrainService/StreamTiles";
constexpr char kSession[] = "/thalweg.v1.TerrainService/Session";

grpc::ByteBuffer Serialized(const google::protobuf::MessageLite& message) {
  const grpc::Slice slice(message.SerializeAsString());
  return {&slice, 1};
}

grpc::ByteBuffer TileRequestOf(int n) {
  v1::GetTileRequest request;
  request.set_world(kHotWorld);
  request.mutable_key()->set_level(kHotLevel);
  request.mutable_key()->set_x(n % kHotSide);
  request.mutable_key()->set_y(n / kHotSide % kHotSide);
  return Serialized(request);
}

grpc::ByteBuffer RectangleRequest() {
  v1::StreamTilesRequest request;
  request.set_world(kHotWorld);
  request.mutable_first()->set_level(kHotLevel);
  request.set_columns(kHotSide);
  request.set_rows(kHotSide);
  return Serialized(request);
}

void Show(const std::string& token, grpc::ClientContext& context) {
  if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
}

// Each slot makes one call after the other until none are left.
class UnaryLoad {
 public:
  UnaryLoad(const std::shared_ptr<grpc::Channel>& channel, const std::string& token, int calls)
      : stub_(channel), token_(token), calls_(calls), left_(calls) {}

  std::uint64_t Run(int in_flight) {
    std::vector<Slot> slots(static_cast<std::size_t>(in_flight));
    for (Slot& slot : slots) Next(slot);
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return done_ == calls_; });
    return bytes_;
  }

 private:
  struct Slot {
    std::unique_ptr<grpc::ClientContext> context;
    grpc::ByteBuffer request;
    grpc::ByteBuffer response;
  };

  void Next(Slot& slot) {
    int n = 0;
    {
      const std::lock_guard lock(mutex_);
      if (left_ == 0) return;
      n = --left_;
    }
    slot.context = std::make_unique<grpc::ClientContext>();
    Show(token_, *slot.context);
    slot.request = TileRequestOf(n);
    slot.response.Clear();
    stub_.UnaryCall(slot.context.get(), kGetTile, {}, &slot.request, &slot.response,
                    [this, &slot](const grpc::Status& status) {
                      if (!status.ok()) Exit("get tile: " + status.error_message());
                      const std::size_t length = slot.response.Length();
                      Next(slot);
                      const std::lock_guard lock(mutex_);
                      bytes_ += length;
                      if (++done_ == calls_) finished_.notify_all();
                    });
  }

  grpc::GenericStub stub_;
  const std::string& token_;
  const int calls_;
  std::mutex mutex_;
  std::condition_variable finished_;
  int left_;
  int done_ = 0;
  std::uint64_t bytes_ = 0;
};

// The messages of a session that wants every hot tile, with credit for all of them.
std::vector<grpc::ByteBuffer> SessionRequests() {
  v1::SessionRequest open;
  open.mutable_open()->set_world(kHotWorld);
  v1::SessionRequest credit;
  credit.mutable_credit()->set_tiles(kHotSide * kHotSide);
  credit.mutable_credit()->set_bytes(std::uint64_t{1} << 40);
  v1::SessionRequest want;
  for (int n = 0; n < kHotSide * kHotSide; ++n) {
    v1::TileKey& key = *want.mutable_want()->add_keys();
    key.set_level(kHotLevel);
    key.set_x(n % kHotSide);
    key.set_y(n / kHotSide);
  }
  return {Serialized(open), Serialized(credit), Serialized(want)};
}

// Writes one or more requests and reads to the end.
class StreamLoad : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  StreamLoad(const std::shared_ptr<grpc::Channel>& channel, const std::string& token,
             std::vector<grpc::ByteBuffer> requests)
      : stub_(channel), requests_(std::move(requests)) {
    Show(token, context_);
  }

  std::uint64_t Run(const std::string& method) {
    stub_.PrepareBidiStreamingCall(&context_, method, {}, this);
    WriteNext();
    StartRead(&response_);
    StartCall();
    const grpc::Status status = done_.get_future().get();
    if (!status.ok()) Exit(method + ": " + status.error_message());
    return bytes_;
  }

  void OnWriteDone(bool ok) override {
    if (ok && ++written_ < requests_.size()) WriteNext();
  }
  void OnReadDone(bool ok) override {
    if (!ok) return;
    bytes_ += response_.Length();
    response_.Clear();
    StartRead(&response_);
  }
  void OnDone(const grpc::Status& status) override { done_.set_value(status); }

 private:
  void WriteNext() {
    if (written_ + 1 == requests_.size()) {
      StartWriteLast(&requests_[written_], {});
    } else {
      StartWrite(&requests_[written_]);
    }
  }

  grpc::GenericStub stub_;
  grpc::ClientContext context_;
  const std::vector<grpc::ByteBuffer> requests_;
  std::size_t written_ = 0;
  grpc::ByteBuffer response_;
  std::uint64_t bytes_ = 0;
  std::promise<grpc::Status> done_;
};

class BareStream : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  BareStream(cache::TileBytes tile, int messages) : tile_(std::move(tile)), left_(messages) {
    Next();
  }
  void OnWriteDone(bool ok) override {
    if (!ok) left_ = 0;
    Next();
  }
  void OnDone() override { delete this; }

 private:
  void Next() {
    if (left_-- <= 0) return Finish(grpc::Status::OK);
    buffer_ = rpc::WrapTile(tile_);
    StartWrite(&buffer_);
  }

  const cache::TileBytes tile_;
  int left_;
  grpc::ByteBuffer buffer_;
};

}  // namespace

HotServer::HotServer(const std::string& device)
    : token_(access::MakeToken()),
      worlds_(world::WorldLibrary::OfPresets()),
      cache_(std::size_t{4} << 30) {
  tiles_ = std::make_unique<tile::TileService>(tile::TileService::Parts{
      .field = std::make_unique<field::Field>(Borrow(Device(device)), field::FieldOptions{}),
      .cache = &cache_,
      .room = std::make_unique<sharing::AnswerRoom>(std::size_t{256} << 20)});
  tile::TileQuery query;
  query.world = Preset(kHotWorld);
  query.key = {0, kHotLevel, 0, 0};
  std::promise<absl::StatusOr<tile::TileContents>> promise;
  tiles_->Get(
      std::make_shared<tile::TileWaiter>(), query,
      [&promise](absl::StatusOr<tile::TileContents> tile) { promise.set_value(std::move(tile)); });
  const absl::StatusOr<tile::TileContents> tile = promise.get_future().get();
  if (!tile.ok()) Exit(tile.status().ToString());
  tile_ = tile->finished().bytes;
  for (int n = 0; n < kHotSide * kHotSide; ++n) {
    query.key.x = n % kHotSide;
    query.key.y = n / kHotSide;
    cache_.Insert(tile::IdOf(query), tile->finished());
  }
  auto access = access::AccessControl::OfFile(
      folder_.Put("tokens", access::LineOf("bench", token_, "read", 1e9, 1e12)));
  if (!access.ok()) Exit(access.status().ToString());
  access_ = *std::move(access);
  const access::TestCertificate pair = authority_.Issue("bench");
  auto identity = access::WatchTlsIdentity(
      {folder_.Put("cert", pair.certificate), folder_.Put("key", pair.key), ""});
  if (!identity.ok()) Exit(identity.status().ToString());
  server_ = Serve(everyone_.get(), {});
  token_server_ = Serve(access_.get(), {});
  rpc::RpcOptions encrypted;
  encrypted.tls = *std::move(identity);
  tls_server_ = Serve(access_.get(), encrypted);
}

std::unique_ptr<rpc::RpcServer> HotServer::Serve(access::AccessControl* access,
                                                 const rpc::RpcOptions& options) {
  auto server = rpc::RpcServer::Start({.worlds = worlds_.get(),
                                       .tiles = tiles_.get(),
                                       .access = access,
                                       .sessions = &sessions_,
                                       .workers = &workers_},
                                      "127.0.0.1:0", options);
  if (!server.ok()) Exit(server.status().ToString());
  return *std::move(server);
}

std::string HotServer::address() const { return absl::StrCat("127.0.0.1:", server_->port()); }
std::string HotServer::token_address() const {
  return absl::StrCat("127.0.0.1:", token_server_->port());
}
std::string HotServer::tls_address() const {
  return absl::StrCat("127.0.0.1:", tls_server_->port());
}

class BareServer::Service
    : public v1::TerrainService::WithRawCallbackMethod_GetTile<
          v1::TerrainService::WithRawCallbackMethod_StreamTiles<v1::TerrainService::Service>> {
 public:
  explicit Service(cache::TileBytes tile) : tile_(std::move(tile)) {}

  grpc::ServerUnaryReactor* GetTile(grpc::CallbackServerContext* context, const grpc::ByteBuffer*,
                                    grpc::ByteBuffer* response) override {
    *response = rpc::WrapTile(tile_);
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
  grpc::ServerWriteReactor<grpc::ByteBuffer>* StreamTiles(grpc::CallbackServerContext*,
                                                          const grpc::ByteBuffer*) override {
    return new BareStream(tile_, kHotSide * kHotSide);
  }

 private:
  const cache::TileBytes tile_;
};

BareServer::BareServer(cache::TileBytes tile) : service_(new Service(std::move(tile))) {
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
  builder.RegisterService(service_.get());
  server_ = builder.BuildAndStart();
  if (server_ == nullptr) Exit("the bare server did not start");
}

BareServer::~BareServer() { server_->Shutdown(); }

std::string BareServer::address() const { return absl::StrCat("127.0.0.1:", port_); }

RawCaller::RawCaller(const std::string& address) : RawCaller(address, "", "") {}

RawCaller::RawCaller(const std::string& address, const std::string& token, const std::string& root)
    : token_(token) {
  grpc::ChannelArguments arguments;
  // Otherwise channels to the same address would share a connection.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  grpc::SslCredentialsOptions tls;
  tls.pem_root_certs = root;
  channel_ = grpc::CreateCustomChannel(
      address, root.empty() ? grpc::InsecureChannelCredentials() : grpc::SslCredentials(tls),
      arguments);
}

std::uint64_t RawCaller::GetTiles(int calls, int in_flight) {
  return UnaryLoad(channel_, token_, calls).Run(in_flight);
}

std::uint64_t RawCaller::StreamAll() {
  return StreamLoad(channel_, token_, {RectangleRequest()}).Run(kStreamTiles);
}

std::uint64_t RawCaller::FlyOverAll() {
  return StreamLoad(channel_, token_, SessionRequests()).Run(kSession);
}

}  // namespace thalweg::bench
