import { noStarts, type Starts, startKinds } from './starts.ts'

/**
 * The most that each project of `vitest.config.ts` may start in a whole run, in place of a limit of time, which would depend on the
 * machine. A new test shares a server of its file where its options allow. What does not fit needs a higher figure here, with its reason. A
 * project without a row is counted and not judged.
 */
const startBudgets: Readonly<Record<string, Starts>> = {
  // Functions of the console, which need nothing that runs.
  site: noStarts,
  // 66 on 2026-11-20. Each has a database of its own.
  cluster: { ...noStarts, servers: 68 },
  // 85 on 2026-11-20: eight came with names of loopback servers and events that are no objects. Each has two workers, and takes a second of
  // CPU time.
  workers: { ...noStarts, servers: 87 },
}

/** What a project started above its budget, in words. A run of some files starts less than one of all. */
export const judgeStarts = (project: string, starts: Starts, budget = startBudgets[project]): string[] => {
  if (budget === undefined) return []
  const above = startKinds.filter((kind) => starts[kind] > budget[kind])
  return above.map(
    (kind) =>
      `STARTS: ${project} started ${starts[kind]} ${kind}, of at most ${budget[kind]} (test/harness/start-budgets.ts)`,
  )
}

/** Full grids, and repeated tests, start more by intention. */
export const areStartsJudged = ({
  BROWSER_GRID,
  ABORT_GRID,
  TEST_GRID,
  HELIX_TEST_RETRIES,
}: NodeJS.ProcessEnv): boolean =>
  ![BROWSER_GRID, ABORT_GRID, TEST_GRID].includes('full') && Number(HELIX_TEST_RETRIES ?? 0) === 0
