#include "client/src/connection/channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/access/certificates.h"

namespace thalweg {
namespace {

using ::testing::EndsWith;

TEST(ChannelTest, RefusesToSendATokenUnencryptedToAnotherMachine) {
  for (const char* address : {"10.0.0.1:1", "128.0.0.1:1", "127.0.0.1.example.org:1",
                              "127.example.org:1", "localhost.example.org:1", "[::2]:1"}) {
    EXPECT_FALSE(MakeChannel(address, {.tls = {}, .token = "t"}, {}).ok()) << address;
  }
}

std::string Refused(const ChannelOptions& options) {
  const absl::Status status = MakeChannel("localhost:7070", options, {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

ChannelOptions Tls(const TlsOptions& tls) { return {.tls = tls, .token = ""}; }

TEST(ChannelTest, RefusesTextThatIsNotPem) {
  const access::TestAuthority authority;
  const access::TestCertificate own = authority.Issue("client");
  TlsOptions good;
  good.root_certificates = authority.root();
  good.certificate = own.certificate;
  good.key = own.key;
  EXPECT_TRUE(MakeChannel("localhost:7070", Tls(good), {}).ok());
  TlsOptions bad = good;
  bad.root_certificates = "hello";
  EXPECT_THAT(Refused(Tls(bad)), EndsWith("invalid root certificates: expected a PEM text with a "
                                          "CERTIFICATE, got 5 bytes without"));
  bad = good;
  bad.certificate = own.key;
  EXPECT_THAT(Refused(Tls(bad)), EndsWith(" bytes without"));
  bad = good;
  bad.key = own.certificate;
  EXPECT_THAT(Refused(Tls(bad)), EndsWith(" bytes without"));
  bad = good;
  bad.root_certificates += std::string(1 << 20, '\n');
  EXPECT_THAT(Refused(Tls(bad)), EndsWith("got " + std::to_string(bad.root_certificates.size())));
}

TEST(ChannelTest, RefusesTokensThatAreTooLong) {
  EXPECT_TRUE(
      MakeChannel("localhost:7070", {.tls = {}, .token = std::string(4'096, 'x')}, {}).ok());
  EXPECT_THAT(Refused({.tls = {}, .token = std::string(4'097, 'x')}),
              EndsWith("invalid token: expected max 4096 bytes, got 4097"));
}

}  // namespace
}  // namespace thalweg
