#include "server/field/block_graph.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

namespace thalweg::field {

std::int64_t Batch::Cells() const {
  std::int64_t cells = 0;
  for (std::size_t i = 0; i < blocks.size(); i += BlocksAJob()) {
    cells += plan->CellsOf(blocks[i], quads);
  }
  return cells;
}

bool BlockGraph::Earlier::operator()(const Node* a, const Node* b) const {
  const auto place = [](const Node& node) {
    return std::tuple(node.rank.priority, node.rank.start / sharing::kCellsARound,
                      node.id.key.level, node.sequence);
  };
  return place(*a) < place(*b);
}

BlockPtr BlockGraph::Add(RequestId request, const Demand& demand) {
  const BlockId id{demand.plan->world->id(), demand.block};
  BlockPtr kept = store_->Find(id);
  const bool has_all = kept != nullptr && kept->layers().Contains(demand.layers);
  std::int64_t cells = 0;
  Node* node = has_all ? nullptr : Find(id);
  if (!has_all && node == nullptr) node = Create(id, demand.plan, &cells);
  if (demand.meter) demand.meter(cells);
  if (has_all) return kept;
  // A run that has begun keeps its layers; Finish plans another one for the rest.
  if (!node->running) {
    node->layers = node->layers | demand.layers;
    if (kept != nullptr) node->layers = node->layers | kept->layers();
  }
  node->requests.insert(request);
  waiters_.emplace(request,
                   Waiter{demand, {demand.priority, rounds_.StartOf(demand.client, cells)}, node});
  UpdateRank(node);
  return nullptr;
}

std::size_t BlockGraph::Remove(RequestId request) {
  const auto waiter = waiters_.find(request);
  Node* node = waiter->second.node;
  node->requests.erase(request);
  Forget(waiter);
  return Prune(node);
}

void BlockGraph::Raise(RequestId request, Priority priority) {
  Waiter& waiter = waiters_.at(request);
  waiter.demand.priority = waiter.rank.priority = priority;
  UpdateRank(waiter.node);
}

BlockGraph::Rank BlockGraph::RankOf(const Batch& batch) const {
  Rank best = kLastRank;
  for (const world::BlockKey& key : batch.blocks) {
    best = std::min(best, Find(BlockId{batch.plan->world->id(), key})->rank);
  }
  return best;
}

BlockGraph::Node* BlockGraph::First(const Which& which) const {
  const auto round_of = [](const Rank& of) {
    return std::tuple(of.priority, of.start / sharing::kCellsARound);
  };
  for (Node* const node : ready_) {
    // Within a round nodes are not in the order of their ranks.
    if (round_of(node->rank) > round_of(which.before)) break;
    if (node->rank < which.before && node->cells <= which.max_cells) return node;
  }
  return nullptr;
}

Batch BlockGraph::Take(const MaxBatch& max_batch, const Which& which) {
  Node* const first = First(which);
  rounds_.Serve(first->rank.start);
  Batch batch{first->plan, first->id.key.level, first->layers, {}, {}};
  batch.quads = QuadOf(*first).has_value();
  int limit = max_batch(batch);
  const bool alone = batch.quads && limit < 1;
  if (alone) {
    batch.quads = false;
    limit = max_batch(batch);
  }
  // A quad's siblings may be anywhere in the queue; starting the quad removes them from it.
  std::vector<Node*> candidates = {first};
  candidates.insert(candidates.end(), ready_.begin(), ready_.end());
  for (int windows = 0; Node* const node : candidates) {
    if (windows >= std::max(limit, 1)) break;
    if (node->rank.priority != first->rank.priority) break;
    if (node->running || !GoWith(*node, *first)) continue;
    const std::optional<Quad> quad = alone ? std::nullopt : QuadOf(*node);
    if (quad.has_value() != batch.quads) continue;
    const int more = node->plan->WindowsOf(node->id.key, batch.quads);
    // The first block or quad is taken even if it exceeds the limit.
    if (windows > 0 && windows + more > limit) break;
    windows += more;
    if (quad) {
      for (Node* const sibling : *quad) Start(sibling, batch);
    } else {
      Start(node, batch);
    }
  }
  return batch;
}

void BlockGraph::Start(Node* node, Batch& batch) {
  ready_.erase(node);
  node->running = true;
  ++running_;
  batch.blocks.push_back(node->id.key);
  batch.parents.push_back(node->parent_block);
}

bool BlockGraph::GoWith(const Node& a, const Node& b) {
  const auto parent_cells = [](const Node& node) {
    return node.parent_block == nullptr ? 0 : node.parent_block->shape().block_cells;
  };
  return a.rank.priority == b.rank.priority && a.id.key.level == b.id.key.level &&
         a.id.world == b.id.world && a.layers == b.layers && parent_cells(a) == parent_cells(b);
}

std::optional<BlockGraph::Quad> BlockGraph::QuadOf(const Node& node) const {
  if (node.plan->quad_shapes.empty()) return std::nullopt;
  Quad quad{};
  for (std::size_t n = 0; n < quad.size(); ++n) {
    BlockId id = node.id;
    id.key.x = (id.key.x & ~std::int64_t{1}) + static_cast<std::int64_t>(n % 2);
    id.key.y = (id.key.y & ~std::int64_t{1}) + static_cast<std::int64_t>(n / 2);
    quad[n] = Find(id);
    if (quad[n] == nullptr || !quad[n]->IsReady() || !GoWith(*quad[n], node)) return std::nullopt;
  }
  return quad;
}

std::vector<BlockGraph::Answer> BlockGraph::Finish(const Batch& batch,
                                                   const std::vector<BlockPtr>& results) {
  std::vector<Answer> answers;
  std::vector<std::pair<RequestId, Demand>> unsatisfied;
  Keep(batch, results);
  const std::size_t together = batch.BlocksAJob();
  for (std::size_t i = 0; i < batch.blocks.size(); ++i) {
    const BlockId id{batch.plan->world->id(), batch.blocks[i]};
    const BlockPtr& result = results[i / together];
    Node* node = Find(id);
    for (Node* child : node->children) {
      child->parent = nullptr;
      child->parent_block = result;
      ready_.insert(child);
    }
    for (const RequestId request : node->requests) {
      const auto waiter = waiters_.find(request);
      if (result->layers().Contains(waiter->second.demand.layers)) {
        answers.push_back({request, result});
      } else {
        unsatisfied.emplace_back(request, waiter->second.demand);
      }
      Forget(waiter);
    }
    Erase(node);
  }
  for (const auto& [request, demand] : unsatisfied) Add(request, demand);
  return answers;
}

void BlockGraph::Keep(const Batch& batch, const std::vector<BlockPtr>& results) {
  const std::size_t together = batch.BlocksAJob();
  for (std::size_t i = 0; i < batch.blocks.size(); i += together) {
    std::vector<BlockId> ids;
    for (std::size_t n = i; n < i + together; ++n) {
      ids.push_back({batch.plan->world->id(), batch.blocks[n]});
    }
    store_->Insert(std::move(ids), results[i / together]);
  }
}

std::vector<BlockGraph::RequestId> BlockGraph::Fail(const Batch& batch) {
  std::vector<RequestId> requests;
  for (const world::BlockKey& key : batch.blocks) {
    FailSubtree(Find(BlockId{batch.plan->world->id(), key}), &requests);
  }
  return requests;
}

void BlockGraph::Clear() {
  ready_.clear();
  while (!waiters_.empty()) Forget(waiters_.begin());
  nodes_.clear();
  running_ = 0;
}

BlockGraph::Node* BlockGraph::Find(const BlockId& id) const {
  const auto found = nodes_.find(id);
  return found == nodes_.end() ? nullptr : found->second.get();
}

BlockGraph::Node* BlockGraph::Create(const BlockId& id,
                                     const std::shared_ptr<const WorldPlan>& plan,
                                     std::int64_t* cells) {
  auto owned = std::make_unique<Node>();
  Node* node = owned.get();
  node->id = id;
  node->plan = plan;
  node->sequence = next_sequence_++;
  node->cells = plan->CellsOf(id.key);
  *cells += node->cells;
  nodes_.emplace(id, std::move(owned));
  if (id.key.level > 0) {
    const BlockId parent_id{id.world, plan->ParentOf(id.key)};
    node->parent_block = store_->Find(parent_id);
    if (node->parent_block == nullptr) {
      node->parent = Find(parent_id);
      if (node->parent == nullptr) node->parent = Create(parent_id, plan, cells);
      node->parent->children.insert(node);
    }
  }
  if (node->IsReady()) ready_.insert(node);
  return node;
}

void BlockGraph::UpdateRank(Node* node) {
  for (; node != nullptr; node = node->parent) {
    Rank best = kLastRank;
    for (const RequestId request : node->requests) {
      best = std::min(best, waiters_.at(request).rank);
    }
    for (const Node* child : node->children) best = std::min(best, child->rank);
    if (best == node->rank) return;
    SetRank(node, best);
  }
}

void BlockGraph::SetRank(Node* node, const Rank& rank) {
  // The queue is ordered by rank.
  if (node->IsReady()) ready_.erase(node);
  node->rank = rank;
  if (node->IsReady()) ready_.insert(node);
}

std::size_t BlockGraph::Prune(Node* node) {
  std::size_t dropped = 0;
  while (node != nullptr && !node->running && node->requests.empty() && node->children.empty()) {
    Node* parent = node->parent;
    Erase(node);
    ++dropped;
    node = parent;
  }
  UpdateRank(node);
  return dropped;
}

void BlockGraph::FailSubtree(Node* node, std::vector<RequestId>* requests) {
  // Erasing a child changes the set of its parent's children.
  const std::vector<Node*> children(node->children.begin(), node->children.end());
  for (Node* child : children) FailSubtree(child, requests);
  for (const RequestId request : node->requests) {
    requests->push_back(request);
    Forget(waiters_.find(request));
  }
  Erase(node);
}

void BlockGraph::Forget(Waiters::iterator waiter) {
  rounds_.Leave(waiter->second.demand.client);
  waiters_.erase(waiter);
}

void BlockGraph::Erase(Node* node) {
  if (node->running) {
    --running_;
  } else if (node->IsReady()) {
    ready_.erase(node);
  }
  if (node->parent != nullptr) node->parent->children.erase(node);
  nodes_.erase(nodes_.find(node->id));
}

}  // namespace thalweg::field
