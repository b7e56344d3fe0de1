#include "server/access/tls_identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/access/certificates.h"
#include "tests/access/temporary_folder.h"

namespace thalweg::access {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class TlsIdentityTest : public testing::Test {
 protected:
  TlsIdentityTest() { Put(authority_.Issue("one")); }

  void Put(const TestCertificate& pair) const {
    folder_.Put("cert", pair.certificate);
    folder_.Put("key", pair.key);
  }
  absl::Status Read(const TlsFiles& files) const {
    return ReadTlsIdentity(files, std::chrono::system_clock::now()).status();
  }
  std::string ErrorOfFiles(absl::StatusCode code = absl::StatusCode::kInvalidArgument) const {
    const absl::Status status = Read(files_);
    EXPECT_EQ(status.code(), code) << status;
    return std::string(status.message());
  }

  const TestAuthority authority_;
  const TemporaryFolder folder_;
  const TlsFiles files_{folder_.Path("cert"), folder_.Path("key"), ""};
};

TEST_F(TlsIdentityTest, ReadsACertificateAndItsKey) {
  const auto identity = ReadTlsIdentity(files_, std::chrono::system_clock::now());
  ASSERT_TRUE(identity.ok()) << identity.status();
  EXPECT_THAT((*identity)->certificate_chain, HasSubstr("BEGIN CERTIFICATE"));
  EXPECT_EQ((*identity)->client_roots, "");
}

TEST_F(TlsIdentityTest, KnowsWhenTheCertificateExpires) {
  Put(authority_.Issue("short", -60, 3'600));
  const auto now = std::chrono::system_clock::now();
  const auto identity = ReadTlsIdentity(files_, now);
  ASSERT_TRUE(identity.ok()) << identity.status();
  const auto left = (*identity)->certificate_end - now;
  EXPECT_LE(left, std::chrono::seconds(3'605));
  EXPECT_GE(left, std::chrono::seconds(3'540));
}

TEST_F(TlsIdentityTest, ReadsChainsAndRoots) {
  const TestCertificate pair = authority_.Issue("chain");
  folder_.Put("cert", pair.certificate + authority_.root());
  folder_.Put("key", pair.key);
  folder_.Put("ca", authority_.root() + TestAuthority().root());
  EXPECT_TRUE(Read({files_.certificate, files_.key, folder_.Path("ca")}).ok());
}

TEST_F(TlsIdentityTest, RefusesGarbage) {
  folder_.Put("cert", "no certificate");
  EXPECT_THAT(ErrorOfFiles(), AllOf(HasSubstr(folder_.Path("cert")), HasSubstr("PEM")));
  const std::string whole = authority_.Issue("two").certificate;
  folder_.Put("cert", whole.substr(0, whole.size() / 2));
  EXPECT_THAT(ErrorOfFiles(), HasSubstr("PEM"));
  folder_.Put("cert", whole + whole.substr(0, whole.size() / 2));
  EXPECT_THAT(ErrorOfFiles(), HasSubstr("PEM"));
}

TEST_F(TlsIdentityTest, RefusesAKeyThatDoesNotMatchAndKeepsItSecret) {
  const TestCertificate other = authority_.Issue("other");
  folder_.Put("key", other.key);
  EXPECT_THAT(ErrorOfFiles(), HasSubstr("its key does not belong to the certificate"));
  folder_.Put("key", "SECRET" + other.key.substr(60));
  EXPECT_THAT(ErrorOfFiles(),
              AllOf(Not(HasSubstr("SECRET")), Not(HasSubstr(other.key.substr(60, 20)))));
}

TEST_F(TlsIdentityTest, RefusesCertificatesThatAreNotValidNow) {
  Put(authority_.Issue("old", -7'200, -3'600));
  EXPECT_THAT(ErrorOfFiles(absl::StatusCode::kFailedPrecondition), HasSubstr("expired"));
  Put(authority_.Issue("early", 3'600, 7'200));
  EXPECT_THAT(ErrorOfFiles(absl::StatusCode::kFailedPrecondition),
              HasSubstr("its certificate is not valid yet"));
}

// The system's clock is wrong when the certificate is renewed, and set right later.
TEST_F(TlsIdentityTest, TakesARenewedCertificateOnceItIsValid) {
  ReloadOptions options;
  options.interval = std::chrono::milliseconds(0);
  std::vector<absl::Status> outcomes;
  options.listener = [&outcomes](const std::string&, const absl::Status& outcome) {
    outcomes.push_back(outcome);
  };
  auto now = std::chrono::system_clock::now();
  const auto source = WatchTlsIdentity(files_, options, [&now] { return now; });
  ASSERT_TRUE(source.ok()) << source.status();
  const auto first = (*source)->Get();
  for (const std::chrono::hours wrong : {std::chrono::hours(-48), std::chrono::hours(100'000)}) {
    const TestCertificate next = authority_.Issue("next");
    now += wrong;
    Put(next);
    const auto last = (*source)->Get();
    EXPECT_NE(last->private_key, next.key);
    EXPECT_EQ((*source)->Get(), last);
    now -= wrong;
    EXPECT_EQ((*source)->Get()->private_key, next.key);
  }
  // Each error is told once.
  ASSERT_EQ(outcomes.size(), 4U);
  for (std::size_t k = 0; k < outcomes.size(); ++k) EXPECT_EQ(outcomes[k].ok(), k % 2 == 1);
}

TEST_F(TlsIdentityTest, RefusesInvalidRoots) {
  EXPECT_EQ(Read({files_.certificate, files_.key, folder_.Put("ca", "x")}).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Read({files_.certificate, files_.key, folder_.Path("nowhere")}).code(),
            absl::StatusCode::kNotFound);
}

// Certificate and key are two files. After only one of them has changed, they do not match.
TEST_F(TlsIdentityTest, WaitsForBothHalvesOfANewPair) {
  ReloadOptions options;
  options.interval = std::chrono::milliseconds(0);
  int failures = 0;
  options.listener = [&failures](const std::string&, const absl::Status& outcome) {
    failures += outcome.ok() ? 0 : 1;
  };
  const auto source = WatchTlsIdentity(files_, options);
  ASSERT_TRUE(source.ok()) << source.status();
  const auto first = (*source)->Get();
  const TestCertificate next = authority_.Issue("next");
  folder_.Put("cert", next.certificate);
  EXPECT_EQ((*source)->Get(), first);
  EXPECT_EQ((*source)->Get(), first);
  EXPECT_EQ(failures, 1);
  folder_.Put("key", next.key);
  EXPECT_EQ((*source)->Get()->private_key, next.key);
  EXPECT_EQ(failures, 1);
}

}  // namespace
}  // namespace thalweg::access
