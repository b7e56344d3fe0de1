import {defineConfig} from 'vitest/config';

// One browser and one server at a time: they share the machine's processors. Each test is told of as it
// ends, so that a run that is cut off says where.
export default defineConfig({
  test: {
    include: ['*.test.ts'],
    fileParallelism: false,
    reporters: ['verbose'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
