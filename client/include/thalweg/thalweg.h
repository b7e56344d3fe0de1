/* SPDX-License-Identifier: Apache-2.0 */

/* The plain C interface of libthalweg, for engines and for other languages.
 *
 *   thalweg_client* client = NULL;
 *   thalweg_view* view = NULL;
 *   if (thalweg_client_open("127.0.0.1:7070", &client) != THALWEG_OK ||
 *       thalweg_view_open(client, "alpine", NULL, &view) != THALWEG_OK) {
 *     fprintf(stderr, "%s\n", thalweg_error());
 *   }
 *   while (running) {
 *     const thalweg_changes* changes;
 *     thalweg_view_set_camera(view, &camera);
 *     thalweg_view_update(view, &changes);
 *     ... remove, replace and add meshes as it says, then draw ...
 *   }
 *   thalweg_view_close(view);
 *   thalweg_client_close(client);
 *
 * Functions that can fail return a thalweg_status; thalweg_error() tells why the last one did, on
 * the thread that called it. Handles may be used from any thread, except that thalweg_view_update
 * and what reads its result belong to one thread at a time. Nothing is called back. Structs begin
 * as thalweg_*_init makes them, or with their own size: fields are only ever added at their end,
 * and in a new major version where there is no size. */
/* NOLINTBEGIN: this is C. */
#ifndef THALWEG_THALWEG_H_
#define THALWEG_THALWEG_H_

#include <stddef.h>
#include <stdint.h>

#include "thalweg/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Vertices on a side of a tile, and their number. */
#define THALWEG_TILE_VERTICES 257
#define THALWEG_TILE_VALUES (257 * 257)

/* The canonical codes, as gRPC has them. */
typedef enum thalweg_status {
  THALWEG_OK = 0,
  THALWEG_CANCELLED = 1,
  THALWEG_UNKNOWN = 2,
  THALWEG_INVALID_ARGUMENT = 3,
  THALWEG_DEADLINE_EXCEEDED = 4,
  THALWEG_NOT_FOUND = 5,
  THALWEG_PERMISSION_DENIED = 7,
  THALWEG_RESOURCE_EXHAUSTED = 8,
  THALWEG_FAILED_PRECONDITION = 9,
  THALWEG_OUT_OF_RANGE = 11,
  THALWEG_UNIMPLEMENTED = 12,
  THALWEG_INTERNAL = 13,
  THALWEG_UNAVAILABLE = 14,
  THALWEG_DATA_LOSS = 15,
  THALWEG_UNAUTHENTICATED = 16
} thalweg_status;

/* Why the last function on this thread failed, as one line; empty if it did not. Valid until the
 * next one. */
THALWEG_API const char* thalweg_error(void);

/* "0.1.0" */
THALWEG_API const char* thalweg_version(void);

typedef struct thalweg_client thalweg_client;
typedef struct thalweg_view thalweg_view;

/* Connects to HOST:PORT: not encrypted, without a token. */
THALWEG_API thalweg_status thalweg_client_open(const char* address, thalweg_client** client);

/* How to connect and how long to wait: see ClientOptions of client.h and TlsOptions of tls.h. All
 * that is 0 or NULL is the default, so that nothing else needs to be set:
 *
 *   thalweg_client_options options = {.size = sizeof options};
 *   options.root_certificates = pem;
 *   options.token = getenv("THALWEG_TOKEN");
 *
 * Texts are copied. The size tells which fields there are: programs go on with newer libraries. */
typedef struct thalweg_client_options {
  /* sizeof(thalweg_client_options) */
  size_t size;
  /* Not 0: the connection is encrypted. The next four fields imply it. */
  int32_t tls;
  /* May a token travel unencrypted to another machine? Not 0: yes. */
  int32_t token_in_clear;
  /* PEM texts, not paths: what the server's certificate must come from (NULL: the system's roots),
   * and this client's own certificate and key, for servers that ask for one. */
  const char* root_certificates;
  const char* certificate;
  const char* key;
  /* The name in the server's certificate; NULL: the address's host. */
  const char* server_name;
  /* Shown with every call; NULL: none. */
  const char* token;
  /* How long to wait for a server (2 s), for the answer to a call (60 s), and for the next message
   * of a stream or session (120 s). */
  uint32_t connect_timeout_ms;
  uint32_t call_timeout_ms;
  uint32_t stream_timeout_ms;
  /* How long a server that is used up may ask to wait (60 s). */
  uint32_t max_retry_delay_ms;
  /* How often a call is made at most while the server is UNAVAILABLE (5). */
  int32_t max_attempts;
} thalweg_client_options;

/* Connects to HOST:PORT as the options say; NULL is the defaults. INVALID_ARGUMENT if they
 * contradict each other, UNAVAILABLE if nothing answers in time or either side does not believe the
 * other's certificate. A wrong token is UNAUTHENTICATED at the first call. */
THALWEG_API thalweg_status thalweg_client_open_with(const char* address,
                                                    const thalweg_client_options* options,
                                                    thalweg_client** client);

/* Its views stay usable. NULL is ignored. */
THALWEG_API void thalweg_client_close(thalweg_client* client);

/* The exact height of the ground at `count` points, in 1/65,536 m, into `heights`: bilinear between
 * the level's vertices. `east_south_m` holds the points' eastings and southings by turns. */
THALWEG_API thalweg_status thalweg_client_sample_heights(thalweg_client* client, const char* world,
                                                         int32_t level, const double* east_south_m,
                                                         size_t count, int32_t* heights);

/* The same on a planet: `lat_long_deg` holds the points' latitudes and longitudes by turns. */
THALWEG_API thalweg_status thalweg_client_sample_planet_heights(thalweg_client* client,
                                                                const char* world, int32_t level,
                                                                const double* lat_long_deg,
                                                                size_t count, int32_t* heights);

typedef struct thalweg_vector {
  double east;
  double south;
  double up;
} thalweg_vector;

/* See Camera of camera.h. */
typedef struct thalweg_camera {
  thalweg_vector position_m;
  thalweg_vector velocity_m_s;
  thalweg_vector direction;
  double vertical_fov_deg;
  double aspect;
  double tolerated_error_px;
  double range_m;
  int32_t viewport_height_px;
} thalweg_camera;

/* Its defaults: at the origin, looking north, 60 degrees, 1,080 pixels, 60 km. */
THALWEG_API void thalweg_camera_init(thalweg_camera* camera);

/* See TerrainViewOptions of terrain_view.h. */
typedef struct thalweg_view_options {
  uint64_t memory_bytes;
  /* NULL: nothing is kept on disk. */
  const char* cache_folder;
  uint64_t cache_bytes;
  double lookahead_s;
  uint64_t credit_bytes;
  uint32_t credit_tiles;
} thalweg_view_options;

THALWEG_API void thalweg_view_options_init(thalweg_view_options* options);

/* Begins to keep a camera's terrain of a world at hand. NULL options are the defaults. */
THALWEG_API thalweg_status thalweg_view_open(thalweg_client* client, const char* world,
                                             const thalweg_view_options* options,
                                             thalweg_view** view);

THALWEG_API void thalweg_view_close(thalweg_view* view);

THALWEG_API thalweg_status thalweg_view_set_camera(thalweg_view* view,
                                                   const thalweg_camera* camera);

/* Of the planet that the world is, in metres; 0: it is a plane. */
THALWEG_API double thalweg_view_radius(thalweg_view* view);

/* A point or a direction in space around a planet; see planet.h. */
typedef struct thalweg_space_vector {
  double x;
  double y;
  double z;
} thalweg_space_vector;

/* See SpacePose of camera.h. */
typedef struct thalweg_space_pose {
  thalweg_space_vector position_m;
  thalweg_space_vector velocity_m_s;
  thalweg_space_vector direction;
} thalweg_space_pose;

/* Over a planet: the pose in place of the camera's position, velocity and direction. */
THALWEG_API thalweg_status thalweg_view_set_space_camera(thalweg_view* view,
                                                         const thalweg_camera* camera,
                                                         const thalweg_space_pose* pose);

typedef struct thalweg_tile_key {
  /* The face of the surface: 0 to 5 on a planet; a plane has face 0 only. */
  int32_t face;
  int32_t level;
  int64_t x;
  int64_t y;
} thalweg_tile_key;

typedef struct thalweg_tile {
  thalweg_tile_key key;
  /* The spacing of its vertices; the first is at east = x * 256 * cell_size_m. On a planet the
   * mean, and thalweg_planet_tile_vertices tells where they are. */
  double cell_size_m;
  /* 257 x 257 heights in 1/65,536 m, rows from north to south, as the level has them. Valid as long
   * as the tile is drawn and until the update after that. */
  const int32_t* heights;
  int32_t min_height;
  int32_t max_height;
  /* By how much it strays from its parent at most, in 1/65,536 m: as deep a skirt hides its edges.
   */
  uint32_t geometric_error;
  /* Bit n: side n (north-west, north, north-east, west, east, south-west, south, south-east) meets
   * a tile one level coarser. thalweg_view_stitched_heights follows it there. */
  uint32_t coarser_sides;
} thalweg_tile;

/* What a tile takes the place of. */
typedef enum thalweg_reason {
  /* Ground not drawn before, or drawn no more. */
  THALWEG_RANGE = 0,
  /* Finer tiles in the place of one coarser: all in the same update. */
  THALWEG_REFINED = 1,
  /* One coarser tile in the place of finer ones. */
  THALWEG_COARSENED = 2
} thalweg_reason;

typedef struct thalweg_added_tile {
  thalweg_tile tile;
  thalweg_reason reason;
} thalweg_added_tile;

typedef struct thalweg_removed_tile {
  thalweg_tile_key key;
  thalweg_reason reason;
} thalweg_removed_tile;

/* All of it belongs to one frame. */
typedef struct thalweg_changes {
  const thalweg_removed_tile* removed;
  size_t removed_count;
  const thalweg_added_tile* added;
  size_t added_count;
  /* Tiles that stay and whose borders must be stitched anew. */
  const thalweg_tile* restitched;
  size_t restitched_count;
  /* All tiles to draw, with the added ones. */
  const thalweg_tile* drawn;
  size_t drawn_count;
  /* Whether all ground within range is covered, and whether nothing is coarser than wanted. */
  int32_t complete;
  int32_t finest;
} thalweg_changes;

/* Goes on to the newest set. What it gives is the view's and valid until the next update. */
THALWEG_API thalweg_status thalweg_view_update(thalweg_view* view, const thalweg_changes** changes);

/* Waits for something new for so long at most; 1 if there is. */
THALWEG_API int32_t thalweg_view_wait(thalweg_view* view, uint32_t timeout_ms);

/* The heights of a drawn tile, its border made to follow coarser neighbours, into 257 x 257 places.
 * NOT_FOUND if it is not drawn. */
THALWEG_API thalweg_status thalweg_view_stitched_heights(thalweg_view* view,
                                                         const thalweg_tile_key* key,
                                                         int32_t* heights);

/* The height of the ground in metres, on the finest tile at hand. NOT_FOUND where none is. */
THALWEG_API thalweg_status thalweg_view_height_at(thalweg_view* view, double east_m, double south_m,
                                                  double* height_m);

/* The same on a planet. */
THALWEG_API thalweg_status thalweg_view_planet_height_at(thalweg_view* view, double latitude_deg,
                                                         double longitude_deg, double* height_m);

/* Where a ray first meets the ground of a plane; NOT_FOUND if it does not. */
THALWEG_API thalweg_status thalweg_view_cast_ray(thalweg_view* view, const thalweg_vector* origin_m,
                                                 const thalweg_vector* direction,
                                                 double max_distance_m, thalweg_vector* hit_m);

/* The same over a planet, in metres from its middle. */
THALWEG_API thalweg_status thalweg_view_cast_space_ray(thalweg_view* view,
                                                       const thalweg_space_vector* origin_m,
                                                       const thalweg_space_vector* direction,
                                                       double max_distance_m,
                                                       thalweg_space_vector* hit_m);

/* The point over a place, so many metres from a planet's middle, and the place that a point is
 * over. */
THALWEG_API void thalweg_planet_point(double latitude_deg, double longitude_deg,
                                      double from_middle_m, thalweg_space_vector* point_m);
THALWEG_API void thalweg_planet_place(const thalweg_space_vector* point_m, double* latitude_deg,
                                      double* longitude_deg);

/* Directions at a point, of length 1. */
THALWEG_API void thalweg_planet_compass(const thalweg_space_vector* point_m,
                                        thalweg_space_vector* up, thalweg_space_vector* north,
                                        thalweg_space_vector* east);

/* Where the vertices of a planet's tile are, from its 257 x 257 heights: the tile's origin in
 * space, and 257 x 257 x 3 floats each of positions from there, of what is up, and of normals. See
 * TileVertices of planet.h. Any of the last three may be NULL. OUT_OF_RANGE if no planet has the
 * tile. */
THALWEG_API thalweg_status thalweg_planet_tile_vertices(const thalweg_tile_key* key,
                                                        double radius_m, const int32_t* heights,
                                                        thalweg_space_vector* origin_m,
                                                        float* positions_m, float* ups,
                                                        float* normals);

/* See TerrainStatistics of terrain_view.h. */
typedef struct thalweg_statistics {
  int32_t connected;
  uint64_t reconnects;
  uint64_t tiles_received;
  uint64_t wire_bytes;
  uint64_t tiles_unchanged;
  uint64_t tiles_failed;
  uint64_t disk_reads;
  uint64_t disk_writes;
  uint64_t disk_corrupt;
  uint64_t tiles_in_memory;
  uint64_t memory_bytes;
  uint64_t tiles_wanted;
  uint64_t tiles_missing;
  double tolerance_scale;
  /* Tiles that the camera's picture has come to need, and how many of them were there already. */
  uint64_t tiles_needed;
  uint64_t tiles_in_time;
} thalweg_statistics;

THALWEG_API void thalweg_view_statistics(thalweg_view* view, thalweg_statistics* statistics);

/* OK while the view is connected or tries to be; otherwise why it gave up. */
THALWEG_API thalweg_status thalweg_view_status(thalweg_view* view);

#ifdef __cplusplus
}
#endif

#endif /* THALWEG_THALWEG_H_ */
/* NOLINTEND */
