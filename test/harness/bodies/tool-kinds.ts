import fc, { type Arbitrary } from 'fast-check'
import { parametersKind, strictSchemaKind } from './json-schemas.ts'
import { asObject, either, flag, type Kind, leaf, list, name, object, orNull, someWords, text, word } from './kind.ts'

/** Tools, the older functions, and the choices among them. */
const description = orNull(text())
const looseFunction = object(
  { name: name() },
  {
    description,
    parameters: orNull(parametersKind),
    strict: orNull(leaf(fc.constant(false), (value) => typeof value === 'boolean', 'false')),
  },
)
const strictFunction = object(
  {
    name: name(),
    // Without them, strict requests are refused.
    parameters: { ...orNull(strictSchemaKind), right: strictSchemaKind.right },
    strict: leaf(fc.constant(true), (value) => value === null || typeof value === 'boolean', 1),
  },
  { description },
)
const isStrict = (value: unknown): boolean => asObject(value).strict === true

const functionKind: Kind = {
  right: fc.oneof(looseFunction.right, strictFunction.right),
  takes: looseFunction.takes,
  // A strict function stays valid without its schema or without `strict`.
  errors: (value) => looseFunction.errors(value),
  inside: (value) => (isStrict(value) ? strictFunction : looseFunction).inside(value),
}

const customTool = { type: 'custom', custom: { name: 'c', format: { type: 'text' } } }
const tool = object({ type: someWords(['function'], ['function', 'custom']), function: functionKind })
const toolList = list(tool, { min: 1, max: 128 })
export const toolsKind: Kind = {
  ...toolList,
  errors: (value) => [...toolList.errors(value), { value: [customTool], at: '[0].type' }],
}
export const functionsKind = list(functionKind, { min: 1, max: 128 })

const byName = object({ name: text({ min: 1 }) })
const named = object({ type: someWords(['function'], choiceTypes()), function: byName })
const allowed = object({
  type: someWords(['allowed_tools'], choiceTypes()),
  allowed_tools: object({ mode: word('auto', 'required'), tools: list(named, { min: 1, max: 128 }) }),
})
function choiceTypes(): string[] {
  return ['function', 'custom', 'allowed_tools']
}

const customChoice = { value: { type: 'custom', custom: { name: 'c' } }, at: '.type' }
const chosen: Kind = {
  right: fc.oneof(named.right, allowed.right),
  takes: named.takes,
  errors: (value) => [...('function' in asObject(value) ? named : allowed).errors(value), customChoice],
  inside: (value) => ('function' in asObject(value) ? named : allowed).inside(value),
}
export const toolChoiceKind = either(word('none', 'auto', 'required'), chosen)
export const functionCallKind = either(word('none', 'auto'), byName)

type Body = Record<string, unknown>
const oneOfEach = (functions: unknown[]): Body[] => [
  ...new Map(functions.map((one) => [asObject(one).name, asObject(one)])).values(),
]
const choiceOf = (names: unknown[]): Arbitrary<unknown> =>
  fc.constantFrom(
    ...['none', 'auto', 'required'],
    ...names.map((own) => ({ type: 'function', function: { name: own } })),
    ...['auto', 'required'].map((mode) => ({
      type: 'allowed_tools',
      allowed_tools: { mode, tools: names.map((own) => ({ type: 'function', function: { name: own } })) },
    })),
  )
const functionCallOf = (names: unknown[]): Arbitrary<unknown> =>
  fc.constantFrom('none', 'auto', ...names.map((own) => ({ name: own })))

const withTools = fc.array(functionKind.right, { minLength: 1, maxLength: 2 }).chain((made) => {
  const functions = oneOfEach(made)
  const tools = functions.map((one) => ({ type: 'function', function: one }))
  const tool_choice = choiceOf(functions.map((one) => one.name))
  return fc.record(
    { tools: fc.constant(tools), tool_choice, parallel_tool_calls: flag.right },
    { requiredKeys: ['tools'] },
  )
})
const withFunctions = fc.array(functionKind.right, { minLength: 1, maxLength: 2 }).chain((made) => {
  const functions = oneOfEach(made)
  const function_call = functionCallOf(functions.map((one) => one.name))
  return fc.record({ functions: fc.constant(functions), function_call }, { requiredKeys: ['functions'] })
})

/** The fields of a body that define the callable functions, in either spelling. */
export const callingFields: Arbitrary<Body> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 8 },
  {
    arbitrary: fc.constantFrom<Body[]>(
      { tool_choice: 'none' },
      { function_call: 'none' },
      { parallel_tool_calls: false },
      { tools: null, tool_choice: null, parallel_tool_calls: null, functions: null, function_call: null },
    ),
    weight: 1,
  },
  { arbitrary: withTools, weight: 2 },
  { arbitrary: withFunctions, weight: 1 },
)
