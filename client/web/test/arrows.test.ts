// The arrows between the folders of src: folders import only what the table of README.md allows.
import {readFileSync, readdirSync} from 'node:fs';
import {describe, expect, it} from 'vitest';

const root = new URL('../', import.meta.url);

// Returns what each folder may depend on. Only rows above it count, so there are no cycles.
function allowedArrows(): Map<string, readonly string[]> {
  const readme = readFileSync(new URL('README.md', root), 'utf8');
  const arrows = new Map<string, readonly string[]>();
  for (const [, folder, targets] of readme.matchAll(/^\| `src\/(\w+)` \|.*\| (.*) \|$/gm)) {
    const above = [...arrows.keys()];
    arrows.set(folder!, targets === 'all above' ? above : above.filter((name) => targets!.includes(`\`${name}\``)));
  }
  return arrows;
}

// Returns the other folders that a source imports from.
function importsOf(source: string): string[] {
  return [...source.matchAll(/from '\.\.\/(\w+)\//g)].map(([, folder]) => folder!);
}

describe('folders', () => {
  const arrows = allowedArrows();
  const files = (readdirSync(new URL('src/', root), {recursive: true}) as string[])
    .filter((file) => /^\w+\/\w+\.ts$/.test(file));

  it('are all in the table', () => {
    expect([...new Set(files.map((file) => file.split('/')[0]))].sort()).toEqual([...arrows.keys()].sort());
  });

  it('depend only on what the table allows', () => {
    for (const file of files) {
      const source = readFileSync(new URL(`src/${file}`, root), 'utf8');
      for (const folder of importsOf(source)) expect(arrows.get(file.split('/')[0]!), file).toContain(folder);
    }
  });

  it('imported against an arrow are noticed', () => {
    expect(importsOf("import {a} from './a';\nimport type {\n  Viewer,\n} from '../viewer/viewer';")).toEqual(['viewer']);
    expect(arrows.get('lod')).toEqual(['space']);
    expect(arrows.get('ui')).not.toContain('app');
  });
});
