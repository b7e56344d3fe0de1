#include "server/metrics/metrics_text.h"

#include <prometheus/text_serializer.h>

#include <algorithm>
#include <iterator>

#include "server/metrics/families.h"

namespace thalweg::metrics {

std::string TextOf(const Collectables& collectables) {
  Families all;
  for (const auto& collectable : collectables) {
    Families some = collectable->Collect();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return prometheus::TextSerializer().Serialize(all);
}

}  // namespace thalweg::metrics
