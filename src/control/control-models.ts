import { ApiError } from '../base/api-error.ts'
import { OperatorError } from '../base/operator-error.ts'
import { array, nullable, object } from '../http/schema/containers.ts'
import { string } from '../http/schema/scalars.ts'
import type { Models } from '../models/contract.ts'
import type { Client } from '../operations/client.ts'
import { get, post, socket } from './operation.ts'

const modelList = object({
  data: array(
    object({ id: string(), aliases: array(string()), kind: string(), state: string(), reason: nullable(string()) }),
  ),
})

/** The models of the running server. */
export const modelOperations = {
  listModels: get('/models', socket, 'Lists the models with their states.', { answer: modelList }),
  reloadModels: post('/models/reload', socket, 'Applies the list of models that the command line changed.', {
    answer: modelList,
  }),
}

export const createModelControl = (models: Pick<Models, 'reload' | 'list'>): Client<typeof modelOperations> => {
  const list = () => ({
    data: models.list().map((pool) => {
      const { state, reason } = pool.status()
      return { id: pool.model.id, aliases: pool.aliases, kind: pool.kind, state, reason }
    }),
  })
  return {
    listModels: async () => list(),
    async reloadModels() {
      await models.reload().catch((error: unknown) => {
        if (error instanceof OperatorError)
          throw ApiError.of('model_list_invalid', { reason: error.message }, { cause: error })
        throw error
      })
      return list()
    },
  }
}
