import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJsonBlocks } from '../../http/read-json.ts'
import { sendJson } from '../../http/respond.ts'
import type { KeyCaller } from '../../http/route.ts'
import type { Limiter } from '../../limits/limiter-contract.ts'
import type { Models } from '../../models/contract.ts'
import { conversationOf } from '../generation/conversation-of.ts'
import { withDeadline } from '../generation/deadline.ts'
import { guessTokens } from '../generation/estimate-tokens.ts'
import { refuseForbidden } from '../generation/refuse-forbidden.ts'
import { requireModelKind } from '../generation/require-model-kind.ts'
import { withPrecheck } from '../generation/with-precheck.ts'
import { checkVersion } from './check-version.ts'
import type { MessagesRequestReader } from './request/messages-request-reader.ts'

export type CountTokensDependencies = {
  models: Pick<Models, 'find' | 'list'>
  limiter: Pick<Limiter, 'precheck'>
  reader: Pick<MessagesRequestReader, 'read'>
  clock: Clock
  bodyLimitBytes: number
  generationTimeoutMs: number
}

/** An Idempotency-Key has no effect: nothing is generated. */
const replays = { isKnown: async () => false }

/**
 * `POST /v1/messages/count_tokens`: how long the prompt of a request is. Nothing is generated or billed. With an upstream,
 * which counts only what it answers, it is an estimate.
 */
export const createCountTokens =
  (dependencies: CountTokensDependencies) =>
  (exchange: Exchange, caller: KeyCaller): Promise<void> => {
    checkVersion(exchange)
    const { models, limiter, reader, clock, bodyLimitBytes, generationTimeoutMs } = dependencies
    const { organisationId, key } = caller
    return withPrecheck(exchange, caller, { models, limiter, replays }, async (_, progress) => {
      const blocks = await readJsonBlocks(exchange, bodyLimitBytes)
      const needs = { hash: false, copy: false, isCounted: true }
      const request = await reader.read(blocks, { organisationId, needs, signal: exchange.signal })
      const pool = models.find(request.model)
      if (pool === null) throw ApiError.of('model_not_found', { model: request.model.slice(0, 100) })
      Object.assign(progress, { model: pool.model.id, stream: false })
      refuseForbidden(key, request, pool)
      requireModelKind(pool, 'chat')
      await withDeadline(exchange.signal, generationTimeoutMs, clock, async (signal) => {
        const { engine, release } = await pool.use(signal)
        try {
          const { promptTokens } = await engine.prepare(conversationOf(request, organisationId, engine.model), signal)
          sendJson(exchange, 200, { input_tokens: promptTokens ?? guessTokens(request.messagesBytes) })
        } finally {
          release()
        }
      })
    })
  }
