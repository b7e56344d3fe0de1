// What can be drawn of a selection with the loaded tiles: proto/geometry/drawable.h.
import type {Selection} from './selection';
import type {Surface} from './surface';
import {TileKey, ancestorOf, childrenOf, compareKeys, nameOf, parentOf} from './tile_key';

export interface Drawable {
  // The tiles to draw, coarse before fine. They don't overlap, and cover every loaded level-0 tile
  // of the selection. Tiles that touch differ by at most one level.
  readonly tiles: readonly TileKey[];
  // Whether all of the selection's level-0 tiles are loaded.
  readonly complete: boolean;
  // Whether the selection itself is drawn: nothing is coarser than wanted.
  readonly finest: boolean;
}

// Returns what can be drawn. Children replace their parent only together, and only if no tile that touches them
// would then be two levels coarser. Depends only on the arguments.
export function drawableOf(
  selection: Selection, surface: Surface, isLoaded: (name: string) => boolean): Drawable {
  // Tiles that are drawn themselves or through their children.
  const present = new Map<string, {key: TileKey; split: boolean}>();
  const roots = selection.tiles.filter((tile) => tile.key.level === 0);
  let level: TileKey[] = [];
  for (const root of roots) {
    if (!isLoaded(root.name)) continue;
    level.push(root.key);
    present.set(root.name, {key: root.key, split: false});
  }
  const complete = roots.length > 0 && level.length === roots.length;
  let finest = complete;

  const canSplit = (key: TileKey): boolean => {
    if (!selection.byName.get(nameOf(key))?.split) return false;
    const can = childrenOf(key).every((child) => isLoaded(nameOf(child))) &&
      surface.touchingOf(key).every((other) =>
        present.has(nameOf(other)) || !present.has(nameOf(ancestorOf(other, 0))));
    if (!can) finest = false;
    return can;
  };
  // Level by level, so that the tiles that touch a tile are split before it.
  while (level.length > 0) {
    const next = level.filter(canSplit).flatMap(childrenOf);
    for (const child of next) present.set(nameOf(child), {key: child, split: false});
    for (const child of next) present.get(nameOf(parentOf(child)))!.split = true;
    level = next;
  }
  const tiles = [...present.values()].filter(({split}) => !split).map(({key}) => key);
  return {tiles: tiles.sort(compareKeys), complete, finest};
}
