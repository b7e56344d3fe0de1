// Sums the statistics of several devices.
#pragma once

#include "server/field/field.h"

namespace thalweg::field {

// Adds the statistics of a device to a sum.
void AddStats(const FieldStats& one, FieldStats& sum);

}  // namespace thalweg::field
