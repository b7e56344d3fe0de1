// A suggestion for a name that nobody knows.
#pragma once

#include <string>
#include <vector>

namespace thalweg::wire {

// "; did you mean 'sea_level_m'?" with the known name that is nearest to a wrong one: by its
// inserted, lost, wrong and exchanged letters, whatever their case. Empty if none is near.
std::string DidYouMean(const std::string& wrong, const std::vector<std::string>& known);

}  // namespace thalweg::wire
