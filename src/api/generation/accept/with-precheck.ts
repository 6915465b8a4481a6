import { ApiError } from '../../../base/api-error.ts'
import { ClientGone, type Exchange } from '../../../http/exchange.ts'
import { ownTurn } from '../../../http/turn.ts'
import type { Limiter, PendingRequest, Precheck } from '../../../limits/limiter-contract.ts'
import type { Models } from '../../../models/contract.ts'
import { readIdempotencyKey } from '../../../replay/idempotency-key.ts'
import type { Replays } from '../../../replay/replays.ts'
import type { CompletionCaller } from '../completion-caller.ts'
import type { CompletionProgress } from '../completion-progress.ts'

type PrecheckDependencies = {
  models: Pick<Models, 'list'>
  limiter: Pick<Limiter, 'precheck'>
  replays: Pick<Replays, 'isKnown'>
}

/**
 * Refuses a request before its body is read, or answers it. Until it is admitted it counts as a request in flight, so that
 * slow bodies are limited too. If it ends without having been admitted, through the caller's fault, it counts as refused. A
 * retry of a request that was admitted before passes even if its key is at its limits, because it uses nothing. It is looked
 * up by its Idempotency-Key, so inventing a key does not get around the limits.
 */
export const withPrecheck = async (
  exchange: Exchange,
  caller: CompletionCaller,
  { models, limiter, replays }: PrecheckDependencies,
  answer: (pending: PendingRequest, progress: CompletionProgress) => Promise<void>,
): Promise<void> => {
  const progress: CompletionProgress = {}
  exchange.progress = progress
  // A request that waits behind another one on its connection is not in flight yet, and its body stays in the socket.
  await ownTurn(exchange)
  const [only, second] = models.list()
  const known = second === undefined ? only?.model.id : undefined
  const isReplay = createReplayCheck(exchange, caller, replays)
  const precheck = { model: known ?? 'all models', isReplay, bodyBytes: announcedBytes(exchange) }
  const pending = await limiter.precheck(caller, precheck).catch((error: unknown) => {
    // With only one model, these are its limits, whatever the body says.
    if (known !== undefined) progress.model = known
    throw error
  })
  try {
    await answer(pending, progress)
  } catch (error) {
    if (isCallersFault(error) && !progress.replayed) pending.refuse(exchange.cpuMs + refusalMs(error))
    throw error
  } finally {
    pending.release()
  }
}

/** Null: its length is known once it was read. */
const announcedBytes = ({ request: { headers } }: Exchange): number | null => {
  const length = headers['content-length']
  return length === undefined ? null : Number(length)
}

/** Null without an Idempotency-Key, or with an invalid one, which is reported once the body was read. */
const createReplayCheck = (
  exchange: Exchange,
  caller: CompletionCaller,
  replays: PrecheckDependencies['replays'],
): Precheck['isReplay'] => {
  try {
    const idempotencyKey = callerIdempotencyKey(exchange, caller)
    return idempotencyKey === null ? null : () => replays.isKnown(caller.organisationId, idempotencyKey)
  } catch {
    return null
  }
}

/** The engine's CPU time for a prompt that it refused. */
const refusalMs = (error: unknown): number => (error instanceof ApiError ? (error.options.cpuMs ?? 0) : 0)

/** A client that disconnects after its body was read causes as much work as one that is refused. */
const isCallersFault = (error: unknown): boolean =>
  error instanceof ClientGone || (error instanceof ApiError && error.status < 500)

/** Throws if the header is invalid. The playground ignores it: its page sends every request once. */
export const callerIdempotencyKey = ({ request }: Exchange, { key }: CompletionCaller): string | null =>
  key === null || request.headers['idempotency-key'] === undefined
    ? null
    : readIdempotencyKey(request.headersDistinct['idempotency-key'])
