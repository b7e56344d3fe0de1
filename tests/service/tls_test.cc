// Encrypted connections, and certificates that change while the server runs.
#include <gmock/gmock.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "server/access/tls_identity.h"
#include "tests/access/certificates.h"
#include "tests/access/temporary_folder.h"
#include "tests/service/test_server.h"
#include "thalweg/client.h"
#include "thalweg/health.h"

namespace thalweg::service {
namespace {

using access::TestAuthority;
using access::TestCertificate;

class TlsTest : public testing::Test {
 protected:
  // Whether clients must show a certificate.
  void Start(bool mutual) {
    Put(authority_.Issue("server"));
    access::ReloadOptions reload;
    reload.interval = std::chrono::milliseconds(0);
    reload.listener = [this](const std::string&, const absl::Status& outcome) {
      ++(outcome.ok() ? reloads_ : failures_);
    };
    auto source =
        access::WatchTlsIdentity({folder_.Path("cert"), folder_.Path("key"),
                                  mutual ? folder_.Put("clients", clients_.root()) : std::string()},
                                 reload);
    ASSERT_TRUE(source.ok()) << source.status();
    TestServerOptions options;
    options.rpc.tls = *std::move(source);
    grpc::SslCredentialsOptions own;
    own.pem_root_certs = authority_.root();
    options.credentials = grpc::SslCredentials(own);
    server_.emplace(std::move(options));
  }
  void Put(const TestCertificate& pair) const {
    folder_.Put("cert", pair.certificate);
    folder_.Put("key", pair.key);
  }

  // The status of a call on a new connection.
  absl::Status CallOnce(const TlsOptions& tls,
                        std::chrono::milliseconds patience = std::chrono::seconds(10)) {
    ClientOptions options;
    options.tls = tls;
    options.connect_timeout = patience;
    auto client = Client::Connect(server_->address(), options);
    if (!client.ok()) return client.status();
    return (*client)->ListWorlds().status();
  }
  // Whether no handshake succeeds. The client tries it again and again until its timeout.
  bool IsRefused(const TlsOptions& tls) {
    const absl::Status status = CallOnce(tls, std::chrono::milliseconds(300));
    return absl::IsUnavailable(status);
  }
  TlsOptions Believing(const TestAuthority& authority) const {
    return {.root_certificates = authority.root(), .certificate = "", .key = "", .server_name = ""};
  }

  const TestAuthority authority_;
  const TestAuthority clients_;
  const access::TemporaryFolder folder_;
  std::atomic<int> reloads_ = 0;
  std::atomic<int> failures_ = 0;
  std::optional<TestServer> server_;
};

TEST_F(TlsTest, TheServerProvesWhoItIs) {
  Start(false);
  EXPECT_TRUE(CallOnce(Believing(authority_)).ok());
  EXPECT_TRUE(IsRefused(Believing(TestAuthority())));
  TlsOptions other_name = Believing(authority_);
  other_name.server_name = "thalweg.example.org";
  EXPECT_TRUE(IsRefused(other_name));
  other_name.server_name = "localhost";
  EXPECT_TRUE(CallOnce(other_name).ok());
}

TEST_F(TlsTest, UnencryptedCallersAreRefused) {
  Start(false);
  ClientOptions plain;
  plain.connect_timeout = std::chrono::milliseconds(300);
  EXPECT_EQ(Client::Connect(server_->address(), plain).status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_FALSE(CheckHealth(server_->address(), std::chrono::seconds(10)).ok());
  EXPECT_TRUE(
      CheckHealth(server_->address(), std::chrono::seconds(10), Believing(authority_)).ok());
}

TEST_F(TlsTest, CallersMustShowACertificateIfAsked) {
  Start(true);
  EXPECT_TRUE(IsRefused(Believing(authority_)));
  TlsOptions mutual = Believing(authority_);
  const TestCertificate stranger = TestAuthority().Issue("stranger");
  mutual.certificate = stranger.certificate;
  mutual.key = stranger.key;
  EXPECT_TRUE(IsRefused(mutual));
  const TestCertificate known = clients_.Issue("known");
  mutual.certificate = known.certificate;
  mutual.key = known.key;
  const absl::Status let_in = CallOnce(mutual);
  EXPECT_TRUE(let_in.ok()) << let_in;
  const TestCertificate expired = clients_.Issue("expired", -7'200, -3'600);
  mutual.certificate = expired.certificate;
  mutual.key = expired.key;
  EXPECT_TRUE(IsRefused(mutual));
}

// The two certificates are of different authorities. A client that trusts one tells them apart.
TEST_F(TlsTest, ANewCertificateIsUsedOnlyForNewConnections) {
  Start(false);
  server_->device().Close();
  PendingTile running(*server_, TileRequestOf(0, 0, 0));
  server_->device().AwaitRunAtGate();
  const TestAuthority next;
  Put(next.Issue("next"));
  EXPECT_TRUE(CallOnce(Believing(next)).ok());
  EXPECT_TRUE(IsRefused(Believing(authority_)));
  EXPECT_GE(reloads_, 1);
  server_->device().Open();
  EXPECT_TRUE(running.Await().ok());
  EXPECT_TRUE(PendingTile(*server_, TileRequestOf(0, 1, 0)).Await().ok());
}

TEST_F(TlsTest, ABadCertificateChangesNothing) {
  Start(false);
  const std::string key = authority_.Issue("other").key;
  for (const TestCertificate& bad :
       {TestCertificate{"garbage", "garbage"}, authority_.Issue("expired", -7'200, -3'600),
        TestCertificate{authority_.Issue("unpaired").certificate, key}, TestCertificate{"", ""}}) {
    const int before = failures_;
    Put(bad);
    EXPECT_TRUE(CallOnce(Believing(authority_)).ok());
    EXPECT_GT(failures_, before);
  }
  EXPECT_EQ(reloads_, 0);
  std::filesystem::remove(folder_.Path("cert"));
  EXPECT_TRUE(CallOnce(Believing(authority_)).ok());
  // A good certificate after a bad one is used.
  const TestAuthority next;
  Put(next.Issue("next"));
  EXPECT_TRUE(CallOnce(Believing(next)).ok());
}

TEST_F(TlsTest, RootsOfCallersCanChange) {
  Start(true);
  const TestAuthority next;
  const TestCertificate known = next.Issue("known");
  TlsOptions mutual = Believing(authority_);
  mutual.certificate = known.certificate;
  mutual.key = known.key;
  EXPECT_TRUE(IsRefused(mutual));
  folder_.Put("clients", next.root());
  EXPECT_TRUE(CallOnce(mutual).ok());
}

TEST(ClientTlsTest, TokensAreNotSentUnencrypted) {
  ClientOptions options;
  options.token = "t1";
  options.connect_timeout = std::chrono::milliseconds(1);
  EXPECT_EQ(Client::Connect("192.0.2.1:7070", options).status().code(),
            absl::StatusCode::kInvalidArgument);
  options.token_in_clear = true;
  EXPECT_EQ(Client::Connect("192.0.2.1:7070", options).status().code(),
            absl::StatusCode::kUnavailable);
  options.token = "two words";
  EXPECT_EQ(Client::Connect("127.0.0.1:7070", options).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace thalweg::service
