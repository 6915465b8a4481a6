import { named, schema } from '../../http/schema/schema.ts'
import { post, withKey } from '../operation.ts'

/** There is no answer. */
const nothing = schema({ not: {} }, (value): never => {
  throw new TypeError(`not an answer: ${typeof value}`)
})

export const moderationOperations = {
  createModeration: post('/moderations', withKey('chat'), 'Not available: every request is refused with the reason.', {
    answer: named('Moderation', nothing),
  }),
}
