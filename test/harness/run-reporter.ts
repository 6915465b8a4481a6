import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { judgeUnsteady, type UnsteadyTest } from './unsteady-tests.ts'

/** What the end of a run says beside the counts: tests that passed only when they were repeated, and the time of each project. */
export const runReporter: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const { lines, failed } = judgeUnsteady(modules.flatMap(findUnsteady))
    for (const line of lines) console.error(line)
    if (failed && process.env.HELIX_UNSTEADY_TESTS !== 'reported') process.exitCode = 1
    printTimes(modules)
    const listPath = process.env.HELIX_FAILED_FILES
    if (listPath && unhandledErrors.length === 0) writeFileSync(listPath, listFailed(modules))
  },
}

/** A line for each file that failed: its project and its path. An error outside of all tests belongs to none. */
const listFailed = (modules: readonly TestModule[]): string =>
  modules
    .filter((module) => module.state() === 'failed')
    .map((module) => `${module.project.name} ${module.relativeModuleId}\n`)
    .join('')

const findUnsteady = (module: TestModule): UnsteadyTest[] =>
  [...module.children.allTests('passed')]
    .filter((test) => test.diagnostic()?.flaky === true)
    .map((test) => ({ file: module.relativeModuleId, name: test.fullName }))

/** Seconds from the first test of a project to its last, and those of all its files together: they run side by side. */
const printTimes = (modules: readonly TestModule[]): void => {
  for (const [name, files] of Map.groupBy(modules, ({ project }) => project.name)) {
    const times = files
      .flatMap(({ children }) => [...children.allTests()].map((test) => test.diagnostic()))
      .filter((diagnostic) => diagnostic !== undefined)
    const start = times.reduce((earliest, { startTime }) => Math.min(earliest, startTime), Number.MAX_VALUE)
    const end = times.reduce((latest, { startTime, duration }) => Math.max(latest, startTime + duration), 0)
    const filesMs = files.reduce((sum, file) => sum + file.diagnostic().duration, 0)
    console.log(`time: ${name} took ${seconds(end - start)} (${files.length} files, ${seconds(filesMs)} of tests)`)
  }
}

const seconds = (ms: number): string => `${Math.round(Math.max(ms, 0) / 1000)} s`
