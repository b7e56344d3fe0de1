// The blocks that requests wait for, each once, with the ancestors that they start from. Pure
// bookkeeping: no thread, no device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "server/backend/backend.h"
#include "server/field/block_store.h"
#include "server/field/field.h"
#include "server/field/world_plan.h"
#include "server/sharing/fair_queue.h"

namespace thalweg::field {

// What a request needs: one block, with at least these layers.
struct Demand {
  std::shared_ptr<const WorldPlan> plan;
  world::BlockKey block;
  backend::LayerSet layers;
  Priority priority = Priority::kInteractive;
  // A number that tells clients apart, and the meter of the costs; see TileRequest.
  std::uint64_t client = 0;
  Meter meter = nullptr;
};

// Ready blocks of one level of one world, to be computed by one run. Keeps their parents alive.
struct Batch {
  std::shared_ptr<const WorldPlan> plan;
  int level = 0;
  backend::LayerSet layers;
  std::vector<world::BlockKey> blocks;
  // One for each block; null at level 0.
  std::vector<BlockPtr> parents;
  // Whether the blocks stand in fours: the north-west, north-east, south-west and south-east
  // children of one parent. Each four are computed as one block of twice the side.
  bool quads = false;

  // About what a window of the run costs, in cells, and all of them.
  double WindowCells() const {
    return (quads ? plan->quad_window_cells : plan->window_cells)[static_cast<std::size_t>(level)];
  }
  std::int64_t Cells() const;
  // How many blocks of the batch one job of the run computes.
  std::size_t BlocksAJob() const { return quads ? 4 : 1; }
  const world::BlockShape& Shape() const {
    return (quads ? plan->quad_shapes : plan->shapes)[static_cast<std::size_t>(level)];
  }
};

// The blocks under way, each a node. The parent's block is kept, or it is a node too. A node's rank
// is the best of the requests that wait for it or for a descendant. A node that no request waits
// for leaves, unless it is being computed. Not thread-safe.
class BlockGraph {
 public:
  using RequestId = Field::RequestId;
  // The max number of windows that the run of a batch may have, in whole blocks; below 1 if none
  // fits. The batch has no blocks yet.
  using MaxBatch = std::function<int(const Batch& batch)>;

  // The lower rank goes first: by priority, then by the start of the request.
  struct Rank {
    Priority priority;
    std::int64_t start;

    // NOLINTNEXTLINE(modernize-use-nullptr): what clang-tidy 14 takes the comparison with 0 for.
    friend auto operator<=>(const Rank&, const Rank&) = default;
  };
  // After all others. Half of the range, so that work can be added to the start.
  static constexpr Rank kLastRank{Priority::kBake, std::numeric_limits<std::int64_t>::max() / 2};

  // A finished request and the block that it waited for.
  struct Answer {
    RequestId request;
    BlockPtr block;
  };

  // Finished blocks are put in the store, which must outlive the graph.
  explicit BlockGraph(BlockStore* store) : store_(store) {}

  // Returns the block if it is kept with all the layers; else null, and the request waits. Meters
  // the cells of the blocks, ancestors among them, that are neither kept nor under way.
  BlockPtr Add(RequestId request, const Demand& demand);
  // Withdraws a request, which must be waiting. Returns how many nodes left with it.
  std::size_t Remove(RequestId request);
  // Gives a request, which must be waiting, a more urgent priority. Its start stays.
  void Raise(RequestId request, Priority priority);

  bool HasReady() const { return !ready_.empty(); }
  // The priority of the first ready node; there must be one.
  Priority BestPriority() const { return (*ready_.begin())->rank.priority; }
  // The best rank of the requests that wait for a batch under way or for its descendants.
  Rank RankOf(const Batch& batch) const;
  // Which ready nodes may begin: those that rank before this and cost at most this.
  struct Which {
    Rank before = kLastRank;
    std::int64_t max_cells = std::numeric_limits<std::int64_t>::max();
  };
  bool HasReady(const Which& which) const { return First(which) != nullptr; }
  // Starts the first of these nodes and, as far as the limit allows, others of its level, world,
  // priority and layers, in their order. Four siblings that are ready together are started as one.
  // There must be such a node.
  Batch Take(const MaxBatch& max_batch, const Which& which);
  Batch Take(const MaxBatch& max_batch) { return Take(max_batch, Which()); }

  // Keeps a batch's results (one for each job) and makes their children ready. Requests for layers
  // that the block lacks wait for another run, which is metered to the first of them.
  std::vector<Answer> Finish(const Batch& batch, const std::vector<BlockPtr>& results);
  // Forgets a batch's nodes and their descendants. Returns the requests that waited for them.
  std::vector<RequestId> Fail(const Batch& batch);
  // Forgets all nodes, also of batches under way, and all requests.
  void Clear();

  // Nodes that were not started yet.
  std::size_t queued() const { return nodes_.size() - running_; }
  // All nodes.
  std::size_t size() const { return nodes_.size(); }

 private:
  struct Node {
    BlockId id;
    std::shared_ptr<const WorldPlan> plan;
    backend::LayerSet layers;
    std::uint64_t sequence = 0;
    // About what it costs.
    std::int64_t cells = 0;
    Rank rank = kLastRank;
    bool running = false;
    Node* parent = nullptr;  // while the parent is under way
    BlockPtr parent_block;   // once the parent is finished
    absl::flat_hash_set<Node*> children;
    absl::flat_hash_set<RequestId> requests;

    bool IsReady() const { return !running && parent == nullptr; }
  };
  struct Earlier {
    bool operator()(const Node* a, const Node* b) const;
  };
  struct Waiter {
    Demand demand;
    Rank rank;
    Node* node;
  };
  using Waiters = absl::flat_hash_map<RequestId, Waiter>;

  // Four ready siblings that may be computed as one, in Batch's order.
  using Quad = std::array<Node*, 4>;

  Node* Find(const BlockId& id) const;
  // The first ready node, in their order, that may begin; null if there is none.
  Node* First(const Which& which) const;
  // A ready node with its three siblings, if all are ready and go together.
  std::optional<Quad> QuadOf(const Node& node) const;
  // Whether two nodes may be in one batch.
  static bool GoWith(const Node& a, const Node& b);
  void Start(Node* node, Batch& batch);
  void Keep(const Batch& batch, const std::vector<BlockPtr>& results);
  // Makes nodes for a block that is not under way and for its missing ancestors; returns the
  // block's. They have the lowest rank until UpdateRank. Adds their cost.
  Node* Create(const BlockId& id, const std::shared_ptr<const WorldPlan>& plan,
               std::int64_t* cells);
  // Recomputes ranks from a node upward, until one does not change.
  void UpdateRank(Node* node);
  void SetRank(Node* node, const Rank& rank);
  // Erases a node and its ancestors that nothing needs any more. Returns how many.
  std::size_t Prune(Node* node);
  void FailSubtree(Node* node, std::vector<RequestId>* requests);
  void Forget(Waiters::iterator waiter);
  void Erase(Node* node);

  BlockStore* store_;
  std::uint64_t next_sequence_ = 0;
  std::size_t running_ = 0;
  sharing::FairRounds rounds_;
  absl::flat_hash_map<BlockId, std::unique_ptr<Node>> nodes_;
  Waiters waiters_;
  std::set<Node*, Earlier> ready_;
};

}  // namespace thalweg::field
