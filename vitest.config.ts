import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { runReporter } from './test/harness/run-reporter.ts'

// Tests start hundreds of servers, each with a thread of its own that reads the same files.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled-for-tests')

// Repeating tells an unsteady test from a broken one. Only those in `test/harness/unsteady-tests.json` may need it: others fail the run.
const retry = Number(process.env.HELIX_TEST_RETRIES ?? 0)

/** What a test waits for may take seconds on a busy machine; the default is one second. */
const patient = { poll: { timeout: 15_000 } }

/**
 * Node itself loads the tests and what they import, as it loads the server: Vite would rewrite every module once for each
 * project, and every use of an import into a slower one. Only files with JSX need it.
 */
const loadedByNode = { viteModuleRunner: false, nodeLoader: false }

/** Slow tests whose outcome cannot depend on the date; `.ci/test-on-date` leaves them out. */
const undated = [
  '{src/grammar,src/gguf,src/engine/embedded,src/api/**/request,site/app/markdown}/**',
  'test/chat-completions/{slowest*,structured-output}.test.ts',
  'test/process/{refused-start,command-line}.test.ts',
  'test/usage/abort-at-every-byte.test.ts',
  'chaos/faults.test.ts',
]
const leftOut = process.env.HELIX_TEST_DATES === 'moved' ? undated : []

/**
 * What is promised about requests, retries, limits, budgets and usage holds on PostgreSQL and Redis too: `cluster` runs
 * these files once more with servers that use them.
 */
const onBothStores = [
  'test/chat-completions/{200,429,429-at-once,stream,stream-usage}.test.ts',
  'test/retries/{limits,restart,resume,same-key}.test.ts',
  'test/usage/{costs,durable-before-end,ledger}.test.ts',
]

/**
 * What is promised about connections and about upstreams holds with workers, too: `workers` runs these files once more with servers that
 * have two. Those of `test/http` have no model of an upstream, so that everything is passed on to the main thread; in the others
 * workers answer. Left out are files that ask the main thread, by its socket, for what a worker has just told it.
 */
const withWorkers = [
  'test/http/{body-memory,broken-requests,connection,cors,expect,half-closed,large-heads,public-name,shutdown-delay,slow-clients}.test.ts',
  'test/upstreams/{answered-by,live-changes,odd-answers,placement-by-speed}.test.ts',
  'test/usage/{asked-early,upstream}.test.ts',
]

type Settings = NonNullable<TestProjectInlineConfiguration['test']>

const everyFile = 'test/harness/every-file.ts'

/**
 * What all projects share, and what differs in one. What files import is loaded once in each process, not once for each file: no test
 * replaces a module.
 */
const project = (name: string, own: Settings): TestProjectInlineConfiguration => ({
  test: {
    name,
    experimental: loadedByNode,
    setupFiles: [everyFile],
    provide: { databases: 'embedded' },
    isolate: false,
    retry,
    expect: patient,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    sequence: { groupOrder: 0 },
    ...own,
  },
})

/**
 * Three suites, one after the other: `fast`, `site`, `cluster` and `workers` run in parallel without a model; `browser` drives one Chromium
 * through the built site; `model` loads the real model, an engine of one thread in each file, and two files at once take a gigabyte.
 */
export default defineConfig({
  test: {
    // Vitest leaves one core free, which is half of a machine with two.
    maxWorkers: '100%',
    reporters: ['default', runReporter],
    globalSetup: ['sqlite', 'postgres', 'redis'].map((name) => `test/harness/${name}/global-setup.ts`),
    projects: [
      project('fast', {
        include: ['{src,test,bench,chaos,conformance}/**/*.test.ts'],
        exclude: ['**/*.{browser,model}.test.ts', ...leftOut],
      }),
      project('site', { include: ['site/**/*.test.ts'], exclude: leftOut, experimental: {} }),
      project('cluster', {
        include: onBothStores,
        setupFiles: [everyFile, 'test/harness/skip-without-databases.ts'],
        provide: { databases: 'networked' },
      }),
      project('workers', { include: withWorkers, provide: { databases: 'embedded', workers: 2 } }),
      project('browser', {
        include: ['test/browser/**/*.browser.test.ts'],
        globalSetup: ['test/browser/global-setup.ts'],
        sequence: { groupOrder: 1 },
      }),
      project('model', {
        include: ['{src,test,conformance}/**/*.model.test.ts'],
        maxWorkers: 2,
        testTimeout: 180_000,
        sequence: { groupOrder: 2 },
      }),
    ],
  },
})
