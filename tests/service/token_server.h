// A server that requires tokens, with a clock that moves only when a test advances it.
#pragma once

#include <grpcpp/client_context.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "proto/wire/status_details.h"
#include "tests/access/temporary_folder.h"
#include "tests/service/test_server.h"

namespace thalweg::service {

class TokenServer {
 public:
  // `tokens` is the text of the tokens file.
  explicit TokenServer(const std::string& tokens, TestServerOptions options = {}) {
    access::ReloadOptions reload;
    reload.clock = [now = now_] { return sharing::Time(std::chrono::milliseconds(*now)); };
    auto control =
        access::AccessControl::OfFile(folder_.Put("tokens", tokens), reload,
                                      {.limits = options.access_limits,
                                       .proxies = *access::TrustedProxies::Parse(options.proxies)});
    EXPECT_TRUE(control.ok()) << control.status();
    options.access = *std::move(control);
    server_ = std::make_unique<TestServer>(std::move(options));
  }

  TestServer& operator*() { return *server_; }
  TestServer* operator->() { return server_.get(); }
  void Pass(std::chrono::milliseconds time) { *now_ += time.count(); }
  // Replaces the tokens file, and advances the clock so far that the server reads it again.
  void PutTokens(const std::string& tokens) {
    folder_.Put("tokens", tokens);
    Pass(std::chrono::seconds(1));
  }

 private:
  const access::TemporaryFolder folder_;
  const std::shared_ptr<std::atomic<std::int64_t>> now_ =
      std::make_shared<std::atomic<std::int64_t>>(0);
  std::unique_ptr<TestServer> server_;
};

// Makes a call show a token, unless it is empty.
inline void Show(grpc::ClientContext& context, const std::string& token) {
  if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
}

// The delay after which a client should retry, or -1 if the error has none.
inline std::chrono::milliseconds DelayOf(const grpc::Status& status) {
  absl::Status own(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
  wire::DecodeDetails(status.error_details(), own);
  return wire::RetryDelayOf(own).value_or(std::chrono::milliseconds(-1));
}

}  // namespace thalweg::service
