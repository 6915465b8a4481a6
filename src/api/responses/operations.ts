import { booleanText, integerText } from '../../http/read-query.ts'
import { object, optional } from '../../http/schema/containers.ts'
import { named, schema } from '../../http/schema/schema.ts'
import { retryHeaders } from '../generation/accept/retry-headers.ts'
import { pageFields } from '../openai/lists.ts'
import { get, post, remove, withKey } from '../operation.ts'
import { countedResponsesBody, responsesBody } from './request/responses-body.ts'
import {
  deletedResponseSchema,
  inputItemPageSchema,
  inputTokensSchema,
  responseEventSchema,
  responseSchema,
} from './response-schema.ts'

const reader = withKey('completions.read')
const writer = withKey('completions.write')
const answer = named('Response', responseSchema)
const event = named(
  'ResponseEvent',
  schema(responseEventSchema, (value) => value),
)
/** Has no effect: everything is always included. */
const include = optional(schema({ type: 'array', items: { type: 'string' } }, () => undefined))
/** Shortening a conversation is not supported. */
const except = ['/v1/responses/compact']

export const responseOperations = {
  createResponse: post(
    '/responses',
    withKey('chat'),
    'Creates a response to text or items, returned as JSON or as a stream.',
    { headers: retryHeaders, body: named('CreateResponse', responsesBody), isForModel: true, answer, event },
  ),
  countInputTokens: post(
    '/responses/input_tokens',
    withKey('chat'),
    'Counts the tokens of the prompt that a response would be created from. Nothing is generated or billed.',
    {
      body: named('CountInputTokens', countedResponsesBody),
      isForModel: true,
      answer: named('InputTokenCount', inputTokensSchema),
    },
  ),
  getResponse: get(
    '/responses/{response}',
    reader,
    'Retrieves a stored response, as JSON or as the stream of its events.',
    {
      except,
      query: object({
        include,
        include_obfuscation: optional(booleanText),
        starting_after: optional(integerText({ min: 0, max: Number.MAX_SAFE_INTEGER })),
        stream: optional(booleanText),
      }),
      answer,
      event,
    },
  ),
  deleteResponse: remove('/responses/{response}', writer, 'Deletes a stored response.', {
    except,
    answer: named('DeletedResponse', deletedResponseSchema),
  }),
  cancelResponse: post(
    '/responses/{response}/cancel',
    writer,
    'Always an error: only responses in the background could be cancelled, and there are none.',
    { answer },
  ),
  listInputItems: get(
    '/responses/{response}/input_items',
    reader,
    'Lists the input items of a stored response, without those of the responses before it.',
    { query: object({ ...pageFields, include }), answer: named('InputItemPage', inputItemPageSchema) },
  ),
}
