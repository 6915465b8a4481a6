import { ApiError } from '../../../base/api-error.ts'
import { array, isObject, nullable, object, optional } from '../../../http/schema/containers.ts'
import { missing, Problem } from '../../../http/schema/problem.ts'
import { oneOf, string } from '../../../http/schema/scalars.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import { byField, byType } from '../../../http/schema/variants.ts'
import { readImage } from '../../generation/request/media/read-media.ts'
import { mediaPart, type UnreadPart, under } from '../../generation/request/media/unread-part.ts'
import { ignored } from '../../generation/request/read-fields.ts'
import { audioPart, imageDetail } from '../../openai/media-parts.ts'
import type { InputText, OutputText, Refusal } from '../items.ts'

/** The content of messages and tool outputs: a text, or a list of parts. */
const maxParts = 1000

const inputTextFields = object({
  type: oneOf('input_text'),
  text: string(),
  // Accepted without effect: the cache finds common prefixes by itself.
  prompt_cache_breakpoint: optional(ignored),
})
const inputText: Schema<InputText> = schema(inputTextFields.json, (value) => ({
  type: 'input_text',
  text: inputTextFields(value).text,
}))

/** Refused by name, never dropped silently. */
const unserved = (type: string): Schema<never> =>
  schema({ not: {}, description: `Parts of type ${type} are not supported here.` }, () => {
    throw new Problem((path) => ApiError.of('unsupported_value', { path, value: type }, { param: path })).under('type')
  })

const noFiles = (): Problem =>
  new Problem((path) => ApiError.of('unsupported_value', { path, value: 'a file ID' }, { param: path }))

const imagePart = mediaPart(
  'input_image',
  object({
    type: oneOf('input_image'),
    image_url: optional(nullable(string())),
    detail: imageDetail,
    file_id: optional(nullable(string())),
    prompt_cache_breakpoint: optional(ignored),
  }),
  ({ image_url: url, detail, file_id }) => {
    if (typeof file_id === 'string') throw noFiles().under('file_id')
    if (typeof url !== 'string') throw missing().under('image_url')
    return { ...under('image_url', () => readImage(url)), ...(detail ? { detail } : {}) }
  },
)

const userPart = byField('type', {
  input_text: inputText,
  input_image: imagePart,
  input_file: unserved('input_file'),
  input_audio: audioPart,
})
const resultPart = byField('type', {
  input_text: inputText,
  input_image: imagePart,
  input_file: unserved('input_file'),
  input_audio: unserved('input_audio'),
})
const inputPart = byField('type', {
  input_text: inputText,
  input_image: unserved('input_image'),
  input_file: unserved('input_file'),
  input_audio: unserved('input_audio'),
})

/** Only for upstreams that have this API themselves: it has no effect on others. */
export const kept: Schema<unknown> = schema(ignored.json, (value) => value)

const outputTextFields = object({
  type: oneOf('output_text'),
  text: string(),
  annotations: optional(kept),
  logprobs: optional(ignored),
  // What the parsing helpers of official libraries add: clients send it back with the answer.
  parsed: optional(ignored),
})
const outputText: Schema<OutputText> = schema(outputTextFields.json, (value) => {
  const { text: said, annotations } = outputTextFields(value)
  return {
    type: 'output_text',
    annotations: Array.isArray(annotations) ? annotations.filter(isObject) : [],
    logprobs: [],
    text: said,
  }
})
const refusal: Schema<Refusal> = object({ type: oneOf('refusal'), refusal: string() })

const text = string()
const asInputText = schema(text.json, (value): InputText[] => [{ type: 'input_text', text: text(value) }])
const asOutputText = schema(text.json, (value): OutputText[] => [
  { type: 'output_text', annotations: [], logprobs: [], text: text(value) },
])
const inputParts = array(inputPart, { min: 1, max: maxParts })

export const inputContent: Schema<InputText[]> = byType('one of a string or array of objects', {
  string: asInputText,
  array: inputParts,
})

/** Images and audio are read once the place of the item is known. */
export const userContent: Schema<(InputText | UnreadPart)[]> = byType('one of a string or array of objects', {
  string: asInputText,
  array: array(userPart, { min: 1, max: maxParts }),
})

export const outputContent: Schema<(OutputText | Refusal)[]> = byType('one of a string or array of objects', {
  string: asOutputText,
  // An answer that ended before its first token has none.
  array: array(byField('type', { output_text: outputText, refusal }), { max: maxParts }),
})

/** What a tool returned, as it was sent. */
export const toolOutput: Schema<string | (InputText | UnreadPart)[]> = byType('one of a string or array of objects', {
  string: text,
  array: array(resultPart, { min: 1, max: maxParts }),
})
