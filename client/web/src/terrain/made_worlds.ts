// Worlds that the server made at the user's request. Opening a link does not make a world.
import {World, WorldSpec, createWorld, findWorld} from './world';

// Returns the parts of a specification that decide the terrain, in a fixed order.
function terrainText(spec: WorldSpec): string {
  const {name, description, ...terrain} = spec;
  return JSON.stringify(terrain, (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1))
      : value);
}

export class MadeWorlds {
  private readonly ids = new Set<string>();

  // Returns the world of a specification, if the server has it.
  async find(spec: WorldSpec): Promise<World | undefined> {
    const known = await findWorld(spec.name);
    // Another caller may have used the name for other terrain.
    return known && terrainText(known.spec) === terrainText(spec) ? known : undefined;
  }

  // Asks the server to make the world. Later it may be made again without asking the user.
  async create(spec: WorldSpec): Promise<World> {
    const world = await createWorld(spec);
    this.ids.add(world.id);
    return world;
  }

  // Whether the server made the world for this page.
  has(world: World): boolean {
    return this.ids.has(world.id);
  }
}
