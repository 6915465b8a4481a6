import fc, { type Arbitrary } from 'fast-check'
import {
  asObject,
  either,
  type Kind,
  leaf,
  list,
  made,
  object,
  onlyNull,
  orNull,
  someWords,
  text,
  word,
} from './kind.ts'

/** Messages of every role, and conversations with matching calls and answers. */
type Message = Record<string, unknown>

const breakpoint = object({ mode: word('explicit') }, { ttl: word('30m', '12h') })
const partType = (own: string) => someWords([own], ['text', 'refusal', 'image_url', 'input_audio', 'file'])
const textPart = object({ type: partType('text'), text: text() }, { prompt_cache_breakpoint: breakpoint })
const refusalPart = object({ type: partType('refusal'), refusal: text() })

/** Parts of other kinds are known and refused; the error names their type. */
const withUnserved = (parts: Kind): Kind => ({
  ...parts,
  errors: (value) => [
    ...parts.errors(value),
    ...unservedParts.map((part) => ({ value: [part], at: '[0].type' })),
    { value: [{ type: 'video', video: 'x' }], at: '[0].type' },
  ],
})
const unservedParts = [
  { type: 'image_url', image_url: { url: 'data:image/png;base64,!!', detail: 'low' } },
  { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
  { type: 'file', file: { file_id: 'file-1' } },
]

const parts = withUnserved(list(textPart, { min: 1 }))
export const textContent = either(text(), parts)
const refusalList: Kind = {
  ...withUnserved(list(refusalPart, { min: 1, shown: 1 })),
  takes: (value) => Array.isArray(value) && value.some((part) => asObject(part)?.type === 'refusal'),
}
const assistantContent = either(text(), refusalList, parts)

const allRoles = ['developer', 'system', 'user', 'assistant', 'tool', 'function']
const role = (own: string) => someWords([own], allRoles)
const shortName = text({ max: 64 })
const id = text({ min: 1 })

const functionCall = object({ name: text({ min: 1 }), arguments: text() })
const toolCall = object({ id, type: someWords(['function'], ['function', 'custom']), function: functionCall })
const customCall = { id: 'call_c', type: 'custom', custom: { name: 'c', input: 'x' } }
const callList = list(toolCall, { min: 1, max: 128, shown: 2 })
const toolCalls: Kind = {
  ...callList,
  errors: (value) => [...callList.errors(value), { value: [customCall], at: '[0].type' }],
}

const anything = leaf(fc.constantFrom<unknown[]>([], null, [{ type: 'url_citation' }], 'x'), () => true)
const echoes = {
  name: shortName,
  refusal: orNull(text()),
  reasoning_content: orNull(text()),
  audio: onlyNull,
  annotations: anything,
  sender: anything,
  reasoning: anything,
}
const spoken = (own: string) =>
  object({ role: role(own), content: textContent }, { name: shortName, sender: anything, tool_calls: onlyNull })
const noCalls = leaf(fc.constant(null), (value) => value === null || Array.isArray(value), [], {}, 'x')
const said = object({ role: role('assistant'), content: assistantContent }, { ...echoes, tool_calls: noCalls })
/** A refusal replaces the content, so whether null is valid here depends on the content. */
const refusal: Kind = { ...text(), takes: (value) => value === null || typeof value === 'string' }
const refused = object(
  { role: role('assistant'), refusal },
  { ...echoes, content: orNull(assistantContent), tool_calls: noCalls },
)
/** Null removes a call; the error then names the content or the conversation. */
const orTaken = (kind: Kind): Kind => ({ ...kind, takes: (value) => value === null || kind.takes(value) })
const called = object(
  { role: role('assistant'), tool_calls: orTaken(toolCalls) },
  { ...echoes, content: orNull(assistantContent) },
)
const calledOld = object(
  { role: role('assistant'), function_call: orTaken(functionCall) },
  { ...echoes, content: orNull(assistantContent) },
)
const answered = object({ role: role('tool'), content: textContent, tool_call_id: id }, { tool_name: anything })
const answeredOld = object({ role: role('function'), content: orNull(text()), name: text({ min: 1 }) })

const assistantOf = (message: Message): Kind => {
  if (Array.isArray(message.tool_calls)) return withoutMissing(called, 'tool_calls')
  if (message.function_call) return withoutMissing(calledOld, 'function_call')
  return typeof message.refusal === 'string' ? withoutMissing(refused, 'refusal') : said
}

/** A call may be omitted; then the conversation is invalid or the content is missing. */
const withoutMissing = (kind: Kind, field: string): Kind => ({
  ...kind,
  errors: (value) => kind.errors(value).filter(({ at }) => at !== `.${field}`),
})

const kindOf = (message: Message): Kind => {
  if (message.role === 'assistant') return assistantOf(message)
  if (message.role === 'tool') return answered
  return message.role === 'function' ? answeredOld : spoken(String(message.role))
}

/** An unanswered call, or an answer without a call, causes a different error than an invalid value. */
const roundTrip: Arbitrary<Message[]> = fc
  .tuple(called.right, answered.right, fc.boolean())
  .map(([call, answer, backwards]) => {
    const calls = (asObject(call).tool_calls as Message[]).map((one, index) => ({ ...one, id: `call_${index}` }))
    const answers = calls.map((one) => ({ ...asObject(answer), tool_call_id: one.id }))
    return [{ ...asObject(call), tool_calls: calls }, ...(backwards ? answers.toReversed() : answers)]
  })
const oldRoundTrip: Arbitrary<Message[]> = fc
  .tuple(calledOld.right, answeredOld.right)
  .map(([call, answer]) => [asObject(call), asObject(answer)])
const oneMessage: Arbitrary<Message[]> = fc
  .oneof(spoken('user').right, spoken('system').right, spoken('developer').right, said.right, refused.right)
  .map((message) => [asObject(message)])

const conversation = fc
  .array(
    fc.oneof(
      { arbitrary: oneMessage, weight: 6 },
      { arbitrary: roundTrip, weight: 2 },
      { arbitrary: oldRoundTrip, weight: 1 },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((turns) => turns.flat())

const anyMessage: Kind = {
  right: oneMessage,
  takes: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  errors: (value) => kindOf(asObject(value)).errors(value),
  inside: (value) => kindOf(asObject(value)).inside(value),
}

export const messagesKind: Kind = made(list(anyMessage, { min: 1 }), conversation)
