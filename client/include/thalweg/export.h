/* SPDX-License-Identifier: Apache-2.0 */

/* What of the library can be seen from outside. For C and C++.
 *
 * A program that uses the shared library defines nothing. THALWEG_STATIC is for one that links a
 * static library, THALWEG_BUILDING for what builds the shared one; both matter on Windows only,
 * where a DLL exports what is marked so and programs import it. */
/* NOLINTBEGIN: this is C. */
#ifndef THALWEG_EXPORT_H_
#define THALWEG_EXPORT_H_

#ifndef THALWEG_API
#if defined(_WIN32) || defined(__CYGWIN__)
#if defined(THALWEG_STATIC)
#define THALWEG_API
#elif defined(THALWEG_BUILDING)
#define THALWEG_API __declspec(dllexport)
#else
#define THALWEG_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define THALWEG_API __attribute__((visibility("default")))
#else
#define THALWEG_API
#endif
#endif

/* What is part of a visible class and not itself to be seen. */
#if defined(__GNUC__) && !defined(_WIN32) && !defined(__CYGWIN__)
#define THALWEG_HIDDEN __attribute__((visibility("hidden")))
#else
#define THALWEG_HIDDEN
#endif

#endif /* THALWEG_EXPORT_H_ */
/* NOLINTEND */
