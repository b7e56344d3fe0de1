#include "server/http/mesh_calls.h"

#include <gtest/gtest.h>

namespace thalweg::http {
namespace {

using geographic::MeshExtensions;

constexpr MeshExtensions kNone = {};
constexpr MeshExtensions kNormals = {.normals = true};
constexpr MeshExtensions kAll = {.normals = true, .water_mask = true, .metadata = true};

TEST(MeshTermsTest, AcceptDecidesByTheClosestRange) {
  for (const char* accept :
       {"", "*/*", "application/*;q=0.1", "application/octet-stream",
        "application/vnd.quantized-mesh,application/octet-stream;q=0.9,*/*;q=0.01",
        "Application/Vnd.Quantized-Mesh; extensions=watermask", "text/html, */*;q=0.1",
        "application/vnd.quantized-mesh;q=0.001,*/*;q=0"}) {
    EXPECT_TRUE(AcceptsMesh(accept)) << accept;
  }
  for (const char* accept : {"text/html", "image/png,image/*", "*/*;q=0", "*/*;q=0.000",
                             "application/vnd.quantized-mesh;q=0,*/*", "application/json", ","}) {
    EXPECT_FALSE(AcceptsMesh(accept)) << accept;
  }
}

MeshExtensions Parsed(std::string_view accept, const char* parameter = nullptr) {
  const std::string text = parameter == nullptr ? "" : parameter;
  const auto extensions = ParseMeshExtensions(accept, parameter == nullptr ? nullptr : &text);
  EXPECT_TRUE(extensions.ok()) << extensions.status();
  return extensions.value_or(kNone);
}

TEST(MeshTermsTest, ExtensionsCanBeRequestedInTwoWays) {
  EXPECT_EQ(Parsed(""), kNone);
  EXPECT_EQ(Parsed("*/*"), kNone);
  EXPECT_EQ(Parsed("application/vnd.quantized-mesh;extensions=octvertexnormals,*/*;q=0.01"),
            kNormals);
  EXPECT_EQ(Parsed("application/vnd.quantized-mesh; q=1; "
                   "extensions=\"octvertexnormals-watermask-metadata\""),
            kAll);
  EXPECT_EQ(Parsed("*/*", "metadata-octvertexnormals-watermask"), kAll);
  EXPECT_EQ(Parsed("application/vnd.quantized-mesh", "octvertexnormals"), kNormals);
  EXPECT_EQ(Parsed("application/vnd.quantized-mesh", ""), kNone);
  // 3d-tiles-renderer puts the extensions here.
  EXPECT_EQ(Parsed("application/vnd.quantized-mesh,application/octet-stream;q=0.9;"
                   "extensions=octvertexnormals-watermask-metadata"),
            kAll);
}

TEST(MeshTermsTest, UnknownNamesAreIgnored) {
  EXPECT_EQ(Parsed("", "octvertexnormals-snow"), kNormals);
  EXPECT_EQ(Parsed("application/vnd.quantized-mesh;extensions=-vertexnormals--"), kNone);
}

TEST(MeshTermsTest, TheTwoWaysMustAgree) {
  const char* const accept = "application/vnd.quantized-mesh;extensions=octvertexnormals";
  EXPECT_EQ(Parsed(accept, "octvertexnormals-snow"), kNormals);
  for (const std::string parameter : {"", "watermask", "octvertexnormals-metadata"}) {
    const auto extensions = ParseMeshExtensions(accept, &parameter);
    EXPECT_TRUE(absl::IsInvalidArgument(extensions.status())) << parameter;
  }
}

}  // namespace
}  // namespace thalweg::http
