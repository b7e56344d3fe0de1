// The build of another project uses the installed library.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/access/certificates.h"
#include "tests/access/temporary_folder.h"
#include "tests/client/fake_server.h"
#include "tests/client/shell.h"
#include "tests/size.h"

namespace thalweg {
namespace {

namespace fs = std::filesystem;
using client_test::FakeServer;
using client_test::Outcome;
using client_test::Shell;
using ::testing::HasSubstr;
using ::testing::Not;

// Installs the library into a temporary folder.
class InstallTest : public ::testing::Test {
 protected:
  InstallTest() {
    std::string name = (fs::temp_directory_path() / "thalweg-install-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    prefix_ = folder_ / "prefix";
    const Outcome installed = Shell(
        "cmake --install " THALWEG_BUILD " --component development --prefix " + prefix_.string());
    EXPECT_EQ(installed.code, 0) << installed.text;
  }
  ~InstallTest() override { fs::remove_all(folder_); }

  // A shell command that finds the installed library.
  std::string With(const std::string& command) const {
    const std::string lib = (prefix_ / THALWEG_LIBDIR).string();
    return "cd " + folder_.string() + "; export PKG_CONFIG_PATH=" + lib +
           "/pkgconfig LD_LIBRARY_PATH=" + lib + "; " + command;
  }

  fs::path folder_;
  fs::path prefix_;
  FakeServer server_;
};

TEST_F(InstallTest, ACppProgramBuildsWithCMakeAndFlies) {
  const Outcome built =
      Shell(With("cmake -S " THALWEG_EXAMPLES "/fly_cpp -B cpp -DCMAKE_BUILD_TYPE=Debug"
                 " -DCMAKE_CXX_FLAGS='" THALWEG_FLAGS "' -DCMAKE_PREFIX_PATH=" +
                 prefix_.string() + " && cmake --build cpp"));
  ASSERT_EQ(built.code, 0) << built.text;
  const Outcome flown = Shell(With("timeout 60 cpp/fly_cpp " + server_.address() + " alpine 3"));
  EXPECT_EQ(flown.code, 0) << flown.text;
  EXPECT_THAT(flown.text, HasSubstr(" frames, "));
  EXPECT_THAT(flown.text, Not(HasSubstr(" 0 complete")));
  EXPECT_EQ(Shell(With("timeout 60 cpp/fly_cpp " + server_.address() + " alps 1")).code, 1);
}

TEST_F(InstallTest, ACProgramBuildsWithPkgConfigAndFlies) {
  const Outcome built =
      Shell(With("cc -std=c11 -Wall -Wextra -Wpedantic -Werror " THALWEG_FLAGS " " THALWEG_EXAMPLES
                 "/fly_c/main.c $(pkg-config --cflags --libs thalweg) -o fly_c"));
  ASSERT_EQ(built.code, 0) << built.text;
  const Outcome flown = Shell(With("timeout 60 ./fly_c " + server_.address() + " alpine 100"));
  EXPECT_EQ(flown.code, 0) << flown.text;
  EXPECT_THAT(flown.text, HasSubstr("100 frames, "));
  EXPECT_THAT(flown.text, Not(HasSubstr(" 0 complete")));
  const Outcome refused = Shell(With("timeout 60 ./fly_c " + server_.address() + " alps"));
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.text, HasSubstr("get world 'alps': unknown world"));
}

// The example's options are trusted roots and a token for every call.
TEST_F(InstallTest, ACProgramConnectsWithTlsAndAToken) {
  const Outcome built =
      Shell(With("cc -std=c11 -Wall -Wextra -Wpedantic -Werror " THALWEG_FLAGS " " THALWEG_EXAMPLES
                 "/fly_c/main.c $(pkg-config --cflags --libs thalweg) -o fly_c"));
  ASSERT_EQ(built.code, 0) << built.text;
  const access::TestAuthority authority;
  const access::TestCertificate pair = authority.Issue("server");
  grpc::SslServerCredentialsOptions tls;
  tls.pem_key_cert_pairs.push_back({pair.key, pair.certificate});
  const FakeServer server(grpc::SslServerCredentials(tls));
  const access::TemporaryFolder certificates;
  const std::string fly = "THALWEG_TOKEN=t1 timeout 60 ./fly_c " + server.address() + " alpine 20 ";
  const Outcome flown = Shell(With(fly + certificates.Put("ca", authority.root())));
  EXPECT_EQ(flown.code, 0) << flown.text;
  EXPECT_THAT(flown.text, HasSubstr("20 frames, "));
  const std::string stranger = certificates.Put("stranger", access::TestAuthority().root());
  std::vector<std::string> wrong = {stranger};
  if (IsExhaustive()) wrong.insert(wrong.end(), {"", certificates.Path("missing")});
  for (const std::string& ca : wrong) {
    EXPECT_EQ(Shell(With(fly + ca)).code, 1) << ca;
  }
}

// Internal symbols must be hidden: an engine may link its own Protobuf or codec.
TEST_F(InstallTest, InstallsOnlyTheInterface) {
  const Outcome symbols =
      Shell(With("nm -DC --defined-only " + (prefix_ / THALWEG_LIBDIR / "libthalweg.so").string()));
  ASSERT_EQ(symbols.code, 0) << symbols.text;
  EXPECT_THAT(symbols.text, HasSubstr(" thalweg_view_update"));
  EXPECT_THAT(symbols.text, HasSubstr(" thalweg::TerrainView::Update()"));
  EXPECT_THAT(symbols.text, HasSubstr(" thalweg::Client::GetWorld("));
  for (const char* inside : {"thalweg::v1::", " thalweg::wire::", " thalweg::lod::",
                             " thalweg::sphere::", "thalweg::TerrainFeed", "thalweg::TileMemory"}) {
    EXPECT_THAT(symbols.text, Not(HasSubstr(inside)));
  }
}

}  // namespace
}  // namespace thalweg
