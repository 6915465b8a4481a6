import { createHash } from 'node:crypto'
import type { HookSetting } from '../../../config/hook-setting.ts'
import type { AnswerCache, CachedAnswer, CollectedAnswer } from '../../../replay/answer-cache.ts'
import { readHookActions } from '../../../store/hook-actions.ts'
import type { RequestCounts } from '../../../store/ledger-contract.ts'
import type { Delivery, ResponseEnd } from '../delivery/delivery.ts'
import type { ExecuteRequest, Execution } from '../execute-request.ts'
import { type CachePolicy, isCacheable } from './cache-policy.ts'
import { type ReplayDependencies, replayAnswer } from './replay-answer.ts'

export type CachedExecutionDependencies = ReplayDependencies & {
  cache: AnswerCache
  policy: CachePolicy
  /** What they did with an answer is part of it. */
  hookSettings: readonly HookSetting[]
  /** An answer was looked for. */
  onLookup?(result: 'hit' | 'miss'): void
}

/**
 * Sends the answer that the organisation got to the same request before; otherwise executes it, and stores the answer once it is
 * complete, settled and durable.
 */
export const createCachedExecution =
  (execute: ExecuteRequest, dependencies: CachedExecutionDependencies): ExecuteRequest =>
  async (execution) => {
    const { cache, policy, hookSettings, onLookup } = dependencies
    const { request, caller, requestId, cacheWish } = execution
    if (!isCacheable(policy, request, caller, cacheWish)) return execute(execution)
    const name = { organisationId: caller.organisationId, keyHash: cacheKey(execution, hookSettings) }
    const found = await cache.find(name)
    onLookup?.(found === null ? 'miss' : 'hit')
    if (found !== null) return replayAnswer(execution, found, dependencies)
    const collected = cache.collect(caller.organisationId)
    let isComplete = false
    const onComplete = (answer: Complete, durable: Promise<unknown>): void => {
      isComplete = true
      // Other weights may have been loaded while the request waited: it is not known which of them answered.
      const isSameModel = Buffer.compare(cacheKey(execution, hookSettings), name.keyHash) === 0
      const stored = durable.then(() => (isSameModel ? cache.store(name, { requestId, ...answer }) : undefined))
      void stored.finally(collected.close)
    }
    try {
      await execute({ ...execution, ...observe(execution, collected, onComplete) })
    } finally {
      if (!isComplete) collected.close()
    }
  }

/**
 * Two endpoints may accept the same body, and names may come to mean another model or other weights. HTTP hooks are told the key and
 * may decide by it, and what they leave of a prompt may change.
 */
const cacheKey = (
  { request: { model, bodyHash }, dialect: { endpoint }, pool, caller: { key }, replaced }: Execution,
  hooks: readonly HookSetting[],
): Uint8Array => {
  const body = Buffer.from(bodyHash ?? []).toString('hex')
  const keyId = hooks.some(({ url }) => url !== null) ? key?.id : undefined
  const { weightsId, upstreamNames } = pool.model
  return createHash('sha256')
    .update(JSON.stringify([endpoint, model, body, hooks, weightsId ?? upstreamNames, keyId, replaced]))
    .digest()
}

type Complete = Pick<CachedAnswer, 'facts' | 'events'>

/** The same delivery, which collects what it is given, and passes on the answer once it is complete. */
const observe = (
  { delivery, request, answerId, progress }: Execution,
  collected: CollectedAnswer,
  onComplete: (answer: Complete, durable: Promise<unknown>) => void,
): Pick<Execution, 'delivery' | 'observer'> => {
  const reasons: string[] = []
  let counts: RequestCounts | null = null
  const complete = (lastEvents: number): Complete | null => {
    const events = collected.take()
    const [finishReason] = reasons
    if (events === null || counts === null || finishReason === undefined) return null
    const { promptTokens, cachedTokens, completionTokens, reasoningTokens, isEstimated = false } = counts
    if (!isWhole(reasons, completionTokens, request) || hasUncheckedText(progress)) return null
    const counted = { promptTokens, cachedTokens, completionTokens, reasoningTokens, isEstimated }
    return { facts: { answerId, ...counted, finishReason, lastEvents }, events }
  }
  const observed: Delivery = {
    admitted: (headers) => delivery.admitted((used) => ({ ...headers(used), 'x-helix-cache': 'miss' })),
    begin: (tokenBytes) => delivery.begin(tokenBytes),
    send(data) {
      collected.add(data)
      return delivery.send(data)
    },
    end(end, settle) {
      return delivery.end(end, (replay) => {
        const settling = settle(replay)
        for (const data of endData(end)) collected.add(data)
        const answer = complete(end.type === 'events' ? end.events.length : 0)
        if (answer !== null) onComplete(answer, settling.durable)
        return settling
      })
    },
  }
  return {
    delivery: observed,
    observer: {
      finished: (reason) => void reasons.push(reason),
      completed(settled) {
        counts = settled
      },
    },
  }
}

/** A hook that could not decide let the answer pass: once it can, it may decide otherwise. */
const hasUncheckedText = ({ hooks = '' }: Execution['progress']): boolean =>
  readHookActions(hooks).some(({ action }) => action === 'failed')

const endData = (end: ResponseEnd): readonly string[] => (end.type === 'document' ? [end.pieces.join('')] : end.events)

const wholeReasons = ['stop', 'tool_calls', 'function_call']

/** An answer that a limit of the caller ended is shorter than the next one may be. */
const isWhole = (
  reasons: readonly string[],
  completionTokens: number,
  { n, sampling: { maxTokens } }: Execution['request'],
): boolean => {
  if (reasons.length !== n) return false
  if (reasons.every((reason) => wholeReasons.includes(reason))) return true
  return reasons.every((reason) => reason === 'length') && maxTokens !== null && completionTokens === n * maxTokens
}
