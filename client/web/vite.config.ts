// How Vite bundles and serves the viewer.
import {readFileSync} from 'node:fs';
import {defineConfig, type Plugin} from 'vite';

// The licences of third-party code in the built files.
const parts = ['three', 'fzstd'];

function licenses(): Plugin {
  return {
    name: 'licenses',
    apply: 'build',
    generateBundle() {
      const texts = parts.map((part) =>
        `${part}\n\n${readFileSync(new URL(`node_modules/${part}/LICENSE`, import.meta.url), 'utf8')}`);
      this.emitFile(
        {type: 'asset', fileName: 'assets/licenses.txt', source: texts.join('\n\n----\n\n')});
    },
  };
}

// Removes comments and indentation from shaders.
function shaders(): Plugin {
  return {
    name: 'shaders',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('.glsl?raw')) return undefined;
      const text = readFileSync(id.replace('?raw', ''), 'utf8');
      return `export default ${JSON.stringify(text.replace(/\/\/.*$/gm, '').replace(/^\s+/gm, ''))}`;
    },
  };
}

// `npm run dev` shows a running server's worlds: THALWEG_SERVER names its HTTP address.
const server = process.env['THALWEG_SERVER'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  // Relative: a proxy may serve the viewer below any path.
  base: './',
  plugins: [licenses(), shaders()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    modulePreload: {polyfill: false},
    // Fixed names for the server's build; browsers check with ETags whether files are current.
    rollupOptions: {
      output: {entryFileNames: 'assets/viewer.js', assetFileNames: 'assets/viewer[extname]'},
    },
  },
  worker: {format: 'es', rollupOptions: {output: {entryFileNames: 'assets/decode_worker.js'}}},
  server: {proxy: {'/v1': server}},
});
