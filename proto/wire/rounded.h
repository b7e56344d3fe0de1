// Bounds in the words of errors.
#pragma once

#include <string>

namespace thalweg::wire {

// A bound with max four significant digits; whole numbers are shown in full below 10^15. It is
// rounded to the inner side, so that a value that is read off the text is accepted: down for a
// max, up for a min.
std::string MaxText(double max);
std::string MinText(double min);

}  // namespace thalweg::wire
