import { array, nullable, object, record } from '../../http/schema/containers.ts'
import { boolean, decimal, oneOf, string } from '../../http/schema/scalars.ts'
import { schema } from '../../http/schema/schema.ts'
import { answeredMessage, choiceFields, completionFields } from '../chat-completions/response-schema.ts'

/** As it was sent with the request. */
const echoed = schema({}, (value) => value)
const number = nullable(decimal({ min: -Number.MAX_VALUE, max: Number.MAX_VALUE }))

const storedMessage = object({
  ...answeredMessage,
  tool_calls: nullable(array(schema({ type: 'object' }, (value) => value))),
  function_call: nullable(schema({ type: 'object' }, (value) => value)),
})

export const storedCompletionSchema = object({
  ...completionFields,
  choices: array(object({ ...choiceFields, message: storedMessage })),
  request_id: string({ pattern: '^req_' }),
  tool_choice: echoed,
  seed: number,
  top_p: number,
  temperature: number,
  presence_penalty: number,
  frequency_penalty: number,
  input_user: nullable(string()),
  tools: echoed,
  response_format: echoed,
  metadata: nullable(record(string())),
})

const page = <Item>(item: ReturnType<typeof schema<Item>>) =>
  object({
    object: oneOf('list'),
    data: array(item),
    first_id: nullable(string()),
    last_id: nullable(string()),
    has_more: boolean,
  })

export const storedCompletionPageSchema = page(storedCompletionSchema)

export const deletedCompletionSchema = object({
  object: oneOf('chat.completion.deleted'),
  id: string(),
  deleted: boolean,
})

/** A message as it was sent, with an id; its other fields are those of the request's schema. */
const sentMessage = schema(
  {
    type: 'object',
    properties: {
      id: { type: 'string' },
      role: { type: 'string' },
      content: { type: ['string', 'null'] },
      content_parts: { anyOf: [{ type: 'array', items: { type: 'object' } }, { type: 'null' }] },
      name: { type: ['string', 'null'] },
    },
    required: ['id', 'role', 'content', 'content_parts'],
  },
  (value) => value,
)

export const messagePageSchema = page(sentMessage)
