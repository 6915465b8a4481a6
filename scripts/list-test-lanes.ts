import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { FileCost } from '../test/harness/file-cost.ts'

/**
 * `npm run test-lanes [-- COSTS…]`: for each test file, what it needs by what it imports, and what it costs by the files that runs with
 * `HELIX_TEST_COSTS=FILE` have written. The dearest comes first.
 */
const root = join(import.meta.dirname, '..')

/** From the cheapest to the dearest: a file belongs to the last one whose names it imports, itself or by another file of tests. */
const lanes: readonly { name: string; needs: Readonly<Record<string, RegExp>> }[] = [
  { name: 'unit', needs: {} },
  { name: 'store', needs: { 'scratch-store': /open/, 'stored-completions': /open/, 'each-store': /eachStore/ } },
  { name: 'api', needs: { 'start-helix': /^(open|start)Helix$/ } },
  { name: 'networked', needs: { 'started-postgres': /startedPostgres/, 'started-redis': /startedRedis/ } },
  { name: 'workers', needs: { 'start-with-workers': /orkers/, 'debug-workers': /./ } },
  {
    name: 'process',
    needs: {
      'run-program': /^runProgram$/,
      'start-program': /^startProgram$/,
      'scratch-process': /^startScratchProcess$/,
      'node:child_process': /^(spawn|fork|exec)/,
    },
  },
]

type Import = { path: string; names: string[] }

const importPattern = /^(?:import|export)\s+(?!type\b)(?:([^'"]*?)\s+from\s+)?'([^']+)'|\bimport\('(\.[^']+)'\)/gm

const readImports = (file: string): Import[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(importPattern)].map(([, names = '', from = '', later = '']) => ({
    path: resolveImport(file, from === '' ? later : from),
    names: names.split(/[{},\s]+/).filter((name) => name !== '' && name !== 'type' && name !== 'as'),
  }))

const resolveImport = (file: string, from: string): string =>
  from.startsWith('.') ? relative(root, join(root, dirname(file), from)) : from

const nameOf = (path: string): string => path.replace(/^.*\//, '').replace(/\.ts$/, '')

/** What the file needs, itself or by the files of tests that it imports: the product's own processes do not count. */
const laneOf = new Map<string, number>()
const findLane = (file: string): number => {
  const known = laneOf.get(file)
  if (known !== undefined) return known
  laneOf.set(file, 0)
  const found = readImports(file).map(({ path, names }) => Math.max(laneOfImport(path, names), laneBehind(path)))
  const lane = Math.max(0, ...found)
  laneOf.set(file, lane)
  return lane
}

const laneOfImport = (path: string, names: readonly string[]): number =>
  lanes.findLastIndex(({ needs }) => {
    const wanted = needs[nameOf(path)] ?? needs[path]
    return wanted !== undefined && names.some((name) => wanted.test(name))
  })

/** A file with the names that make a lane has no lane by its own imports: not each of its importers uses those. */
const laneBehind = (path: string): number => {
  const isOfTests = /^(test|chaos|conformance)\/.*\.ts$/.test(path) && existsSync(join(root, path))
  return isOfTests && !lanes.some(({ needs }) => nameOf(path) in needs) ? findLane(path) : 0
}

const describeLane = (file: string): string => {
  if (file.endsWith('.browser.test.ts')) return 'browser'
  if (file.endsWith('.model.test.ts')) return 'model'
  return lanes[Math.max(0, findLane(file))]?.name ?? 'unit'
}

type Row = { project: string; file: string; tests: number; ms: number } & Partial<FileCost>

/** True because the run's reporter writes them. */
const readCosts = (path: string): Row[] => JSON.parse(readFileSync(path, 'utf8')) as Row[]

const costs = process.argv.slice(2).flatMap(readCosts)
const files = globSync('{src,site,test,bench,chaos,conformance}/**/*.test.ts', { cwd: root })
const rows = files.flatMap((file) => {
  const lane = describeLane(file)
  const measured = costs.filter((cost) => cost.file === file)
  return measured.length === 0
    ? [{ lane, project: '', file, tests: 0, ms: 0 }]
    : measured.map((cost) => ({ lane, ...cost }))
})

const seconds = (ms: number): string => (ms / 1000).toFixed(1)
const describe = (count: number, all: readonly Row[]): string[] => {
  const sum = (read: (row: Row) => number | undefined): number =>
    all.reduce((total, row) => total + (read(row) ?? 0), 0)
  return [
    String(count),
    String(sum(({ tests }) => tests)),
    seconds(sum(({ ms }) => ms)),
    seconds(sum(({ cpuMs }) => cpuMs)),
    String(sum(({ starts }) => starts?.servers)),
    String(sum(({ starts }) => starts?.programs)),
    String(sum(({ starts }) => starts?.models)),
  ]
}
const columns = ['tests', 'seconds', 'CPU seconds', 'servers', 'programs', 'models']
const print = (cells: readonly string[]): void => console.log(cells.join('\t'))

print(['lane', 'project', 'files', ...columns])
for (const [lane, some] of Map.groupBy(rows, (row) => `${row.lane}\t${row.project}`))
  print([lane, ...describe(some.length, some)])
console.log('')
print(['lane', 'project', ...columns, 'file'])
const byCost = (one: Row, other: Row): number => (other.cpuMs ?? 0) - (one.cpuMs ?? 0)
for (const row of rows.toSorted(byCost)) print([row.lane, row.project, ...describe(1, [row]).slice(1), row.file])
