import { ApiError } from '../base/api-error.ts'
import { OperatorError } from '../base/operator-error.ts'
import type { Exchange } from '../http/exchange.ts'
import { sendJson } from '../http/respond.ts'
import type { Models } from '../models/contract.ts'

/** `POST /control/models/reload`: applies the list of models that the command line changed, without a restart. */
export const createReloadModels =
  (models: Pick<Models, 'reload' | 'list'>) =>
  async (exchange: Exchange): Promise<void> => {
    await models.reload().catch((error: unknown) => {
      if (error instanceof OperatorError)
        throw ApiError.of('model_list_invalid', { reason: error.message }, { cause: error })
      throw error
    })
    const data = models.list().map((pool) => {
      const { state, reason } = pool.status()
      return { id: pool.model.id, aliases: pool.aliases, state, reason }
    })
    sendJson(exchange, 200, { data })
  }
