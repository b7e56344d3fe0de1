// The page: applies the address, the panel and the keys to the viewer.
import {datumOf} from '../datum/datum';
import {canShow} from '../render/ramps';
import {fragmentOf, parseFragment, parsePose, saysSun} from '../state/url';
import {LayerId, ViewState, planeSun, planetSun} from '../state/view_state';
import {ServerError, World, listWorlds, problemText, setToken} from '../terrain/world';
import {askToken, chooseWorld, showKeys} from '../ui/dialogs';
import {byId} from '../ui/elements';
import {showNotice, showProgress} from '../ui/notices';
import {Panel} from '../ui/panel';
import {ProfileTool} from '../ui/profile';
import {Readout} from '../ui/readout';
import {showStatistics} from '../ui/statistics';
import {Viewer} from '../viewer/viewer';
import {Address} from './address';
import {bindShortcuts} from './shortcuts';
import {WorldOpener} from './world_opener';

export class App {
  readonly viewer: Viewer;
  readonly panel: Panel;
  private state: ViewState;
  private readonly profile: ProfileTool;
  private readonly readout: Readout;
  private readonly opener = new WorldOpener({
    show: (world, state, address) => this.showWorld(world, state, address),
    restored: (world) => this.takeRestored(world),
    progress: showProgress,
    failed: (error, again) => this.failed(error, again),
    hasWorld: () => this.viewer.world !== undefined,
  });
  private readonly address = new Address(
    () => this.viewer.world && !this.opener.isOpening ? this.fragment() : undefined);

  constructor() {
    this.state = parseFragment(location.hash);
    const detail = new URLSearchParams(location.search).get('detail');
    this.viewer = new Viewer(byId('view'), detail === null ? undefined : Number(detail));
    this.panel = new Panel(byId('panel'), {
      setLook: (change) => this.change(change),
      setSeed: (seed) => this.setSeed(seed),
      setChange: (id, value) => this.openChosen(
        {...this.state, changes: {...this.state.changes, [id]: value}}),
      resetChanges: () => this.openChosen({...this.state, changes: {}}),
      toggleMode: () => this.toggleMode(),
      startProfile: () => this.startProfile(),
      screenshot: () => void this.screenshot(),
      copyLink: () => void this.copyLink(),
      showHelp: showKeys,
    });
    this.profile = new ProfileTool(byId('profile'), this.viewer);
    this.readout = new Readout(byId('readout'), byId('view'), this.viewer);
    this.bind();
    this.openLinked(this.state);
  }

  // Whether the picture is final, and the address matches it.
  get settled(): boolean {
    return this.viewer.settled && this.address.settled;
  }

  private bind(): void {
    const {viewer} = this;
    viewer.onFrame = () => {
      this.address.updateSoon();
      this.readout.update(this.state.layer);
    };
    viewer.onTap = (picked) => { if (this.profile.active) this.profile.take(picked.place); };
    viewer.onMissing = (world) => void this.opener.restore(world);
    viewer.onFirstGround = () => document.body.classList.add('ready');
    byId('view').addEventListener('pointermove', () => this.readout.update(this.state.layer));
    byId('worlds').addEventListener('click', () => void this.pickWorld());
    byId('toggle').addEventListener('click', () => this.togglePanel());
    if (matchMedia('(max-width: 700px)').matches) this.togglePanel();
    bindShortcuts({
      byKey: {
        m: () => this.toggleMode(),
        p: () => this.startProfile(),
        o: () => void this.pickWorld(),
        c: () => this.change({contours: this.state.contours === 0 ? 'auto' : 0}),
        h: () => this.goHome(),
        enter: () => this.takeMiddle(),
      },
      showHelp: showKeys,
      showLayer: (layer) => this.showLayer(layer),
      escape: () => this.escape(),
    });
    window.addEventListener('hashchange', () => this.onAddress());
    setInterval(() => this.tick(), 500);
  }

  // Returns the current state as a fragment for a link.
  private fragment(): string {
    const {picture, rig} = this.viewer;
    return fragmentOf({...this.state, ...picture.sunSeen, pose: rig.pose}, rig.datum);
  }

  private onAddress(): void {
    this.address.follow();
    const fragment = location.hash.slice(1);
    if (fragment === this.fragment()) return;
    const next = parseFragment(fragment);
    const same = next.world === this.state.world &&
      JSON.stringify(next.changes) === JSON.stringify(this.state.changes);
    if (!same) {
      this.openLinked(next);
      return;
    }
    const pose = parsePose(fragment, this.viewer.rig.datum);
    if (pose) this.viewer.jump(pose);
    const keepsSun = this.viewer.world?.spec.sphere && !saysSun(fragment);
    this.change(keepsSun ? {...next, ...this.viewer.picture.sunSeen} : next);
  }

  // Opens a world that the user chose. The camera stays.
  private openChosen(next: ViewState): void {
    void this.opener.open({...next, ...this.viewer.picture.sunSeen}, {keepsCamera: true, mayCreate: true});
  }

  // Opens the world of an address, which may be a link from anywhere.
  private openLinked(next: ViewState): void {
    void this.opener.open(next, {keepsCamera: false, mayCreate: false});
  }

  private showWorld(world: World, state: ViewState, address: string | undefined): void {
    this.state = state;
    const kept = address === undefined ? this.viewer.rig.pose : undefined;
    const wasPlanet = this.viewer.world?.spec.sphere !== undefined;
    this.viewer.open(world, kept ?? parsePose(address ?? '', datumOf(world.spec)));
    if (address !== undefined && !saysSun(address)) {
      if (world.spec.sphere) this.state = {...this.state, ...planetSun};
      else if (wasPlanet) this.state = {...this.state, ...planeSun};
    }
    byId('world-name').textContent = this.state.world +
      (Object.keys(this.state.changes).length > 0 ? ', changed' : '');
    document.title = `${this.state.world} · Thalweg`;
    if (!canShow(this.state.layer, world.layers)) this.state = {...this.state, layer: 'satellite'};
    this.applyLook();
  }

  // Another version of the server may make other terrain from the same specification.
  private takeRestored(world: World): void {
    if (world.id === this.viewer.world?.id) this.viewer.terrain?.retry();
    else this.openChosen(this.state);
  }

  private change(change: Partial<ViewState>): void {
    this.state = {...this.state, ...this.viewer.picture.sunSeen, ...change};
    this.applyLook();
  }

  private applyLook(): void {
    this.viewer.show(this.state);
    this.panel.show(this.state, this.viewer.world);
    this.address.updateSoon();
  }

  private setSeed(seed: string): void {
    const [name] = this.state.world.split('@');
    this.openChosen({...this.state, world: `${name}@${seed}`});
  }

  private toggleMode(): void {
    this.viewer.mode = this.viewer.mode === 'fly' ? 'orbit' : 'fly';
    document.body.classList.toggle('flying', this.viewer.mode === 'fly');
    this.panel.showMode(this.viewer.mode);
  }

  private togglePanel(): void {
    const hidden = byId('panel').toggleAttribute('hidden');
    byId('toggle').setAttribute('aria-expanded', String(!hidden));
    document.body.classList.toggle('wide', hidden);
  }

  private startProfile(): void {
    this.profile.start();
    byId('view').focus();
  }

  private async screenshot(): Promise<void> {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await this.viewer.screenshot());
    link.download = `${this.state.world.replace(/[^a-z0-9@-]/gi, '_')}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  private async copyLink(): Promise<void> {
    this.address.update();
    try {
      await navigator.clipboard.writeText(location.href);
      showNotice('The link was copied.');
    } catch {
      showNotice('The browser does not let this page copy: copy the address of the page, which is the link.');
    }
  }

  private async pickWorld(): Promise<void> {
    try {
      const [current] = this.state.world.split('@');
      chooseWorld(await listWorlds(), current!, (world) => {
        history.pushState(null, '', `#world=${encodeURIComponent(world)}`);
        this.openLinked({...this.state, world, changes: {}});
        byId('view').focus();
      });
    } catch (error) {
      this.failed(error, () => void this.pickWorld());
    }
  }

  private showLayer(layer: LayerId): void {
    const {world} = this.viewer;
    if (!world || canShow(layer, world.layers)) this.change({layer});
  }

  private goHome(): void {
    const {world} = this.viewer;
    if (world) this.viewer.jump(this.viewer.startOf(world).pose);
  }

  private takeMiddle(): void {
    const picked = this.profile.active ? this.viewer.picker.pickMiddle() : undefined;
    if (picked) this.profile.take(picked.place);
  }

  private escape(): void {
    if (!byId('profile').hidden) this.profile.stop();
    byId('view').focus();
  }

  // Twice a second: updates that need no frame.
  private tick(): void {
    const {terrain} = this.viewer;
    if (!terrain) return;
    const waiting = terrain.loader.queued + terrain.loader.inFlight;
    const problem = terrain.loader.problem;
    const tiles = waiting === 1 ? '1 tile' : `${waiting} tiles`;
    showProgress(problem ? `Waiting: ${problem}` : waiting > 0 ? `Loading ${tiles}` : '');
    // Over a planet the camera moves under the sun.
    if (this.viewer.world?.spec.sphere) this.panel.showSun(this.viewer.picture.sunSeen);
    if (this.panel.statisticsSection.open) showStatistics(this.panel.statistics, this.viewer);
    if (waiting > 0) this.profile.draw();
  }

  // Shows an error. If a token is missing, asks for one and tries again.
  private failed(error: unknown, again: () => void): void {
    showProgress('');
    if (error instanceof ServerError && error.status === 401) {
      askToken((token) => { setToken(token); again(); });
      return;
    }
    showNotice(problemText(error));
    // Resets the sliders to the world on show.
    this.panel.show(this.state, this.viewer.world);
  }
}
