import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { describeFailed, type FailedFile, listFailed } from './failed-files.ts'
import { areStartsJudged, judgeStarts } from './start-budgets.ts'
import { addStarts, noStarts, type Starts, startKinds, startsSoFar, watchProcesses } from './starts.ts'
import { judgeUnsteady, type UnsteadyTest } from './unsteady-tests.ts'

/**
 * What the end of a run says beside the counts of tests: which passed only when they were repeated, what each project took and started,
 * and last where to look after a failure.
 */
export const runReporter: Reporter = {
  onInit() {
    // The browser of the run is started here.
    watchProcesses()
  },
  onTestRunEnd(modules, unhandledErrors) {
    const { lines, failed } = judgeUnsteady(modules.flatMap(findUnsteady))
    for (const line of lines) console.error(line)
    if (failed && process.env.HELIX_UNSTEADY_TESTS !== 'reported') process.exitCode = 1
    for (const [name, files] of Map.groupBy(modules, ({ project }) => project.name)) reportProject(name, files)
    const failedFiles = findFailed(modules)
    const { HELIX_FAILED_FILES: failedPath, HELIX_TEST_COSTS: costsPath } = process.env
    // An error outside of all tests belongs to no file.
    if (failedPath && unhandledErrors.length === 0) writeFileSync(failedPath, listFailed(failedFiles))
    if (costsPath) writeFileSync(costsPath, listCosts(modules))
    const lastLine = describeFailed(failedFiles)
    if (lastLine !== null) console.error(lastLine)
  },
}

const reportProject = (name: string, files: readonly TestModule[]): void => {
  const starts = sumStarts(files, name === 'browser' ? startsSoFar() : noStarts)
  const described = startKinds.map((kind) => `${starts[kind]} ${kind}`).join(', ')
  console.log(`time: ${name} took ${describeTime(files)} and started ${described}`)
  const lines = areStartsJudged(process.env) ? judgeStarts(name, starts) : []
  for (const line of lines) console.error(line)
  if (lines.length > 0) process.exitCode = 1
}

const sumStarts = (files: readonly TestModule[], others: Starts): Starts =>
  files.reduce((sum, file) => addStarts(sum, file.meta().cost?.starts ?? noStarts), others)

const findFailed = (modules: readonly TestModule[]): FailedFile[] =>
  modules
    .filter((module) => module.state() === 'failed')
    .map((module) => ({ project: module.project.name, file: module.relativeModuleId }))

/** What each file took and started, for `npm run test-lanes`. */
const listCosts = (modules: readonly TestModule[]): string => {
  const costs = modules.map((module) => ({
    project: module.project.name,
    file: module.relativeModuleId,
    tests: [...module.children.allTests()].length,
    ms: Math.round(module.diagnostic().duration),
    ...module.meta().cost,
  }))
  return `${JSON.stringify(costs, null, 1)}\n`
}

const findUnsteady = (module: TestModule): UnsteadyTest[] =>
  [...module.children.allTests('passed')]
    .filter((test) => test.diagnostic()?.flaky === true)
    .map((test) => ({ file: module.relativeModuleId, name: test.fullName }))

/** Seconds from the first test of a project to its last, and those of all its files together: they run side by side. */
const describeTime = (files: readonly TestModule[]): string => {
  const times = files
    .flatMap(({ children }) => [...children.allTests()].map((test) => test.diagnostic()))
    .filter((diagnostic) => diagnostic !== undefined)
  const start = times.reduce((earliest, { startTime }) => Math.min(earliest, startTime), Number.MAX_VALUE)
  const end = times.reduce((latest, { startTime, duration }) => Math.max(latest, startTime + duration), 0)
  const filesMs = files.reduce((sum, file) => sum + file.diagnostic().duration, 0)
  const cpuMs = files.reduce((sum, file) => sum + (file.meta().cost?.cpuMs ?? 0), 0)
  return `${seconds(end - start)} (${files.length} files, ${seconds(filesMs)} of tests, ${seconds(cpuMs)} of CPU time)`
}

const seconds = (ms: number): string => `${Math.round(Math.max(ms, 0) / 1000)} s`
