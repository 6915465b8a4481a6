import { defineConfig } from 'vitest/config'

/**
 * Three suites, one after the other: `fast` runs in parallel without a model; `browser` drives one Chromium through the
 * built site; `model` loads the real model and runs file by file, because two engines on two cores only slow
 * each other down.
 */
export default defineConfig({
  test: {
    // Vitest leaves one core free, which is half of a machine with two.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'fast',
          include: ['{src,test,bench,chaos,conformance,site}/**/*.test.ts'],
          exclude: ['**/*.{browser,model}.test.ts'],
          setupFiles: ['test/harness/check-every-response.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.browser.test.ts'],
          globalSetup: ['test/browser/global-setup.ts'],
          setupFiles: ['test/harness/check-every-response.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
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
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
