#include "server/rpc/byte_buffer.h"

#include <grpcpp/support/slice.h>

#include <array>
#include <memory>
#include <utility>

namespace thalweg::rpc {
namespace {

grpc::Slice SliceOf(cache::TileBytes bytes) {
  auto owner = std::make_unique<cache::TileBytes>(std::move(bytes));
  const std::string& text = **owner;
  // A slice of gRPC's is never written to; its signature predates const.
  return {const_cast<char*>(text.data()), text.size(),
          [](void* held) { delete static_cast<cache::TileBytes*>(held); }, owner.release()};
}

}  // namespace

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
  const grpc::Slice slice = SliceOf(std::move(bytes));
  return {&slice, 1};
}

grpc::ByteBuffer Wrap(const std::string& head, cache::TileBytes bytes) {
  const grpc::Slice first(head);
  if (bytes == nullptr) return {&first, 1};
  const std::array<grpc::Slice, 2> slices{first, SliceOf(std::move(bytes))};
  return {slices.data(), slices.size()};
}

}  // namespace thalweg::rpc
