import type { Clock } from '../../../base/clock.ts'
import type { Price } from '../../../prices/price.ts'
import type { CachedAnswer } from '../../../replay/answer-cache.ts'
import type { BodyWriter } from '../../../usage/body-writer.ts'
import type { Ledger } from '../../../usage/ledger-contract.ts'
import { ignoredFieldsRecord } from '../accept/ignored-fields.ts'
import type { ResponseEnd } from '../delivery/delivery.ts'
import type { Execution } from '../execute-request.ts'
import { reserveRequest } from '../reservation/reserve-request.ts'

export type ReplayDependencies = {
  ledger: Pick<Ledger, 'reserve'>
  bodies: Pick<BodyWriter, 'isKept' | 'add'>
  clock: Clock
  /** What a cached answer of the model costs. Null: nothing. */
  findCachedPrice(model: string): Price | null
}

/**
 * Sends a cached answer like one that is generated: the limits apply, the ledger has the request, and its end is sent once it is
 * settled. A client that leaves before pays for the prompt only.
 */
export const replayAnswer = async (
  execution: Execution,
  { requestId: cachedFrom, facts, events }: CachedAnswer,
  { ledger, bodies, clock, findCachedPrice }: ReplayDependencies,
): Promise<void> => {
  const { request, dialect, requestId, caller, pending, startedMs, isClaimed, progress, delivery, signal, trace } =
    execution
  const { promptTokens, cachedTokens = 0, completionTokens, reasoningTokens, isEstimated } = facts
  const { organisationId, key } = caller
  const { model, stream, n: choices } = request
  const price = findCachedPrice(model)
  const reservation = await pending.admit({ model, promptTokens, completionTokens, price })
  delivery.admitted((usedTokens) => ({ ...reservation.headers(usedTokens), 'x-helix-cache': 'hit' }))
  const called = { requestId, organisationId, keyId: key?.id ?? null, model, endpoint: dialect.endpoint, stream }
  const recorded = { ...called, isClaimed, cachedFrom, ...ignoredFieldsRecord(request.ignoredFields) }
  const replayed = { ...recorded, choices, startedMs, progress, trace }
  const accounting = await reserveRequest(replayed, reservation, { ledger, clock })
  progress.cached = true
  try {
    accounting.meter.prompt(promptTokens, cachedTokens, isEstimated)
    accounting.begun()
    const data = events.map((event) => event.replaceAll(facts.answerId, execution.answerId))
    const early = stream ? data.slice(0, data.length - facts.lastEvents) : []
    for (const event of early) {
      signal.throwIfAborted()
      const slowReader = delivery.send(event)
      if (slowReader !== undefined) await slowReader
    }
    accounting.finished(facts.finishReason)
    const end: ResponseEnd = stream
      ? { type: 'events', events: data.slice(early.length) }
      : { type: 'document', pieces: data, usedTokens: promptTokens + completionTokens }
    signal.throwIfAborted()
    await delivery.end(end, (replay) => {
      accounting.meter.emitted(0, completionTokens, reasoningTokens)
      return accounting.complete(replay)
    })
  } catch (error) {
    accounting.fail(error, signal)
    throw error
  } finally {
    keepRequest(execution, { bodies, clock })
  }
}

/** The answer is kept with the request that it was generated for. */
const keepRequest = (
  { request: { bodyCopy }, requestId, caller: { organisationId } }: Execution,
  { bodies, clock }: Pick<ReplayDependencies, 'bodies' | 'clock'>,
): void => {
  if (bodyCopy === null || !bodies.isKept(organisationId)) return
  bodies.add({ requestId, organisationId, request: bodyCopy, answer: null, createdAt: clock.now() })
}
