import {defineConfig} from 'vitest/config';

// All files share a browser and a server, and run one after the other, since they share the processors.
// Each test is reported when it ends, so that the output of an aborted run shows the last one.
export default defineConfig({
  test: {
    include: ['*.test.ts'],
    globalSetup: ['harness/shared.ts'],
    fileParallelism: false,
    reporters: ['verbose'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
