import {defineConfig} from 'vitest/config';

// One browser and one server at a time: they share the machine's processors.
export default defineConfig({
  test: {
    include: ['*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
