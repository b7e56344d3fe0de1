// Opens the worlds of links and of the panel, and asks the server to make removed worlds again.
import {changedSpec, changesText, realChanges} from '../state/parameters';
import {type ViewState, defaultState} from '../state/view_state';
import {MadeWorlds} from '../terrain/made_worlds';
import {ServerError, World, findWorld, getWorld} from '../terrain/world';
import {proposeWorld} from '../ui/dialogs';

const minBetweenRestoresMs = 5000;

export interface OpenOptions {
  // Whether the camera stays, or moves to the address's position.
  readonly keepsCamera: boolean;
  // Whether the user chose this world. A link may come from anywhere: the page asks first.
  readonly mayCreate: boolean;
}

// What the opener needs of the page.
export interface OpenerActions {
  // Shows the world of a state. Without an address the camera stays.
  show(world: World, state: ViewState, address: string | undefined): void;
  // The world is there, perhaps made again.
  restored(world: World): void;
  progress(text: string): void;
  failed(error: unknown, again: () => void): void;
  // Whether a world is on show.
  hasWorld(): boolean;
}

export class WorldOpener {
  private readonly made = new MadeWorlds();
  private opening = 0;
  private busy = false;
  private question: HTMLDialogElement | undefined;
  // The ids of worlds that the user does not want the server to make again.
  private readonly declined = new Set<string>();
  private restoring = false;
  private lastRestore = -Infinity;

  constructor(private readonly actions: OpenerActions) {}

  // While this is true, the address belongs to the next world and must not be replaced.
  get isOpening(): boolean {
    return this.busy;
  }

  async open(next: ViewState, options: OpenOptions, address = location.hash): Promise<void> {
    const opening = ++this.opening;
    const isCurrent = (): boolean => opening === this.opening;
    let origin: World | undefined;
    this.busy = true;
    this.question?.close();
    this.actions.progress('Opening…');
    try {
      const changes = realChanges(next.changes);
      origin = await getWorld(next.world);
      const world = await this.worldOf(origin, changes, options.mayCreate);
      if (!isCurrent()) return;
      if (!world) {
        this.ask(next.world, changesText(changes), isCurrent, (create) => void this.open(
          create ? next : {...next, changes: {}}, {...options, mayCreate: create}, address));
        return;
      }
      this.actions.show(world, {...next, changes}, options.keepsCamera ? undefined : address);
      this.busy = false;
    } catch (error) {
      if (!isCurrent()) return;
      this.busy = false;
      this.showInstead(next, origin, error, address);
      this.actions.failed(error, () => void this.open(next, options, address));
    }
  }

  // An error must not leave an empty page: a world that may not be changed is shown as it is, and the default one takes
  // the place of one that the server does not have.
  private showInstead(next: ViewState, origin: World | undefined, error: unknown, address: string): void {
    if (this.actions.hasWorld()) return;
    if (origin) {
      this.actions.show(origin, {...next, changes: {}}, address);
      return;
    }
    const isMissing = error instanceof ServerError && error.status === 404;
    if (isMissing && next.world !== defaultState.world) {
      void this.open(defaultState, {keepsCamera: false, mayCreate: false}, '');
    }
  }

  // Undefined if the server would have to make the world without the user's consent.
  private worldOf(
    origin: World, changes: ViewState['changes'], mayCreate: boolean): Promise<World | undefined> {
    if (Object.keys(changes).length === 0) return Promise.resolve(origin);
    const spec = changedSpec(origin.spec, changes);
    return mayCreate ? this.made.create(spec) : this.made.find(spec);
  }

  // Call this when a tile is missing: the server may have removed the world to make room for new ones.
  async restore(world: World, mayCreate = this.made.has(world)): Promise<void> {
    if (this.restoring || this.busy || this.declined.has(world.id)) return;
    this.restoring = true;
    const opening = this.opening;
    const isCurrent = (): boolean => opening === this.opening;
    try {
      // Two pages must not keep replacing each other's worlds if the server has room for only one.
      const wait = this.lastRestore + minBetweenRestoresMs - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      this.lastRestore = performance.now();
      if (isCurrent()) await this.restoreNow(world, mayCreate, isCurrent);
    } catch (error) {
      if (isCurrent()) this.actions.failed(error, () => void this.restore(world, mayCreate));
    } finally {
      this.restoring = false;
    }
  }

  private async restoreNow(
    world: World, mayCreate: boolean, isCurrent: () => boolean): Promise<void> {
    const found = await findWorld(decodeURIComponent(world.address));
    if (!isCurrent()) return;
    if (!found && !mayCreate) {
      this.ask(world.spec.name, [], isCurrent, (create) => {
        if (create) void this.restore(world, true);
        else this.declined.add(world.id);
      });
      return;
    }
    const there = found ?? await this.made.create(world.spec);
    if (isCurrent()) this.actions.restored(there);
  }

  private ask(
    name: string, changes: readonly string[], isCurrent: () => boolean,
    onAnswer: (create: boolean) => void): void {
    if (this.question?.open) return;
    this.actions.progress('');
    this.question = proposeWorld(name, changes, (create) => {
      if (isCurrent()) onAnswer(create);
    });
  }
}
