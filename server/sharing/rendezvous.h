// Rendezvous hashing (Thaler & Ravishankar 1998): which of several nodes a key belongs to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace thalweg::sharing {

// The indices of the nodes, the key's first choice first. A node that comes or goes does not change
// the order of the others, so only the keys move whose first choice it is. The key and the nodes
// are hashes; the nodes differ from each other. Equal hashes give every process the same order.
inline std::vector<std::size_t> RendezvousOrder(std::uint64_t key,
                                                std::span<const std::uint64_t> nodes) {
  // SplitMix64's output function (Steele, Lea & Flood 2014): each bit of the number affects each
  // bit of the result.
  const auto weight = [key, nodes](std::size_t node) {
    std::uint64_t number = key + nodes[node];
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
    number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
    return number ^ (number >> 31);
  };
  std::vector<std::size_t> order(nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&weight](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
  return order;
}

}  // namespace thalweg::sharing
