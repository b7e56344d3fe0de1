#include "server/backend/parts.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace thalweg::backend {
std::vector<std::vector<Segment>> InParts(std::vector<Segment> segments, int parts) {
  if (parts <= 1) return {std::move(segments)};
  double cost = 0;
  for (const Segment& segment : segments) {
    for (const Dispatch& dispatch : segment.dispatches) cost += dispatch.Cost();
  }
  const double share = cost / parts;
  std::vector<std::vector<Segment>> cut(1);
  double left = share;  // of the part that is filled now
  for (Segment& segment : segments) {
    bool continues = segment.continues;
    bool begun = false;
    for (Dispatch& rest : segment.dispatches) {
      while (rest.rows > 0) {
        if (left <= 0 && cut.size() < static_cast<std::size_t>(parts)) {
          cut.emplace_back();
          begun = false;
          left += share;
        }
        if (!begun) cut.back().push_back({segment.stage, {}, std::exchange(continues, true)});
        begun = true;
        const double a_row = rest.Cost() / rest.rows;
        const bool is_last = cut.size() == static_cast<std::size_t>(parts);
        const double rows = is_last || a_row <= 0 ? rest.rows : std::ceil(left / a_row);
        const Dispatch taken =
            rest.TakeRows(static_cast<int>(std::clamp<double>(rows, 1, rest.rows)));
        left -= taken.Cost();
        cut.back().back().dispatches.push_back(taken);
      }
    }
  }
  return cut;
}

}  // namespace thalweg::backend
