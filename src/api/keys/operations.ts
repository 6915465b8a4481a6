import { object } from '../../http/schema/containers.ts'
import { named } from '../../http/schema/schema.ts'
import { pageFields } from '../openai/lists.ts'
import { get, post, remove, withKey } from '../operation.ts'
import { keyChangesBody, newKeyBody, rotateBody } from './key-body.ts'
import { deletedKeySchema, keyPageSchema, keySchema, newKeySchema } from './response-schema.ts'

const manager = withKey('manage')
const key = named('ApiKey', keySchema)
const newKey = named('NewApiKey', newKeySchema)

export const keyOperations = {
  listKeys: get(
    '/keys',
    manager,
    'Lists the API keys of the organisation. All key and usage operations below require a management key.',
    { query: object(pageFields), answer: named('ApiKeyPage', keyPageSchema) },
  ),
  createKey: post('/keys', manager, 'Creates an API key. Management keys cannot be created this way.', {
    body: named('CreateApiKey', newKeyBody),
    answer: newKey,
  }),
  getKey: get('/keys/{key}', manager, 'Retrieves an API key.', { answer: key }),
  updateKey: post('/keys/{key}', manager, 'Updates the name, expiry, models, networks or limits of an API key.', {
    body: named('UpdateApiKey', keyChangesBody),
    answer: key,
  }),
  deleteKey: remove('/keys/{key}', manager, 'Revokes an API key immediately and permanently.', {
    answer: named('DeletedApiKey', deletedKeySchema),
  }),
  rotateKey: post(
    '/keys/{key}/rotate',
    manager,
    'Rotates an API key: issues a new secret. The old secret keeps working during the grace period.',
    { body: named('RotateApiKey', rotateBody), answer: newKey },
  ),
}
