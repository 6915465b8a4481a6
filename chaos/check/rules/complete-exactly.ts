import type { Case, Evidence } from '../evidence.ts'
import type { JournalledCall } from '../read-journals.ts'
import type { SettlementRow } from '../read-ledger.ts'
import { receivedTokens } from '../received-tokens.ts'
import type { Rule, Violation } from '../violation.ts'

/**
 * An answer that a client received completely is in the ledger with the same counts, whenever the server died. Every
 * request settled as completed was completed.
 */
export const completeExactly: Rule = (evidence) => {
  const completed = completedByQuestion(evidence)
  return [
    ...evidence.journals.calls
      .filter(({ how }) => how === 'complete')
      .flatMap((call) => {
        const settlements = completed.get(call.question) ?? []
        if (settlements.length > 0) return settlements.flatMap((settlement) => differing(call, settlement))
        return broken(`call ${call.call} of ${call.question} saw the end, and the ledger has it nowhere as completed`)
      }),
    ...evidence.cases.flatMap(unfinished),
  ]
}

const broken = (detail: string): Violation[] => [{ rule: 'complete', detail }]

const completedByQuestion = ({ cases }: Evidence): Map<string, SettlementRow[]> => {
  const found = new Map<string, SettlementRow[]>()
  for (const { question, records } of cases)
    for (const settlement of records.flatMap(({ settlements }) => settlements))
      if (settlement.outcome === 'completed') found.set(question, [...(found.get(question) ?? []), settlement])
  return found
}

const differing = (call: JournalledCall, settlement: SettlementRow): Violation[] => {
  const asked = { ...call, completionTokens: call.choices * call.tokens }
  const seen = { asked, usage: call.usage ?? asked }
  return Object.entries(seen).flatMap(([where, counts]) =>
    (['promptTokens', 'cachedTokens', 'completionTokens'] as const)
      .filter((kind) => counts[kind] !== settlement[kind])
      .flatMap((kind) =>
        broken(
          `call ${call.call}: ${settlement[kind]} ${kind} billed, and ${counts[kind]} by ${names[where] ?? where}`,
        ),
      ),
  )
}

const names: Record<string, string> = { asked: 'what was asked', usage: 'the usage the client was told' }

/** Settled as completed although the engine or its reader never reached the end. */
const unfinished = (one: Case): Violation[] => {
  const { asked, life, records, runs } = one
  const done = records.find(({ settlements }) => settlements.some(({ outcome }) => outcome === 'completed'))
  if (done === undefined) return []
  const name = `${one.question} in life ${life.life} (${done.requestId})`
  const finished = runs.filter((run) => run.finished).length
  const received = receivedTokens(one).length
  return [
    ...(finished >= asked.choices ? [] : broken(`${name}: completed, and the engine finished ${finished} answers`)),
    ...(asked.idempotencyKey !== null || asked.how !== 'complete' || received === asked.choices * asked.tokens
      ? []
      : broken(`${name}: the end came after ${received} of ${asked.choices * asked.tokens} tokens`)),
  ]
}
