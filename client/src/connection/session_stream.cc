#include "client/src/connection/session_stream.h"

#include <utility>

#include "client/src/connection/grpc_status.h"

namespace thalweg {

SessionStream::SessionStream(v1::TerrainService::Stub& stub,
                             std::unique_ptr<grpc::ClientContext> context)
    : context_(std::move(context)), stream_(stub.Session(context_.get())) {}

bool SessionStream::Read(v1::SessionResponse& response) { return stream_->Read(&response); }

bool SessionStream::Write(const v1::SessionRequest& request) { return stream_->Write(request); }

void SessionStream::Cancel() { context_->TryCancel(); }

absl::Status SessionStream::Finish() { return FromGrpc(stream_->Finish()); }

}  // namespace thalweg
