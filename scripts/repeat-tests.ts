import { spawnSync } from 'node:child_process'
import { unsteadyTests } from '../test/harness/unsteady-tests.ts'

/**
 * `npm run repeat -- 10`: runs each test on the list of unsteady ones ten times, and `npm run repeat -- 10 FILE [NAME]` one of your
 * choice. A test leaves the list when all of its runs pass.
 */
const [times = '10', file, name] = process.argv.slice(2)

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const passes = (test: { file: string; name?: string | undefined }): boolean => {
  const filter = test.name === undefined ? [] : ['-t', quoted(test.name)]
  const run = spawnSync('npx', ['vitest', 'run', test.file, ...filter], { encoding: 'utf8' })
  if (run.status !== 0) console.log(`${run.stdout}\n${run.stderr}`)
  return run.status === 0
}

let failed = 0
for (const test of file === undefined ? unsteadyTests : [{ file, name }]) {
  const runs = Array.from({ length: Number(times) }, () => passes(test))
  const passed = runs.filter(Boolean).length
  console.log(`${passed} of ${runs.length} passed: ${test.file}${test.name === undefined ? '' : ` > ${test.name}`}`)
  failed += runs.length - passed
}
process.exitCode = failed === 0 ? 0 : 1
