#include "server/rpc/byte_buffer.h"

#include <grpcpp/support/slice.h>

#include <memory>
#include <utility>

namespace thalweg::rpc {

absl::Status ParseRequest(const grpc::ByteBuffer& buffer, google::protobuf::MessageLite& request) {
  grpc::Slice slice;
  grpc::Status status = buffer.TrySingleSlice(&slice);
  if (!status.ok()) status = buffer.DumpToSingleSlice(&slice);
  if (!status.ok() || !request.ParseFromArray(slice.begin(), static_cast<int>(slice.size()))) {
    return absl::InvalidArgumentError("the request is no " + request.GetTypeName());
  }
  return absl::OkStatus();
}

grpc::ByteBuffer Wrap(cache::TileBytes bytes) {
  auto owner = std::make_unique<cache::TileBytes>(std::move(bytes));
  const std::string& text = **owner;
  // A slice of gRPC's is never written to; its signature predates const.
  const grpc::Slice slice(
      const_cast<char*>(text.data()), text.size(),
      [](void* held) { delete static_cast<cache::TileBytes*>(held); }, owner.release());
  return {&slice, 1};
}

}  // namespace thalweg::rpc
