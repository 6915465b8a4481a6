import fc, { type Arbitrary } from 'fast-check'
import { brokenRule } from './bodies/broken-rules.ts'
import { everyKind, extensionKinds, freeKinds } from './bodies/field-kinds.ts'
import { formatFields, guidedKinds } from './bodies/format-kinds.ts'
import { asObject, type ErrorNotice, type Fields, type Kind, without } from './bodies/kind.ts'
import { narrowBody } from './bodies/narrow-body.ts'
import { callingFields } from './bodies/tool-kinds.ts'
import { modelName } from './start-helix.ts'

/** Request bodies for property tests: valid ones, and ones with a single error at a known place. */
export type Body = Record<string, unknown>
export type WrongBody = { body: Body /** The param that the error names; null if none. */; param: string | null }

const rightOf = (kinds: Fields, requiredKeys: string[] = []): Arbitrary<Body> =>
  fc.record(Object.fromEntries(Object.entries(kinds).map(([name, { right }]) => [name, right])), { requiredKeys })
const pick = (...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, kindOf(name)]))
const kindOf = (name: string): Kind => {
  const kind = everyKind[name]
  if (kind === undefined) throw new Error(`there is no field ${name}`)
  return kind
}

const core = fc.record({ model: fc.constant(modelName), messages: kindOf('messages').right })
const limits = fc.oneof(rightOf(pick('max_tokens')), rightOf(pick('max_completion_tokens')))
const leastTokens = rightOf(pick('min_tokens'))
const streaming = fc.oneof(
  fc.constant({}),
  fc.record({ stream: fc.constantFrom(false, null), stream_options: fc.constant(null) }, { requiredKeys: [] }),
  fc.record(
    { stream: fc.constant(true), stream_options: kindOf('stream_options').right },
    { requiredKeys: ['stream'] },
  ),
)
const probabilities = fc.oneof(
  fc.record({ logprobs: fc.constantFrom(false, null), top_logprobs: fc.constant(null) }, { requiredKeys: [] }),
  fc.record(
    { logprobs: fc.constant(true), top_logprobs: kindOf('top_logprobs').right },
    { requiredKeys: ['logprobs'] },
  ),
)
const openings = fc.constantFrom<Body[]>(
  {},
  {},
  {},
  { add_generation_prompt: true, continue_final_message: false },
  { add_generation_prompt: false },
  { add_generation_prompt: null, continue_final_message: null },
  { continue_final_message: true },
  { continue_final_message: true, add_generation_prompt: false },
)

/** Most fields are omitted, as in practice; omitted fields cost no time. */
const some = (kinds: Fields, maxLength: number): Arbitrary<Body> =>
  fc
    .array(
      fc.oneof(...Object.entries(kinds).map(([name, { right }]) => right.map((value) => [name, value] as const))),
      {
        maxLength,
      },
    )
    .map((entries) => Object.fromEntries(entries))

const joined = (pieces: Body[]): Body => Object.assign({}, ...pieces)

const constraining = ['tools', 'functions', 'response_format', ...Object.keys(guidedKinds)]
/** A format or tools may need other tokens than the allowed ones. */
const withoutConflict = (body: Body): Body =>
  constraining.some((name) => name in body) ? without(body, 'allowed_token_ids') : body

const official = [core, limits, streaming, probabilities, callingFields, some(freeKinds, 8)]
export const validBody: Arbitrary<Body> = fc
  .tuple(...official, formatFields, leastTokens, openings, some(extensionKinds, 4))
  .map(joined)
  .map(withoutConflict)

const officialFormat = formatFields.map(
  ({ response_format }): Body => (response_format === undefined ? {} : { response_format }),
)
/** Valid bodies that conform to the official document. */
export const officialBody: Arbitrary<Body> = fc
  .tuple(...official, officialFormat)
  .map(joined)
  .map(narrowBody)

/** Values that are valid in few places. */
const stranger: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(null, true, 0, -1, 1.5, 1e300, '', 'x', [], [1], {}, { a: 1 }, 'null', '0'),
  fc.jsonValue({ maxDepth: 1 }),
)

type Place = { path: (string | number)[]; kind: Kind; value: unknown }

const placesIn = (body: Body): Place[] => {
  const places: Place[] = []
  const visit = (place: Place): void => {
    places.push(place)
    for (const [step, kind] of place.kind.inside(place.value))
      visit({ path: [...place.path, step], kind, value: asObject(place.value)[step] })
  }
  for (const [name, kind] of Object.entries(everyKind)) {
    const here = { path: [name], kind, value: body[name] }
    if (name in body) visit(here)
    else places.push(here)
  }
  return places
}

const errorsAt = ({ kind, value }: Place, strange: unknown): ErrorNotice[] => [
  ...(value === undefined ? [] : kind.errors(value)),
  ...(kind.takes(strange) ? [] : [{ value: strange, at: '' }]),
]

const shown = (path: (string | number)[]): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`)).join('')

const replaced = (value: unknown, [step, ...rest]: (string | number)[], by: unknown): unknown => {
  if (step === undefined) return by
  const inner = replaced(asObject(value)[step], rest, by)
  return Array.isArray(value) ? value.with(Number(step), inner) : { ...asObject(value), [step]: inner }
}

/** Continues from the chosen place until one can be made invalid; the model always can. */
const spoil = (body: Body, chosen: number, way: number, strange: unknown): WrongBody => {
  const places = placesIn(body)
  for (let tried = 0; tried < places.length; tried += 1) {
    const place = places[(chosen + tried) % places.length]
    const errors = place === undefined ? [] : errorsAt(place, strange)
    const fault = errors[way % errors.length]
    if (place === undefined || fault === undefined) continue
    const spoilt = asObject(replaced(body, place.path, fault.value))
    return { body: spoilt, param: fault.param ?? shown(place.path) + fault.at }
  }
  return { body: { ...body, model: 5 }, param: 'model' }
}

const wrongPlace = fc
  .tuple(validBody, fc.nat(), fc.nat(), stranger)
  .map(([body, chosen, way, strange]) => spoil(body, chosen, way, strange))

export const wrongBody: Arbitrary<WrongBody> = fc.oneof(
  { arbitrary: wrongPlace, weight: 5 },
  { arbitrary: fc.tuple(validBody, brokenRule).map(([body, breakIt]) => breakIt(body)), weight: 1 },
)
