import { ApiError } from '../base/api-error.ts'
import { OperatorError } from '../base/operator-error.ts'
import { sendJson } from '../http/respond.ts'
import type { Route } from '../http/route.ts'
import type { Models } from '../models/contract.ts'

const path = '/control/models'

/** The models of the running server, for the command line. */
export const createModelControlRoutes = (models: Pick<Models, 'reload' | 'list'>): Route[] => {
  const list = () => ({
    data: models.list().map((pool) => {
      const { state, reason } = pool.status()
      return { id: pool.model.id, aliases: pool.aliases, kind: pool.kind, state, reason }
    }),
  })
  return [
    { method: 'GET', path, access: 'socket', handle: (exchange) => sendJson(exchange, 200, list()) },
    {
      method: 'POST',
      path: `${path}/reload`,
      access: 'socket',
      // Applies the list of models that the command line changed, without a restart.
      handle: async (exchange) => {
        await models.reload().catch((error: unknown) => {
          if (error instanceof OperatorError)
            throw ApiError.of('model_list_invalid', { reason: error.message }, { cause: error })
          throw error
        })
        sendJson(exchange, 200, list())
      },
    },
  ]
}
