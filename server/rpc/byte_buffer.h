// Between gRPC's bytes and ours, for the calls that send cached bytes as they are.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <string>

#include "absl/status/status.h"
#include "google/protobuf/message_lite.h"
#include "server/cache/tile_cache.h"

namespace thalweg::rpc {

// Reads a request. INVALID_ARGUMENT when the bytes are no such message.
absl::Status ParseRequest(const grpc::ByteBuffer& buffer, google::protobuf::MessageLite& request);

// A buffer that is these bytes: nothing is copied, and they live until the buffer was sent.
grpc::ByteBuffer Wrap(cache::TileBytes bytes);

// The same behind some bytes more, which are copied; the tile may be null.
grpc::ByteBuffer Wrap(const std::string& head, cache::TileBytes bytes);

}  // namespace thalweg::rpc
