// The C interface's connections to a server that asks for certificates and tokens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "server/access/tls_identity.h"
#include "tests/access/certificates.h"
#include "tests/access/temporary_folder.h"
#include "tests/access/token_line.h"
#include "tests/service/test_server.h"
#include "thalweg/thalweg.h"

namespace thalweg::service {
namespace {

using access::TestAuthority;
using access::TestCertificate;
using ::testing::HasSubstr;

class CInterfaceTest : public testing::Test {
 protected:
  CInterfaceTest() { options_.size = sizeof(options_); }
  ~CInterfaceTest() override { thalweg_client_close(client_); }

  // Starts a server that asks for a token. If `mutual`, it also asks for callers' certificates.
  void Start(bool tls, bool mutual = false) {
    TestServerOptions options;
    auto control =
        access::AccessControl::OfFile(folder_.Put("tokens", access::LineOf("game", "t1", "read")));
    ASSERT_TRUE(control.ok()) << control.status();
    options.access = *std::move(control);
    if (tls) {
      const TestCertificate pair = authority_.Issue("server");
      auto source = access::WatchTlsIdentity(
          {folder_.Put("cert", pair.certificate), folder_.Put("key", pair.key),
           mutual ? folder_.Put("clients", clients_.root()) : std::string()},
          {});
      ASSERT_TRUE(source.ok()) << source.status();
      options.rpc.tls = *std::move(source);
    }
    server_.emplace(std::move(options));
  }
  thalweg_status Connect() {
    thalweg_client_close(client_);
    client_ = nullptr;
    return thalweg_client_open_with(server_->address().c_str(), &options_, &client_);
  }
  // The status of a call over the connection.
  thalweg_status Sample() {
    const std::array<double, 2> point{100, 100};
    std::int32_t height = 0;
    return thalweg_client_sample_heights(client_, "test-1", 0, point.data(), 1, &height);
  }

  const TestAuthority authority_;
  const TestAuthority clients_;
  const access::TemporaryFolder folder_;
  std::optional<TestServer> server_;
  thalweg_client_options options_{};
  thalweg_client* client_ = nullptr;
};

TEST_F(CInterfaceTest, SendsItsToken) {
  Start(false);
  ASSERT_EQ(Connect(), THALWEG_OK) << thalweg_error();
  EXPECT_EQ(Sample(), THALWEG_UNAUTHENTICATED);
  options_.token = "t1";
  ASSERT_EQ(Connect(), THALWEG_OK) << thalweg_error();
  EXPECT_EQ(Sample(), THALWEG_OK) << thalweg_error();
  options_.token = "two words";
  EXPECT_EQ(Connect(), THALWEG_INVALID_ARGUMENT);
  // Without TLS, a token is sent to another machine only with token_in_clear.
  options_.token = "t1";
  options_.connect_timeout_ms = 1;
  EXPECT_EQ(thalweg_client_open_with("192.0.2.1:7070", &options_, &client_),
            THALWEG_INVALID_ARGUMENT);
  options_.token_in_clear = 1;
  EXPECT_EQ(thalweg_client_open_with("192.0.2.1:7070", &options_, &client_), THALWEG_UNAVAILABLE);
}

TEST_F(CInterfaceTest, TrustsTheGivenRoots) {
  Start(true);
  options_.token = "t1";
  options_.root_certificates = authority_.root().c_str();
  ASSERT_EQ(Connect(), THALWEG_OK) << thalweg_error();
  EXPECT_EQ(Sample(), THALWEG_OK) << thalweg_error();
  options_.server_name = "localhost";
  EXPECT_EQ(Connect(), THALWEG_OK) << thalweg_error();
  options_.connect_timeout_ms = 300;
  options_.server_name = "thalweg.example.org";
  EXPECT_EQ(Connect(), THALWEG_UNAVAILABLE);
  options_.server_name = nullptr;
  options_.root_certificates = clients_.root().c_str();
  EXPECT_EQ(Connect(), THALWEG_UNAVAILABLE);
  // The system's roots do not include the server's authority.
  options_.root_certificates = nullptr;
  options_.tls = 1;
  EXPECT_EQ(Connect(), THALWEG_UNAVAILABLE);
}

TEST_F(CInterfaceTest, SendsItsCertificate) {
  Start(true, true);
  const TestCertificate own = clients_.Issue("client");
  options_.token = "t1";
  options_.root_certificates = authority_.root().c_str();
  options_.certificate = own.certificate.c_str();
  EXPECT_EQ(Connect(), THALWEG_INVALID_ARGUMENT);
  EXPECT_THAT(thalweg_error(), HasSubstr("a certificate needs its key, which is missing"));
  options_.key = own.key.c_str();
  ASSERT_EQ(Connect(), THALWEG_OK) << thalweg_error();
  EXPECT_EQ(Sample(), THALWEG_OK) << thalweg_error();
  options_.certificate = nullptr;
  options_.key = nullptr;
  options_.connect_timeout_ms = 300;
  EXPECT_EQ(Connect(), THALWEG_UNAVAILABLE);
}

TEST_F(CInterfaceTest, WaitsForAnAnswerUntilTheTimeout) {
  Start(false);
  server_->device().Close();
  options_.token = "t1";
  options_.call_timeout_ms = 50;
  ASSERT_EQ(Connect(), THALWEG_OK) << thalweg_error();
  EXPECT_EQ(Sample(), THALWEG_DEADLINE_EXCEEDED);
}

// Programs may be compiled with older or newer headers.
TEST_F(CInterfaceTest, TakesOptionsOfAnySize) {
  Start(false);
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{1} << 40}) {
    options_.size = size;
    EXPECT_EQ(Connect(), THALWEG_INVALID_ARGUMENT);
    EXPECT_THAT(thalweg_error(), HasSubstr("size"));
  }
  // The size ends after the token: fields behind it are ignored.
  options_.size = offsetof(thalweg_client_options, connect_timeout_ms);
  options_.token = "t1";
  options_.call_timeout_ms = 1;
  options_.max_attempts = -1;
  ASSERT_EQ(Connect(), THALWEG_OK) << thalweg_error();
  EXPECT_EQ(Sample(), THALWEG_OK) << thalweg_error();
  struct Newer {
    thalweg_client_options known;
    std::int64_t unknown;
  } newer{};
  newer.known.size = sizeof(newer);
  newer.known.token = "t1";
  thalweg_client_close(client_);
  EXPECT_EQ(thalweg_client_open_with(server_->address().c_str(), &newer.known, &client_),
            THALWEG_OK);
  newer.unknown = 1;
  thalweg_client* none = nullptr;
  EXPECT_EQ(thalweg_client_open_with(server_->address().c_str(), &newer.known, &none),
            THALWEG_INVALID_ARGUMENT);
  EXPECT_EQ(thalweg_client_open_with(server_->address().c_str(), nullptr, nullptr),
            THALWEG_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace thalweg::service
