// The lowest and the highest of the eight heights around a vertex. h: its index in `height`.
ivec2 extremesAround(int h) {
  int north = h - pass.stride;
  int south = h + pass.stride;
  int a = height[north - 1];
  int b = height[north];
  int c = height[north + 1];
  int d = height[h - 1];
  int e = height[h + 1];
  int f = height[south - 1];
  int g = height[south];
  int k = height[south + 1];
  return ivec2(min(min(min(a, b), min(c, d)), min(min(e, f), min(g, k))),
               max(max(max(a, b), max(c, d)), max(max(e, f), max(g, k))));
}
