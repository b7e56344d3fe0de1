#include "server/calls/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/access/temporary_folder.h"
#include "tests/access/token_line.h"

namespace thalweg::calls {
namespace {

using access::LineOf;
using access::Scope;

class AdmissionTest : public testing::Test {
 protected:
  void Open(const std::string& tokens, const std::string& proxies = "",
            const access::CallerLimits& limits = {}) {
    access::ReloadOptions reload;
    reload.clock = [] { return sharing::Time(); };
    auto control = access::AccessControl::OfFile(
        folder_.Put("tokens", tokens), reload,
        {.limits = limits, .proxies = *access::TrustedProxies::Parse(proxies)});
    ASSERT_TRUE(control.ok()) << control.status();
    access_ = *std::move(control);
  }
  absl::StatusOr<std::unique_ptr<Admission>> Admit(
      const std::string& authorization, std::string_view peer,
      const std::vector<std::string_view>& forwarded = {}, Method method = Method::kGetTile) {
    std::vector<std::string_view> shown;
    if (!authorization.empty()) shown.emplace_back(authorization);
    auto admission = std::make_unique<Admission>(listeners_, method, "id", [] { return ""; });
    const absl::Status admitted = admission->Admit(
        *access_, gate_, {.authorization = shown, .peer = peer, .forwarded = forwarded},
        Scope::kRead);
    if (!admitted.ok()) return admitted;
    return admission;
  }
  std::uint64_t ClientOf(const std::string& authorization, std::string_view peer,
                         const std::vector<std::string_view>& forwarded = {}) {
    const auto admission = Admit(authorization, peer, forwarded);
    EXPECT_TRUE(admission.ok()) << admission.status();
    return admission.ok() ? (*admission)->client() : 0;
  }

  const access::TemporaryFolder folder_;
  std::unique_ptr<access::AccessControl> access_;
  const CallListeners listeners_{};
  CallGate gate_;
};

// A caller with several connections is still one client, so it gets no additional turns.
TEST_F(AdmissionTest, ClientsAreTokensOrAddresses) {
  Open(LineOf("a", "t1", "read") + LineOf("b", "t2", "read") + "anonymous { scopes: READ }");
  const std::uint64_t anonymous = ClientOf("", "ipv4:192.0.2.1:1000");
  EXPECT_EQ(ClientOf("", "ipv4:192.0.2.1:2000"), anonymous);
  EXPECT_EQ(ClientOf("", "192.0.2.1"), anonymous);
  EXPECT_EQ(ClientOf("", "ipv6:%5B::ffff:192.0.2.1%5D:5"), anonymous);
  EXPECT_NE(ClientOf("", "ipv4:192.0.2.2:1000"), anonymous);
  EXPECT_EQ(ClientOf("", "ipv6:%5B2001:db8::1%5D:5"), ClientOf("", "[2001:db8::ffff:1]:6"));
  EXPECT_NE(ClientOf("", "ipv6:%5B2001:db8::1%5D:5"), ClientOf("", "[2001:db8:0:1::1]:5"));
  const std::uint64_t token = ClientOf("Bearer t1", "ipv4:192.0.2.1:1000");
  EXPECT_EQ(ClientOf("Bearer t1", "ipv4:192.0.2.2:1000"), token);
  EXPECT_NE(ClientOf("Bearer t2", "ipv4:192.0.2.1:1000"), token);
  EXPECT_NE(token, anonymous);
}

TEST_F(AdmissionTest, ATokenNamedLikeAnAddressIsAnotherClient) {
  Open(LineOf("192.0.2.1", "t1", "read") + "anonymous { scopes: READ }");
  EXPECT_NE(ClientOf("Bearer t1", "192.0.2.1"), ClientOf("", "192.0.2.1"));
}

TEST_F(AdmissionTest, OnlyTrustedProxiesMayNameAnotherAddress) {
  Open("anonymous { scopes: READ calls_per_s: 1 }", "10.0.0.0/8");
  EXPECT_TRUE(Admit("", "ipv4:10.0.0.1:80", {"198.51.100.1"}).ok());
  EXPECT_TRUE(Admit("", "ipv4:10.0.0.1:80", {"198.51.100.2"}).ok());
  EXPECT_EQ(Admit("", "ipv4:10.0.0.2:80", {"198.51.100.1"}).status().code(),
            absl::StatusCode::kResourceExhausted);
  // If the peer is not a trusted proxy, its header is ignored: it stays the same caller.
  EXPECT_TRUE(Admit("", "ipv4:192.0.2.1:80", {"198.51.100.3"}).ok());
  EXPECT_EQ(Admit("", "ipv4:192.0.2.1:80", {"198.51.100.4"}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_F(AdmissionTest, ConcurrentCallsAreCountedByCaller) {
  Open(LineOf("a", "t1", "read") + "anonymous { scopes: READ }", "",
       {.max_calls = 2, .max_streams = 1});
  auto first = *Admit("Bearer t1", "192.0.2.1", {}, Method::kStreamTiles);
  const auto stream = Admit("Bearer t1", "192.0.2.2", {}, Method::kSession);
  EXPECT_EQ(stream.status().code(), absl::StatusCode::kResourceExhausted);
  auto second = *Admit("Bearer t1", "192.0.2.2");
  EXPECT_EQ(Admit("Bearer t1", "192.0.2.3").status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(Admit("", "192.0.2.1").ok());
  first.reset();
  EXPECT_TRUE(Admit("Bearer t1", "192.0.2.3", {}, Method::kStreamTiles).ok());
  // Refused calls have left the gate too.
  second.reset();
  EXPECT_TRUE(gate_.AwaitEmpty(std::chrono::steady_clock::time_point::min()));
}

TEST_F(AdmissionTest, ARefusedCallIsNotInsideTheGate) {
  Open(LineOf("a", "t1", "read"));
  Admission admission(listeners_, Method::kGetTile, "id", [] { return ""; });
  EXPECT_EQ(admission
                .Admit(*access_, gate_, {.authorization = {}, .peer = "192.0.2.1", .forwarded = {}},
                       Scope::kRead)
                .code(),
            absl::StatusCode::kUnauthenticated);
  EXPECT_TRUE(gate_.AwaitEmpty(std::chrono::steady_clock::time_point::min()));
}

}  // namespace
}  // namespace thalweg::calls
