/** The attacks of `neighbours`: bodies that are expensive to read, connections that are expensive to keep. */
export type AttackName =
  | 'overLimit'
  | 'messages'
  | 'unknownKeys'
  | 'text'
  | 'brackets'
  | 'toolProperties'
  | 'nestedAnyOf'
  | 'enums'
  | 'conversation'
  | 'unfinished'
  | 'slowReaders'
  | 'refused'
  | 'embeddings'
  | 'embeddingsAsNumbers'

export type Attack = {
  perSecond: number
  /** Of the control; by default the same. */
  controlPerSecond?: number
  key: 'attackerKey' | 'overLimitKey'
  /**
   * `unfinished`: sends all but the end of the body. `unread`: reads nothing of the answer. `kept`: on so many connections, which stay
   * open as long as the server keeps them; each sends its next request once the last one was answered, and none before it is due.
   */
  way: 'whole' | 'unfinished' | 'unread' | { kept: number }
  /** By default `/v1/chat/completions`. */
  path?: string
  /** The server has its limits on refused requests. Without, an attack that is refused costs as much as it can. */
  isLimited?: boolean
  body(): object
}

const hello = [{ role: 'user', content: 'Hi' }]
const named = (schema: object) => ({ type: 'json_schema', json_schema: { name: 'a', schema } })
const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index))

const shortMessages = (count: number): object[] =>
  times(count, (index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: 'a' }))

const toolOf = (name: string, count: number): object => {
  const properties = Object.fromEntries(times(count, (index) => [`property_${index}`, { type: 'string' }]))
  return { type: 'function', function: { name, parameters: { type: 'object', properties } } }
}

const nestedAnyOf = (width: number): object => {
  const levels = times(7, (level) => [`L${level}`, { anyOf: times(width, () => ({ $ref: `#/$defs/L${level + 1}` })) }])
  const $defs = { ...Object.fromEntries(levels), L7: { type: 'string' } }
  return { $defs, oneOf: [{ $ref: '#/$defs/L0' }, { type: 'number' }] }
}

/** Each request has a different schema: a cached one would cost nothing. */
let asked = 0
const fresh = (schema: object): object => {
  asked += 1
  return { ...schema, description: `${asked}` }
}

/** As many inputs as one request may have, on two connections. */
const embedding = (model: string): Attack => ({
  perSecond: 10,
  key: 'attackerKey',
  way: { kept: 2 },
  path: '/v1/embeddings',
  body: () => ({ model, input: times(2048, (index) => `input ${index}`), encoding_format: 'base64' }),
})

export const attacks: Record<AttackName, Attack> = {
  overLimit: {
    perSecond: 10,
    key: 'overLimitKey',
    way: 'whole',
    body: () => ({ messages: shortMessages(99_000) }),
  },
  messages: { perSecond: 10, key: 'attackerKey', way: 'whole', body: () => ({ messages: shortMessages(99_000) }) },
  unknownKeys: {
    perSecond: 10,
    key: 'attackerKey',
    way: 'whole',
    body: () => ({ messages: hello, ...Object.fromEntries(times(300_000, (index) => [`k${index}`, 1])) }),
  },
  text: {
    perSecond: 10,
    key: 'attackerKey',
    way: 'whole',
    body: () => ({ messages: [{ role: 'user', content: 'word '.repeat(800_000) }] }),
  },
  brackets: {
    perSecond: 10,
    key: 'attackerKey',
    way: 'whole',
    body: () => ({ messages: times(1_330_000, () => []) }),
  },
  toolProperties: {
    perSecond: 5,
    key: 'attackerKey',
    way: 'whole',
    body: () => ({ messages: hello, tools: times(128, (index) => toolOf(`tool_${index}`, 400)) }),
  },
  nestedAnyOf: {
    perSecond: 10,
    key: 'attackerKey',
    way: 'whole',
    body: () => ({ messages: hello, response_format: named(fresh(nestedAnyOf(8))) }),
  },
  enums: {
    perSecond: 5,
    key: 'attackerKey',
    way: 'whole',
    body: () => ({
      messages: hello,
      response_format: named(
        fresh({ oneOf: times(100, (branch) => ({ enum: times(900, (index) => `${branch}-${index}`) })) }),
      ),
    }),
  },
  conversation: {
    perSecond: 5,
    key: 'attackerKey',
    way: 'whole',
    body: () => ({
      messages: times(5000, (index) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: 'word '.repeat(150),
      })),
    }),
  },
  unfinished: {
    perSecond: 20,
    key: 'attackerKey',
    way: 'unfinished',
    body: () => ({ messages: [{ role: 'user', content: 'x'.repeat(4_000_000) }] }),
  },
  slowReaders: {
    perSecond: 10,
    key: 'attackerKey',
    way: 'unread',
    body: () => ({ messages: [{ role: 'user', content: 'flood' }], stream: true }),
  },
  refused: {
    isLimited: true,
    perSecond: 2000,
    controlPerSecond: 10,
    key: 'overLimitKey',
    way: { kept: 16 },
    body: () => ({ messages: hello }),
  },
  embeddings: embedding('embedder'),
  embeddingsAsNumbers: embedding('numbers-embedder'),
}

/** The control: the same number of requests as the attack, each cheap and refused. */
export const cheapBody = (): object => ({ messages: [] })
