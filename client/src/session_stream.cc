#include "client/src/session_stream.h"

#include <utility>

#include "proto/wire/status_details.h"

namespace thalweg {

SessionStream::SessionStream(v1::TerrainService::Stub& stub,
                             std::unique_ptr<grpc::ClientContext> context)
    : context_(std::move(context)), stream_(stub.Session(context_.get())) {}

bool SessionStream::Read(v1::SessionResponse& response) { return stream_->Read(&response); }

bool SessionStream::Write(const v1::SessionRequest& request) { return stream_->Write(request); }

void SessionStream::Cancel() { context_->TryCancel(); }

absl::Status SessionStream::Finish() {
  const grpc::Status status = stream_->Finish();
  absl::Status own(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
  wire::DecodeDetails(status.error_details(), own);
  return own;
}

}  // namespace thalweg
