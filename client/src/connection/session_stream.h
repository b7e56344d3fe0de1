// One call of Session over gRPC.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>

#include "absl/status/status.h"
#include "thalweg/v1/terrain.grpc.pb.h"

namespace thalweg {

// One call of Session. One thread may read while another writes; a third may call Cancel.
class SessionStream {
 public:
  SessionStream(v1::TerrainService::Stub& stub, std::unique_ptr<grpc::ClientContext> context);

  // Waits for the next message. False if there are no more.
  bool Read(v1::SessionResponse& response);

  // Waits until gRPC has taken the message. False if the call has ended.
  bool Write(const v1::SessionRequest& request);

  // Ends the call: Read and Write return at once.
  void Cancel();

  // Returns why the call ended, with the details of the server's error. Call it once, after Read
  // has returned false and while no Write is under way.
  absl::Status Finish();

 private:
  std::unique_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::SessionRequest, v1::SessionResponse>> stream_;
};

}  // namespace thalweg
