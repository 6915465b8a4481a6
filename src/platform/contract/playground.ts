import { abilities } from '../../accounts/teams/roles.ts'
import { member, post } from './operation.ts'

const asInV1 = { description: 'As for `POST /v1/chat/completions`: see `/v1/openapi.json`.' }

export const playgroundOperations = {
  completeInPlayground: post(
    '/playground/chat/completions',
    member(abilities.usePlayground),
    'Creates a chat completion for the organisation of the session. Body and answer are those of `POST /v1/chat/completions`.',
    { content: { 'application/json': asInV1, 'text/event-stream': asInV1 } },
  ),
}
