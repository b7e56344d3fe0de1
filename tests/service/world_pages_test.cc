// ListWorlds, a page at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/service/test_server.h"
#include "thalweg/client.h"

namespace thalweg::service {
namespace {

using ::testing::HasSubstr;

// This many worlds, each with the longest allowed description. Its name is its number.
TestServerOptions ManyWorlds(std::uint64_t count) {
  TestServerOptions options;
  for (std::uint64_t n = 0; n < count; ++n) {
    v1::WorldSpec spec;
    spec.set_name("w" + std::to_string(1'000'000 + n));
    spec.set_description(std::string(4'096, 'd'));
    spec.set_seed(n);
    spec.set_levels(2);
    spec.mutable_base()->set_constant(3);
    spec.add_rules()->mutable_detail();
    options.worlds.push_back(*world::World::Create(spec));
  }
  return options;
}

grpc::Status List(TestServer& server, std::int32_t size, const std::string& token,
                  v1::ListWorldsResponse& page) {
  grpc::ClientContext context;
  v1::ListWorldsRequest request;
  request.set_page_size(size);
  request.set_page_token(token);
  return server.stub().ListWorlds(&context, request, &page);
}

// The stub accepts at most 4 MiB, as gRPC's clients do by default.
TEST(WorldPagesTest, AnyClientCanListManyLargeWorlds) {
  constexpr std::uint64_t kWorlds = 1'300;
  TestServer server(ManyWorlds(kWorlds));
  for (const std::int32_t size : {0, 7, 1'000, 1'000'000}) {
    std::vector<std::string> names;
    int pages = 0;
    v1::ListWorldsResponse page;
    do {
      const grpc::Status status = List(server, size, page.next_page_token(), page);
      ASSERT_TRUE(status.ok()) << status.error_message();
      EXPECT_LT(page.ByteSizeLong(), std::size_t{2} << 20);
      EXPECT_LE(page.worlds_size(), size == 0 ? 100 : size);
      for (const v1::World& world : page.worlds()) names.push_back(world.spec().name());
      ++pages;
    } while (!page.next_page_token().empty());
    ASSERT_EQ(names.size(), kWorlds) << size;
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    EXPECT_GE(pages, 6) << size;
  }
}

TEST(WorldPagesTest, TheLibraryReadsAllPages) {
  TestServer server(ManyWorlds(250));
  const auto client = Client::Connect(server.address());
  ASSERT_TRUE(client.ok()) << client.status();
  const auto worlds = (*client)->ListWorlds();
  ASSERT_TRUE(worlds.ok()) << worlds.status();
  EXPECT_EQ(worlds->size(), 250U);
  EXPECT_EQ(worlds->back().name, "w1000249");
}

TEST(WorldPagesTest, WrongSizesAndTokensAreRefused) {
  TestServer server;
  v1::ListWorldsResponse page;
  const grpc::Status size = List(server, -1, "", page);
  EXPECT_EQ(size.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(size.error_message(), "invalid page_size: expected 0 to 1000, got -1");
  for (const std::string& token :
       {std::string("Alps"), std::string("a b"), std::string("../x"), std::string(65, 'a')}) {
    const grpc::Status refused = List(server, 0, token, page);
    EXPECT_EQ(refused.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << token;
    EXPECT_THAT(refused.error_message(),
                HasSubstr("invalid page_token: expected the next_page_token of the page before, "
                          "got '" +
                          token));
  }
  // The world of a page_token may have been removed: the next page begins after its name.
  ASSERT_TRUE(List(server, 0, "aaa", page).ok());
  EXPECT_EQ(page.worlds_size(), 1);
  ASSERT_TRUE(List(server, 0, "zzz", page).ok());
  EXPECT_EQ(page.worlds_size(), 0);
  EXPECT_EQ(page.next_page_token(), "");
}

}  // namespace
}  // namespace thalweg::service
