import { ApiError } from '../../../base/api-error.ts'
import { array, object, optional } from '../../../http/schema/containers.ts'
import { Problem } from '../../../http/schema/problem.ts'
import { oneOf, string } from '../../../http/schema/scalars.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import { byField, byType } from '../../../http/schema/variants.ts'
import { readImage } from '../../generation/request/media/read-media.ts'
import { mediaPart, type UnreadPart, under } from '../../generation/request/media/unread-part.ts'
import { ignored } from '../../generation/request/read-fields.ts'
import { audioPart, imageDetail } from '../../openai/media-parts.ts'

/** The content of a message: a text, or parts of text that are joined by line breaks. */
const text = string()

/** Accepted without effect: nothing of a prompt is kept between requests yet. */
const breakpoint = object({ mode: oneOf('explicit'), ttl: optional(oneOf('30m', '12h')) })
const textPart = object({
  type: oneOf('text'),
  text,
  prompt_cache_breakpoint: optional(breakpoint),
  // The same in another provider's spelling.
  cache_control: optional(ignored),
})
const refusalPart = object({ type: oneOf('refusal'), refusal: text })

const imageUrl = object({ url: text, detail: imageDetail })
const imagePart = mediaPart(
  'image_url',
  object({ type: oneOf('image_url'), image_url: imageUrl, cache_control: optional(ignored) }),
  ({ image_url: { url, detail } }) => ({
    ...under('image_url', () => under('url', () => readImage(url))),
    ...(detail ? { detail } : {}),
  }),
)
/** A part that no model supports: refused by name, never silently ignored. */
const unservedPart = (type: string): Schema<never> =>
  schema({ not: {}, description: `Parts of type ${type} are not supported.` }, () => {
    throw new Problem((path) => ApiError.of('unsupported_value', { path, value: type }, { param: path })).under('type')
  })

const textOnly = { text: textPart }
const spokenParts = { text: textPart, image_url: imagePart, input_audio: audioPart, file: unservedPart('file') }

const maxParts = 1000

const partText = (part: { text: string } | { refusal: string }): string => ('text' in part ? part.text : part.refusal)

const contentSchema = <Part extends { text: string } | { refusal: string }>(part: Schema<Part>): Schema<string> => {
  const parts = array(part, { min: 1, max: maxParts })
  const joined = schema(parts.json, (value) => parts(value).map(partText).join('\n'))
  return byType('one of a string or array of objects', { string: text, array: joined })
}

export const textContent = contentSchema(byField('type', textOnly))

/** Parts are kept only if some have an image or audio. */
export type UserContent = { content: string; parts?: readonly ({ type: 'text'; text: string } | UnreadPart)[] }

const userParts = array(byField('type', spokenParts), { min: 1, max: maxParts })
export const userContent: Schema<UserContent> = byType('one of a string or array of objects', {
  string: schema(text.json, (value) => ({ content: text(value) })),
  array: schema(userParts.json, (value) => {
    const parts = userParts(value)
    const texts = parts.flatMap((part) => (part.type === 'unread' ? [] : [part.text]))
    const content = texts.join('\n')
    if (texts.length === parts.length) return { content }
    return { content, parts: parts.map((part) => (part.type === 'unread' ? part : { type: 'text', text: part.text })) }
  }),
})

/** Text parts, or a single refusal. */
const assistantParts = array(byField('type', { text: textPart, refusal: refusalPart }), { min: 1, max: maxParts })
export const assistantContent: Schema<string> = byType('one of a string or array of objects', {
  string: text,
  array: schema(assistantParts.json, (value) => {
    const parts = assistantParts(value)
    const refusal = parts.findIndex((part) => 'refusal' in part)
    if (refusal !== -1 && parts.length > 1)
      throw new Problem((path) =>
        ApiError.of('refused_value', { path, reason: 'a refusal must be the only part' }, { param: path }),
      ).under(refusal)
    return parts.map(partText).join('\n')
  }),
})
