import { mkdirSync, readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { checkLedger } from '../check/check.ts'
import type { Evidence } from '../check/evidence.ts'
import type { Violation } from '../check/violation.ts'
import { checkClusterRun } from '../cluster/check.ts'
import type { LedgerDump } from '../cluster/dump-ledger.ts'
import type { KeyEntry } from '../cluster/journal.ts'
import { readJournal } from '../ledger/journal.ts'
import { recordClusterRun } from '../record-cluster-run.ts'
import { recordLedgerRun } from '../record-ledger-run.ts'
import { recordUpstreamsRun } from '../record-upstreams-run.ts'
import { checkUpstreamsRun } from '../upstreams/check.ts'
import type { RunResult } from './results.ts'

type Run = { folder: string; seed: number; isQuick: boolean }
type Checked = { coverage: Record<string, number>; violations: Violation[] }

/** The fault runs of `chaos/README.md`, with their own checkers. */
const runs: Record<RunResult['kind'], (run: Run) => Promise<Checked>> = {
  async ledger({ folder, seed, isQuick }) {
    await recordLedgerRun({ folder, seed, kills: isQuick ? 3 : 20, seconds: Number.POSITIVE_INFINITY })
    const { evidence, violations } = checkLedger(folder)
    return { coverage: ledgerCoverage(evidence), violations }
  },
  async upstreams({ folder, seed, isQuick }) {
    await recordUpstreamsRun({ folder, seed, seconds: isQuick ? 5 : 25 })
    return checkUpstreamsRun(folder)
  },
  async cluster({ folder, seed, isQuick }) {
    await recordClusterRun({ folder, seed, seconds: isQuick ? 20 : 60 })
    const { coverage, violations } = checkClusterRun(folder)
    return { coverage: { ...coverage, ...budgetCoverage(folder) }, violations }
  },
}

export const measureRun = async (kind: RunResult['kind'], { folder, seed, isQuick }: Run): Promise<RunResult> => {
  mkdirSync(folder, { recursive: true })
  const load = Math.round(loadavg()[0] ?? 0)
  const startedMs = performance.now()
  const { coverage, violations } = await runs[kind]({ folder, seed, isQuick })
  return {
    ...{ kind, date: new Date().toISOString().slice(0, 10), seed },
    seconds: Math.round((performance.now() - startedMs) / 1000),
    machine: { cores: availableParallelism(), load },
    coverage: Object.fromEntries(Object.entries(coverage).filter(([, value]) => value > 0)),
    violations,
  }
}

const ledgerCoverage = ({ journals, ledger }: Evidence): Record<string, number> => {
  const settlements = ledger.records.flatMap((record) => record.settlements)
  return {
    kills: journals.lives.filter(({ killedAt }) => killedAt !== null).length,
    calls: journals.calls.length,
    replayed: journals.calls.filter(({ replayed }) => replayed).length,
    recorded: ledger.records.length,
    'tokens generated': journals.runs.reduce((sum, { tokens }) => sum + tokens, 0),
    'tokens billed': settlements.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
  }
}

/** How much of each budget was used through all outages. */
const budgetCoverage = (folder: string): Record<string, number> => {
  const { requests }: LedgerDump = JSON.parse(readFileSync(join(folder, 'ledger.json'), 'utf8'))
  const keys = readJournal<KeyEntry>(join(folder, 'journals', 'keys.jsonl'))
  return Object.fromEntries(
    keys.flatMap(({ keyId, tokensPerDay }) => {
      if (tokensPerDay === null) return []
      const used = requests
        .filter((request) => request.keyId === keyId)
        .reduce((sum, request) => sum + (request.promptTokens ?? 0) + (request.completionTokens ?? 0), 0)
      return [[`tokens used of a budget of ${tokensPerDay.toLocaleString('en-GB')}`, used]]
    }),
  )
}
