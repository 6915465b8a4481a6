import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Engine } from '../../engine/contract.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJsonBlocks } from '../../http/read-json.ts'
import { sendJson } from '../../http/respond.ts'
import type { KeyCaller } from '../../http/route.ts'
import type { Limiter } from '../../limits/limiter-contract.ts'
import type { Models } from '../../models/contract.ts'
import { withDeadline } from '../generation/deadline.ts'
import { refuseForbidden } from '../generation/refuse-forbidden.ts'
import { requireModelKind } from '../generation/require-model-kind.ts'
import { withPrecheck } from '../generation/with-precheck.ts'
import { detokenizeJson, tokenizeJson, tokensUnknown } from './answers.ts'
import type { TokenNeeds } from './request/read-token-request.ts'
import type { TokenRequestReader } from './request/token-request-reader.ts'

export type TokenizeDependencies = {
  models: Pick<Models, 'find' | 'list'>
  limiter: Pick<Limiter, 'precheck'>
  reader: Pick<TokenRequestReader, 'read'>
  clock: Clock
  bodyLimitBytes: number
  generationTimeoutMs: number
}

/** An Idempotency-Key has no effect: nothing is generated. */
const replays = { isKnown: async () => false }

/**
 * `POST /v1/tokenize` and `POST /v1/detokenize`: the tokens of a prompt, and the text of tokens. Nothing is generated or
 * billed. Only with a model that Helix runs itself: an upstream does not say which tokens it uses.
 */
export const createTokenize =
  (type: TokenNeeds['type'], dependencies: TokenizeDependencies) =>
  (exchange: Exchange, caller: KeyCaller): Promise<void> => {
    const { models, limiter, reader, clock, bodyLimitBytes, generationTimeoutMs } = dependencies
    const { organisationId, key } = caller
    return withPrecheck(exchange, caller, { models, limiter, replays }, async (_, progress) => {
      const blocks = await readJsonBlocks(exchange, bodyLimitBytes)
      const request = await reader.read(blocks, { organisationId, needs: { type }, signal: exchange.signal })
      const pool = models.find(request.model)
      if (pool === null) throw ApiError.of('model_not_found', { model: request.model.slice(0, 100) })
      Object.assign(progress, { model: pool.model.id, stream: false })
      refuseForbidden(key, { model: request.model, store: false }, pool)
      requireModelKind(pool, 'chat')
      if (pool.model.parsesAnswers) throw tokensUnknown(pool.model.id)
      const answer = (engine: Engine, signal: AbortSignal): Promise<object> =>
        request.type === 'tokenize'
          ? tokenizeJson(request, engine, organisationId, signal)
          : detokenizeJson(request.tokens, engine, organisationId, signal)
      await withDeadline(exchange.signal, generationTimeoutMs, clock, async (signal) => {
        const { engine, release } = await pool.use(signal)
        try {
          sendJson(exchange, 200, await answer(engine, signal))
        } finally {
          release()
        }
      })
    })
  }
