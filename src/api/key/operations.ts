import { named } from '../../http/schema/schema.ts'
import { get, withKey } from '../operation.ts'
import { ownKeySchema } from './response-schema.ts'

export const ownKeyOperations = {
  getOwnKey: get(
    '/key',
    withKey('any'),
    'Retrieves the API key used for the request, with its permissions and current limit usage.',
    { answer: named('OwnApiKey', ownKeySchema) },
  ),
}
