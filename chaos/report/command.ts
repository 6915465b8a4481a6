import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { missingParts } from '../cluster/missing-parts.ts'
import { gateways } from './gateways.ts'
import { measureRun } from './helix-runs.ts'
import type { GatewayResult, Results, RunResult } from './results.ts'
import { writePage } from './write-page.ts'

export const reportUsage =
  'npm run chaos -- report [--quick] [--part scenarios|ledger|upstreams|cluster] [--gateway NAME --program FILE] [--page]'

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
const measurement = fileURLToPath(new URL('./measure.ts', import.meta.url))
const runKinds = ['ledger', 'upstreams', 'cluster'] as const

/**
 * Measures, and writes the page. A part that is measured replaces the same part of the figures; the others stay. A quick run
 * leaves the published figures alone and writes to a folder of its own.
 */
export const runReport = async (args: readonly string[]): Promise<number> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      page: { type: 'boolean', default: false },
      part: { type: 'string' },
      gateway: { type: 'string', default: 'helix' },
      program: { type: 'string' },
      seed: { type: 'string' },
    },
  })
  const work = mkdtempSync(join(tmpdir(), 'helix-fault-report-'))
  process.once('exit', () => rmSync(join(work, 'runs'), { recursive: true, force: true }))
  const target = values.quick ? work : docs
  let results = readResults(join(target, 'fault-report.json'))
  const isWanted = (part: string): boolean => !values.page && (values.part === undefined || values.part === part)
  if (isWanted('scenarios')) {
    const result = measureGateway(values.gateway, join(work, 'runs', values.gateway), values)
    if (result === null) return 1
    results = withGateway(results, result)
  }
  const seed = values.seed === undefined ? Date.now() % 2 ** 32 : Number(values.seed)
  for (const kind of runKinds) {
    const isLeftOut = values.gateway !== 'helix' || (values.quick && values.part === undefined)
    if (!isWanted(kind) || isLeftOut) continue
    const missing = kind === 'cluster' ? await missingParts() : []
    if (missing.length > 0) {
      console.log(`cluster: left out, because ${missing.join(' and ')} cannot be found`)
      continue
    }
    const run = await measureRun(kind, { folder: join(work, 'runs', kind), seed, isQuick: values.quick })
    console.log(`${kind}: ${run.seconds} s, ${run.violations.length} violations`)
    results = withRun(results, run)
  }
  mkdirSync(target, { recursive: true })
  writeFileSync(join(target, 'fault-report.json'), `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(join(target, 'fault-report.md'), writePage(results))
  console.log(`The page is ${join(target, 'fault-report.md')}.`)
  return results.runs.some(({ violations }) => violations.length > 0) ? 1 : 0
}

/** In a process of its own, and where the gateway listens on every address, in a network of its own. Null: it failed. */
const measureGateway = (
  name: string,
  folder: string,
  { quick, program }: { quick: boolean; program?: string | undefined },
): GatewayResult | null => {
  const kind = gateways[name]
  if (kind === undefined) throw new Error(`There are these gateways: ${Object.keys(gateways).join(', ')}.`)
  mkdirSync(folder, { recursive: true })
  const options = [...(quick ? ['--quick'] : []), ...(program === undefined ? [] : ['--program', program])]
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', measurement, name, folder, ...options]
  const inOwnNetwork = ['unshare', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
  const [file = '', ...rest] = kind.needsOwnNetwork ? [...inOwnNetwork, ...command] : command
  const { status, error } = spawnSync(file, rest, { stdio: 'inherit' })
  if (error !== undefined) console.error(`${file}: ${error.message}`)
  return status === 0 ? asResult(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'))) : null
}

/** Sound because only `measure.ts` writes this file. */
const asResult = (value: unknown): GatewayResult => value as GatewayResult

/** Sound because only this module writes the file. */
const asResults = (value: unknown): Results => value as Results

const readResults = (file: string): Results =>
  existsSync(file) ? asResults(JSON.parse(readFileSync(file, 'utf8'))) : { gateways: [], runs: [] }

const withGateway = ({ gateways, runs }: Results, result: GatewayResult): Results => {
  const others = gateways.filter(({ name }) => name !== result.name)
  return { gateways: result.name === 'Helix' ? [result, ...others] : [...others, result], runs }
}

const withRun = ({ gateways, runs }: Results, run: RunResult): Results => ({
  gateways,
  runs: runKinds.flatMap((kind) => (kind === run.kind ? run : (runs.find((other) => other.kind === kind) ?? []))),
})
