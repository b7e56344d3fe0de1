// Worlds that the server made because somebody at this page asked for them; a link makes none by itself.
import {World, WorldSpec, createWorld, findWorld} from './world';

// What decides a terrain, in one order.
function terrainText(spec: WorldSpec): string {
  const {name, description, ...terrain} = spec;
  return JSON.stringify(terrain, (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1))
      : value);
}

export class MadeWorlds {
  private readonly ids = new Set<string>();

  // The world of a specification, if the server has it.
  async find(spec: WorldSpec): Promise<World | undefined> {
    const known = await findWorld(spec.name);
    // Anybody may have taken the name for another terrain.
    return known && terrainText(known.spec) === terrainText(spec) ? known : undefined;
  }

  // Has it made. From now on it may be made again without another question.
  async create(spec: WorldSpec): Promise<World> {
    const world = await createWorld(spec);
    this.ids.add(world.id);
    return world;
  }

  // Whether the server made it for this page.
  has(world: World): boolean {
    return this.ids.has(world.id);
  }
}
