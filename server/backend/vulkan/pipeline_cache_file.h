// A driver's compiled kernels, kept on disk between runs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace thalweg::backend::vulkan {

// Where the cache of a device lies by default: $XDG_CACHE_HOME/thalweg/pipelines-<id>.bin, or under
// $HOME/.cache. Empty if neither is set.
std::string DefaultCachePath(std::string_view device_id);

// The saved cache; empty if the file is missing or damaged. A driver must only get a cache that it
// made, so the file has a checksum.
std::vector<std::byte> LoadCache(const std::string& path);

// Replaces the file atomically; makes its folders.
absl::Status SaveCache(const std::string& path, std::span<const std::byte> data);

}  // namespace thalweg::backend::vulkan
