#include "server/world/named_nodes.h"

#include <google/protobuf/text_format.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "server/world/world.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::world {
namespace {

namespace pb = google::protobuf;

constexpr char kHills[] = "{ fbm { wavelength_m: 9000 salt: 3 } }";

// SmallSpec with this base and these named nodes, all in text form.
v1::WorldSpec SpecOf(const std::string& base, const std::string& nodes) {
  v1::WorldSpec spec = SmallSpec();
  spec.clear_base();
  EXPECT_TRUE(pb::TextFormat::MergeFromString(absl::StrCat("base ", base, " ", nodes), &spec));
  return spec;
}

std::string ErrorOf(const v1::WorldSpec& spec) {
  return std::string(World::Create(spec).status().message());
}

bool SamePrograms(const World& a, const World& b) {
  const auto bytes = [](const World& world) {
    const auto base = world.level(0).base();
    return std::string(reinterpret_cast<const char*>(base.data()),
                       base.size() * sizeof(kernels::BaseInstruction));
  };
  return !bytes(a).empty() && bytes(a) == bytes(b);
}

TEST(NamedNodesTest, AUseEqualsTheNodeItself) {
  const auto plain = World::Create(SpecOf(
      absl::StrCat("{ sum { nodes ", kHills, " nodes { max { nodes ", kHills, " } } } }"), ""));
  const auto named = World::Create(
      SpecOf("{ sum { nodes { use: 'hills' } nodes { use: 'high' } } }",
             absl::StrCat("nodes { name: 'hills' node ", kHills,
                          " } nodes { name: 'high' node { max { nodes { use: 'hills' } } } }")));
  ASSERT_TRUE(plain.ok()) << plain.status();
  ASSERT_TRUE(named.ok()) << named.status();
  EXPECT_TRUE(SamePrograms(**plain, **named));
}

// The twin: another node with the same name gives another program.
TEST(NamedNodesTest, AnotherNodeGivesAnotherProgram) {
  const auto one = World::Create(
      SpecOf("{ use: 'hills' }", absl::StrCat("nodes { name: 'hills' node ", kHills, " }")));
  const auto other = World::Create(SpecOf(
      "{ use: 'hills' }", "nodes { name: 'hills' node { fbm { wavelength_m: 9000 salt: 4 } } }"));
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_FALSE(SamePrograms(**one, **other));
  EXPECT_NE((*one)->id(), (*other)->id());
}

TEST(NamedNodesTest, NamesDoNotDecideTheId) {
  const auto one = World::Create(
      SpecOf("{ use: 'hills' }", absl::StrCat("nodes { name: 'hills' node ", kHills, " }")));
  const auto other = World::Create(
      SpecOf("{ use: 'dales' }", absl::StrCat("nodes { name: 'dales' node ", kHills, " }")));
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_EQ((*one)->id(), (*other)->id());
}

TEST(NamedNodesTest, WhichNodeIsUsedDecidesTheId) {
  const std::string nodes = absl::StrCat("nodes { name: 'a' node ", kHills,
                                         " } nodes { name: 'b' node { constant: 3 } }");
  const auto one =
      World::Create(SpecOf("{ sum { nodes { use: 'a' } nodes { use: 'b' } } }", nodes));
  const auto other =
      World::Create(SpecOf("{ sum { nodes { use: 'b' } nodes { use: 'a' } } }", nodes));
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_NE((*one)->id(), (*other)->id());
}

TEST(NamedNodesTest, ErrorsNameTheMistake) {
  const std::string hills = absl::StrCat("nodes { name: 'hills' node ", kHills, " }");
  EXPECT_EQ(ErrorOf(SpecOf("{ use: 'dales' }", hills)),
            "world 'alps': invalid base.use: expected the name of a node of 'nodes' before this "
            "one, got 'dales'");
  EXPECT_EQ(
      ErrorOf(SpecOf("{ use: 'hills' }", hills + hills)),
      "world 'alps': invalid nodes[1].name: expected a name that no other node has, got 'hills'");
  EXPECT_EQ(ErrorOf(SpecOf("{ use: 'a b' }", "nodes { name: 'a b' node { constant: 1 } }")),
            "world 'alps': invalid nodes[0].name: expected 1 to 64 lower-case letters, digits and "
            "hyphens, got 'a b'");
  // A node may not use itself or a later one.
  EXPECT_EQ(ErrorOf(SpecOf("{ use: 'a' }", "nodes { name: 'a' node { use: 'a' } }")),
            "world 'alps': invalid nodes[0].node.use: expected the name of a node of 'nodes' "
            "before this one, got 'a'");
  EXPECT_EQ(
      ErrorOf(SpecOf("{ use: 'a' }",
                     "nodes { name: 'a' node { curve { source { constant: 1 } points { in: 1 } "
                     "points { in: 0 } } } }")),
      "world 'alps': invalid nodes[0].node.curve.points[1].in: expected min 1.0001, since points "
      "must rise, got 0");
}

// Each node uses the one before it eight times. As a tree, they would not fit into any memory.
TEST(NamedNodesTest, ExponentialGrowthIsRefused) {
  std::string nodes = "nodes { name: 'n0' node { constant: 1 } }";
  for (int i = 1; i < 16; ++i) {
    std::string eight;
    for (int k = 0; k < 8; ++k) absl::StrAppend(&eight, "nodes { use: 'n", i - 1, "' } ");
    absl::StrAppend(&nodes, " nodes { name: 'n", i, "' node { sum { ", eight, "} } }");
  }
  const std::string error = ErrorOf(SpecOf("{ use: 'n15' }", nodes));
  EXPECT_NE(error.find(": the world has more than 1024 nodes up to here, with each use counted"),
            std::string::npos)
      << error;
}

}  // namespace
}  // namespace thalweg::world
