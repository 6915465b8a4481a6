import type { Case } from '../evidence.ts'
import { receivedTokens } from '../received-tokens.ts'
import type { Rule, Violation } from '../violation.ts'

/**
 * The most that a slow reader can have missed when the server died, in Node buffers: one that the server had not yet
 * passed to the kernel, two that the client had taken from the kernel but not yet delivered, and a partial event on
 * each side. Data in the kernel still arrives, so a reader that reads everything at once misses nothing.
 */
const bufferBytes = 64 * 1024
const unreadTokens = (tokenBytes: number): number => 3 * Math.ceil(bufferBytes / tokenBytes) + 2

/** No client is billed for more than it was sent. */
export const neverMore: Rule = ({ cases }) => cases.flatMap(overBilled)

const overBilled = (one: Case): Violation[] => {
  const { asked, life, records, runs } = one
  const billed = records.flatMap(({ settlements }) => settlements).reduce((sum, s) => sum + s.completionTokens, 0)
  const made = runs.reduce((sum, { tokens }) => sum + tokens, 0)
  const name = `${one.question} in life ${life.life} (${records.map(({ requestId }) => requestId).join(', ')})`
  const tooMuch = (bound: number, why: string): Violation[] =>
    billed <= bound ? [] : [{ rule: 'never more', detail: `${name}: billed ${billed} tokens, and ${why} ${bound}` }]
  return [
    ...tooMuch(made, 'the engine made'),
    ...tooMuch(...reachedBound(one)),
    ...halfDocuments(one, name, asked.stream),
  ]
}

/**
 * With an Idempotency-Key a token counts once it is kept for a retry, and a client that disconnects does not know what
 * was in transit. A document is billed just before it is sent, so a server may die in between.
 */
const reachedBound = (one: Case): [bound: number, why: string] => {
  const { asked, life } = one
  const isDocumentAtKill = !asked.stream && asked.how === 'broken' && life.killedAt !== null
  if (asked.idempotencyKey !== null || asked.how === 'left' || isDocumentAtKill) return [Number.POSITIVE_INFINITY, '']
  const received = receivedTokens(one).length
  return asked.prompt
    ? [received, 'the client received']
    : [received + unreadTokens(asked.tokenBytes), 'the client, with what may have been under way, received']
}

/** A document is delivered whole or not at all. */
const halfDocuments = (one: Case, name: string, stream: boolean): Violation[] =>
  stream
    ? []
    : one.records
        .flatMap(({ settlements }) => settlements)
        .filter(({ outcome, completionTokens }) => outcome !== 'completed' && completionTokens > 0)
        .map(({ outcome, completionTokens }) => ({
          rule: 'never more',
          detail: `${name}: ${outcome}, and still billed ${completionTokens} tokens of a document that was not sent`,
        }))
