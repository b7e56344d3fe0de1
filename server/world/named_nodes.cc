#include "server/world/named_nodes.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "proto/base/message_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/limits.h"
#include "proto/wire/status_macros.h"
#include "server/world/base_compiler.h"
#include "server/world/constraints.h"

namespace thalweg::world {
namespace {

namespace pb = google::protobuf;

// Calls `visit` for each node of a tree with its path, parents first, until the first error.
template <typename Visit>
absl::Status ForEachNode(const std::string& path, pb::Message& message, const Visit& visit) {
  if (auto* const node = pb::DynamicCastToGenerated<v1::Node>(&message)) {
    THALWEG_RETURN_IF_ERROR(visit(path, *node));
  }
  const pb::Reflection& reflection = *message.GetReflection();
  const pb::Descriptor& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    const pb::FieldDescriptor& field = *type.field(i);
    if (field.cpp_type() != pb::FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const std::string below = text::FieldPath(path, field.name());
    if (field.is_repeated()) {
      for (int n = 0; n < reflection.FieldSize(message, &field); ++n) {
        THALWEG_RETURN_IF_ERROR(ForEachNode(text::ItemPath(below, n),
                                            *reflection.MutableRepeatedMessage(&message, &field, n),
                                            visit));
      }
    } else if (reflection.HasField(message, &field)) {
      THALWEG_RETURN_IF_ERROR(
          ForEachNode(below, *reflection.MutableMessage(&message, &field), visit));
    }
  }
  return absl::OkStatus();
}

// The names of the nodes that base and steepness use.
std::set<std::string> UsedNodes(const v1::WorldSpec& spec) {
  // A copy, since the walk may change its nodes.
  v1::WorldSpec copy = spec;
  std::set<std::string> used;
  const auto note_use = [&used](const std::string&, const v1::Node& node) {
    if (node.has_use()) used.insert(node.use());
    return absl::OkStatus();
  };
  ForEachNode("", *copy.mutable_base(), note_use).IgnoreError();
  if (copy.has_steepness()) ForEachNode("", *copy.mutable_steepness(), note_use).IgnoreError();
  // Nodes use those before them.
  for (int i = copy.nodes_size() - 1; i >= 0; --i) {
    if (!used.contains(copy.nodes(i).name())) continue;
    ForEachNode("", *copy.mutable_nodes(i)->mutable_node(), note_use).IgnoreError();
  }
  return used;
}

}  // namespace

absl::Status CheckNamedNodes(const v1::WorldSpec& spec) {
  // A copy, since the walk may change its nodes.
  v1::WorldSpec copy = spec;
  std::set<std::string> known;
  const auto check_use = [&](const std::string& path, const v1::Node& node) {
    if (!node.has_use()) return absl::OkStatus();
    if (known.contains(node.use())) return absl::OkStatus();
    return wire::Invalid(text::FieldPath(path, "use"),
                         "the name of a node of 'nodes' before this one", text::Quoted(node.use()));
  };
  for (int i = 0; i < copy.nodes_size(); ++i) {
    v1::NamedNode& named = *copy.mutable_nodes(i);
    const std::string path = text::ItemPath("nodes", i);
    if (!wire::IsWorldName(named.name())) {
      return wire::Invalid(text::FieldPath(path, "name"),
                           "1 to 64 lower-case letters, digits and hyphens",
                           text::Quoted(named.name()));
    }
    THALWEG_RETURN_IF_ERROR(
        ForEachNode(text::FieldPath(path, "node"), *named.mutable_node(), check_use));
    if (!known.insert(named.name()).second) {
      return wire::Invalid(text::FieldPath(path, "name"), "a name that no other node has",
                           text::Quoted(named.name()));
    }
  }
  THALWEG_RETURN_IF_ERROR(ForEachNode("base", *copy.mutable_base(), check_use));
  if (copy.has_steepness()) {
    THALWEG_RETURN_IF_ERROR(ForEachNode("steepness", *copy.mutable_steepness(), check_use));
  }
  return absl::OkStatus();
}

v1::WorldSpec WithoutUnusedNodes(const v1::WorldSpec& spec) {
  const std::set<std::string> used = UsedNodes(spec);
  v1::WorldSpec left = spec;
  left.clear_nodes();
  for (const v1::NamedNode& node : spec.nodes()) {
    if (used.contains(node.name())) *left.add_nodes() = node;
  }
  return left;
}

std::vector<std::string> WarningsOf(const v1::WorldSpec& spec) {
  const std::set<std::string> used = UsedNodes(spec);
  std::vector<std::string> warnings;
  for (int i = 0; i < spec.nodes_size(); ++i) {
    const std::string& name = spec.nodes(i).name();
    if (used.contains(name)) continue;
    warnings.push_back(
        absl::StrCat(text::ItemPath("nodes", i), ": nothing uses the node ", text::Quoted(name)));
  }
  return warnings;
}

absl::StatusOr<v1::Node> Expanded(const v1::WorldSpec& spec, const std::string& path,
                                  const v1::Node& graph) {
  std::map<std::string, v1::Node> nodes;
  int count = 0;
  // Named nodes are expanded before they are used, so the inserted tree has no uses.
  const auto expand = [&](const std::string& where, v1::Node& node) {
    if (node.has_use()) {
      const std::string name = node.use();
      node = nodes.at(name);
    }
    if (++count <= kMaxBaseInstructions) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(where, ": the world has more than ",
                                                   kMaxBaseInstructions,
                                                   " nodes up to here, with each use counted"));
  };
  for (const v1::NamedNode& named : spec.nodes()) {
    v1::Node node = named.node();
    count = 0;
    THALWEG_RETURN_IF_ERROR(ForEachNode(text::FieldPath("nodes", named.name()), node, expand));
    nodes.emplace(named.name(), std::move(node));
  }
  v1::Node expanded = graph;
  count = 0;
  THALWEG_RETURN_IF_ERROR(ForEachNode(path, expanded, expand));
  return expanded;
}

}  // namespace thalweg::world
