import { median } from '../../bench/measure.ts'
import type { Evidence } from './evidence.ts'
import { receivedTokens } from './received-tokens.ts'

/** A short summary of the run's coverage: a run without cases of a kind proves nothing about that kind. */
export const describeEvidence = (evidence: Evidence): string => {
  const { journals, ledger, cases } = evidence
  const settlements = ledger.records.flatMap((record) => record.settlements)
  const outcomes = Map.groupBy(settlements, ({ outcome }) => outcome)
  const ends = Map.groupBy(journals.calls, ({ how }) => how)
  const keys = new Set(journals.calls.flatMap(({ idempotencyKey }) => idempotencyKey ?? []))
  const tails = unbilledTails(evidence)
  const list = (groups: Map<string, unknown[]>): string =>
    [...groups].map(([name, { length }]) => `${length} ${name}`).join(', ')
  const rows: [string, string | number][] = [
    ['kills', journals.lives.filter(({ killedAt }) => killedAt !== null).length],
    ['calls', `${journals.calls.length}: ${list(ends)}`],
    ['Idempotency-Keys', `${keys.size}, ${journals.calls.filter(({ replayed }) => replayed).length} calls replayed`],
    [
      'resumed streams',
      journals.calls.filter(({ lastEventId, received }) => lastEventId !== null && received.length > 0).length,
    ],
    ['records', `${ledger.records.length}: ${list(outcomes)}`],
    ['tokens made', journals.runs.reduce((sum, { tokens }) => sum + tokens, 0)],
    ['tokens received', cases.reduce((sum, one) => sum + receivedTokens(one).length, 0)],
    ['tokens billed', settlements.reduce((sum, { completionTokens }) => sum + completionTokens, 0)],
    ['unbilled at a kill', tails],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('')
}

/** Time between the arrival of the first unbilled token and the kill. */
const unbilledTails = ({ cases }: Evidence): string => {
  const tails = cases.flatMap((one) => {
    const billed = one.records.flatMap(({ settlements }) => settlements)
    if (one.life.killedAt === null || !billed.some(({ outcome }) => outcome === 'server_died')) return []
    const first = receivedTokens(one)[billed.reduce((sum, { completionTokens }) => sum + completionTokens, 0)]
    return first === undefined ? [] : [Math.max(0, one.life.killedAt - first)]
  })
  if (tails.length === 0) return 'nothing'
  return `${tails.length} streams, the last ${Math.max(...tails)} ms at most, ${Math.round(median(tails))} ms in the middle`
}
