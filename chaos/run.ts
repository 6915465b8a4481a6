/**
 * `npm run chaos -- ledger [--kills 20] [--seconds S] [--workers 1] [--seed N] [--keep]`: repeatedly kills a real server under load.
 * `npm run chaos -- upstreams [--seconds 25] [--workers 1] [--seed N] [--keep]`: kills, pauses and cuts off three upstreams of a real server.
 * `npm run chaos -- cluster [--minutes 1] [--workers 1] [--seed N] [--keep]`: the same for each part of a cluster of three nodes, in turn.
 * `npm run chaos -- report`: writes docs/fault-report.md, see `report/command.ts`.
 * Then a separate program, the checker, compares the ledger with what the clients received. 1 means they differ.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createStopSignal } from '../src/cli/stop-signal.ts'
import { missingParts } from './cluster/missing-parts.ts'
import { recordClusterRun } from './record-cluster-run.ts'
import { recordLedgerRun } from './record-ledger-run.ts'
import { recordUpstreamsRun } from './record-upstreams-run.ts'
import { reportUsage, runReport } from './report/command.ts'

const usage = `Usage: npm run chaos -- ledger [--kills 20] [--seconds S] [--workers 1] [--seed N] [--keep]
       npm run chaos -- upstreams [--seconds 25] [--workers 1] [--seed N] [--keep]
       npm run chaos -- cluster [--minutes 1] [--workers 1] [--seed N] [--keep]
       ${reportUsage}`
const checkers = {
  ledger: new URL('./check-ledger.ts', import.meta.url),
  upstreams: new URL('./check-upstreams.ts', import.meta.url),
  cluster: new URL('./check-cluster.ts', import.meta.url),
}
type Kind = keyof typeof checkers
const defaultSeconds: Record<Kind, number> = { ledger: Number.POSITIVE_INFINITY, upstreams: 25, cluster: 60 }

const isKind = (text: string | undefined): text is Kind => text !== undefined && Object.hasOwn(checkers, text)

const readCommand = () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      kills: { type: 'string' },
      seconds: { type: 'string' },
      minutes: { type: 'string' },
      workers: { type: 'string' },
      seed: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  })
  const number = (text: string | undefined, otherwise: number): number => {
    const value = text === undefined ? otherwise : Number(text)
    if (Number.isNaN(value) || value < 0) throw new Error(`'${text}' is not a number.`)
    return value
  }
  const [kind, ...others] = positionals
  if (!isKind(kind) || others.length > 0)
    throw new Error('There are four kinds of chaos: ledger, upstreams, cluster and report.')
  const { minutes } = values
  return {
    kind,
    // With only a time limit, as many as fit into it.
    kills: number(values.kills, values.seconds === undefined ? 20 : Number.POSITIVE_INFINITY),
    seconds: minutes === undefined ? number(values.seconds, defaultSeconds[kind]) : 60 * number(minutes, 1),
    workers: number(values.workers, 1),
    seed: number(values.seed, Date.now() % 2 ** 32),
    keep: values.keep,
  }
}

const run = async ({ keep, kind, ...asked }: ReturnType<typeof readCommand>): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'helix-chaos-'))
  let keeps = keep
  process.once('exit', () => {
    if (!keeps) rmSync(folder, { recursive: true, force: true })
  })
  console.log(`seed ${asked.seed}`)
  const startedMs = performance.now()
  const seconds = (): number => Math.round((performance.now() - startedMs) / 1000)
  const onKill = (kills: number): void => {
    if (kills % 20 === 0) console.log(`${kills} kills after ${seconds()} s`)
  }
  if (kind === 'ledger') await recordLedgerRun({ folder, ...asked, onKill })
  else if (kind === 'upstreams') await recordUpstreamsRun({ folder, ...asked })
  else await recordClusterRun({ folder, ...asked })
  const checker = fileURLToPath(checkers[kind])
  const { status } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', checker, folder], {
    stdio: 'inherit',
  })
  console.log(`It took ${seconds()} s.`)
  if (status === 0 && !keep) return 0
  keeps = true
  console.log(`Journals, database and log are in ${folder}; node ${relative('.', checker)} ${folder} looks again.`)
  return status ?? 1
}

/** An empty list: nothing is missing. */
const missingFor = async (kind: Kind): Promise<string[]> => (kind === 'cluster' ? missingParts() : [])

const commandOrUsage = (): ReturnType<typeof readCommand> => {
  try {
    return readCommand()
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`)
    process.exit(2)
  }
}

// 130 is a shell's exit code for Ctrl-C. The server ends with this process.
void createStopSignal().received.then(() => process.exit(130))
if (process.argv[2] === 'report') process.exit(await runReport(process.argv.slice(3)))
const command = commandOrUsage()
const missing = await missingFor(command.kind)
if (missing.length > 0) {
  console.error(
    `${missing.join(' and ')} cannot be found: NOTHING was tested. Root gets them with apt install postgresql redis-server.`,
  )
  process.exit(1)
}
process.exit(await run(command))
