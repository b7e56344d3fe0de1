#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/service/raw_call.h"
#include "tests/service/test_server.h"

namespace thalweg::service {
namespace {

using ::testing::HasSubstr;

TEST(PluginsTest, ReflectionListsTheService) {
  TestServer server;
  // ServerReflectionRequest { string list_services = 7; }
  const RawAnswer answer =
      RawCall(server.channel(), "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
              "\x3a\x01*");
  ASSERT_TRUE(answer.status.ok()) << answer.status.error_message();
  EXPECT_THAT(answer.message, HasSubstr("thalweg.v1.TerrainService"));
  EXPECT_THAT(answer.message, HasSubstr("grpc.health.v1.Health"));
}

TEST(PluginsTest, ReflectionReturnsTheProtocol) {
  TestServer server;
  // ServerReflectionRequest { string file_containing_symbol = 4; }
  const std::string symbol = "thalweg.v1.TerrainService";
  const RawAnswer answer =
      RawCall(server.channel(), "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
              "\x22" + std::string(1, static_cast<char>(symbol.size())) + symbol);
  ASSERT_TRUE(answer.status.ok()) << answer.status.error_message();
  EXPECT_THAT(answer.message, HasSubstr("StreamTilesRequest"));
}

TEST(PluginsTest, HealthReportsServing) {
  TestServer server;
  EXPECT_EQ(HealthOf(server.channel(), ""), 1);
  EXPECT_EQ(HealthOf(server.channel(), "thalweg.v1.TerrainService"), 1);
  EXPECT_EQ(HealthOf(server.channel(), "thalweg.v1.Nothing"), -1);
}

}  // namespace
}  // namespace thalweg::service
