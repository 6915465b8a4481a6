import { ApiError } from '../../../base/api-error.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Exchange } from '../../../http/exchange.ts'
import type { Replays } from '../../../replay/replays.ts'
import type { AcceptedRequest, ExecuteRequest } from '../execute-request.ts'
import type { GenerationRequest } from '../request/generation-request.ts'
import { withDeadline } from './deadline.ts'
import type { Delivery } from './delivery.ts'
import { maxRecordingBytes } from './max-recording-bytes.ts'
import { openRecordedDelivery } from './recorded-delivery.ts'
import { leastTokens, type RecordingSizes } from './recording-sizes.ts'
import { sendRecording } from './send-recording.ts'

export type IdempotentRequestDependencies = {
  execute: ExecuteRequest
  replays: Pick<Replays, 'open'>
  sizes: RecordingSizes
  clock: Clock
  generationTimeoutMs: number
  heartbeatMs: number
  stallTimeoutMs: number
}

type IdempotentExecution = AcceptedRequest & { idempotencyKey: string }

/**
 * Executes the request into a recording, unless there is already one under its key, and sends the recording. Every request
 * with the key reads the same one, so the response does not end when a connection closes.
 */
export const handleIdempotentRequest = async (
  exchange: Exchange,
  execution: IdempotentExecution,
  { execute, replays, sizes, clock, generationTimeoutMs, heartbeatMs, stallTimeoutMs }: IdempotentRequestDependencies,
): Promise<void> => {
  const { idempotencyKey, ...accepted } = execution
  const { request, pool, caller, pending, progress, answerId } = accepted
  const { requestId, startedMs } = exchange
  /** Only for the request that is executed: replays do not count towards limits. */
  let limitHeaders = (): Record<string, string> => ({})
  const admitted: Delivery['admitted'] = (headers) => {
    limitHeaders = headers
  }
  const noteSize = (bytes: number, tokens = progress.completionTokens ?? 0): void => {
    // Log probabilities and token ids take space of their own.
    const { topLogprobs, promptLogprobs } = request.sampling
    if (topLogprobs !== null || promptLogprobs !== null || request.returnTokenIds) return
    sizes.add(request.model, request.stream, { bytes, tokens })
  }
  /** However short it was: the next one reserves enough, or is refused before it begins. */
  const noteFull = (bytes: number): void => noteSize(bytes, Math.max(leastTokens, progress.completionTokens ?? 0))
  const seenTokenBytes = sizes.tokenBytes(request.model, request.stream)
  const maxBytes = (tokenBytes: number): number => maxRecordingBytes(request, pool.model, tokenBytes)
  const subscription = await replays.open({
    organisationId: caller.organisationId,
    keyId: caller.key?.id ?? null,
    ...(exchange.caller?.key && { secret: exchange.caller.key }),
    idempotencyKey,
    bodyHash: requireHash(request),
    stream: request.stream,
    lastEventId: request.stream ? readLastEventId(exchange) : null,
    requestId,
    completionId: answerId,
    maxBytes: maxBytes(seenTokenBytes),
    async execute(recorder) {
      refuseRevoked(exchange)
      limitHeaders = pending.headers
      await withDeadline(recorder.signal, generationTimeoutMs, clock, (signal, deadline) => {
        // Until an answer of the model has ended, only the size of its first token is known.
        const size = { maxBytes: seenTokenBytes === 0 ? maxBytes : null, onEnd: noteSize, onFull: noteFull }
        const delivery = openRecordedDelivery(recorder, signal, { admitted, complete: deadline.complete, ...size })
        return execute({ ...accepted, requestId, startedMs, signal, deadline, delivery, isClaimed: true })
      })
    },
  })
  // The request that was executed counts towards the limits.
  if (subscription.replayed) {
    pending.release()
    progress.replayed = true
  }
  await sendRecording(exchange, subscription, {
    clock,
    heartbeatMs,
    stallTimeoutMs,
    stream: request.stream,
    limitHeaders: () => limitHeaders(),
  })
}

/** The API key may have been revoked in the meantime. If only the client has left, it may come back. */
const refuseRevoked = ({ signal }: Exchange): void => {
  if (signal.aborted && signal.reason instanceof ApiError) throw signal.reason
}

/** The body was hashed when it was read, because the request has an Idempotency-Key. */
const requireHash = ({ bodyHash }: GenerationRequest): Uint8Array => {
  if (bodyHash === null) throw new Error('the request had no Idempotency-Key when its body was read')
  return bodyHash
}

/** An empty header counts as none. */
const readLastEventId = ({ request }: Exchange): string | null => {
  const { 'last-event-id': lastEventId } = request.headers
  return typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : null
}
