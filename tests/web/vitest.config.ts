import {defineConfig} from 'vitest/config';

// One browser and one server run at a time, since they share the processors. Each test is reported when
// it ends, so that the output of an aborted run shows the last one.
export default defineConfig({
  test: {
    include: ['*.test.ts'],
    fileParallelism: false,
    reporters: ['verbose'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
