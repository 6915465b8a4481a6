import { named, schema } from '../../http/schema/schema.ts'
import { errorSchema } from '../../operations/openapi-parts.ts'
import { messageErrorSchema } from '../messages/response-schema.ts'
import { versionHeader } from '../messages/version-header.ts'
import { get, withKey } from '../operation.ts'
import { modelInfoListSchema, modelInfoSchema, modelListSchema, modelSchema } from './response-schema.ts'

/** They answer in the form of the API that the client uses. */
const headers = [versionHeader("Selects the form of Anthropic's API for the answer.")]
const error = named(
  'ModelError',
  schema({ anyOf: [errorSchema.json, messageErrorSchema.json] }, (value) => value),
)

export const modelOperations = {
  listModels: get('/models', withKey('models'), 'Lists the available models.', {
    headers,
    answer: named('ModelList', modelListSchema),
    otherAnswer: named('ModelInfoList', modelInfoListSchema),
    error,
  }),
  getModel: get('/models/{model}', withKey('models'), 'Retrieves a model.', {
    headers,
    answer: named('Model', modelSchema),
    otherAnswer: named('ModelInfo', modelInfoSchema),
    error,
  }),
}
