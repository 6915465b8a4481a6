import { defineConfig } from 'vitest/config'

/**
 * Two suites, one after the other: `fast` runs in parallel without a model; `model` loads the real one and runs file by
 * file, because two engines on two cores only slow each other down.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'fast',
          include: ['{src,test,bench,conformance,site}/**/*.test.ts'],
          exclude: ['**/*.model.test.ts'],
          setupFiles: ['test/harness/check-every-response.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'model',
          include: ['{src,test,conformance}/**/*.model.test.ts'],
          fileParallelism: false,
          setupFiles: ['test/harness/check-every-response.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
