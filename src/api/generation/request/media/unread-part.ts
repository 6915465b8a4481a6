import type { AudioMedia, ContentPart, ImageMedia, MediaPart } from '../../../../engine/contract.ts'
import { Problem } from '../../../../http/schema/problem.ts'
import { type Schema, schema } from '../../../../http/schema/schema.ts'

/** A part with an image or audio, as it was sent. It is read once its place in the request is known. */
export type UnreadPart = { type: 'unread'; read(path: readonly (string | number)[]): MediaPart }

/**
 * Parts of this type. What is wrong with one is reported only to callers of models that accept such parts: others get an
 * error that names the type, as for any part that a model does not support.
 */
export const mediaPart = <Fields>(
  sentType: string,
  fields: Schema<Fields>,
  read: (fields: Fields) => ImageMedia | AudioMedia,
): Schema<UnreadPart> =>
  schema(fields.json, (value) => ({
    type: 'unread',
    read(path) {
      const origin = { path: pathText(path), type: sentType, error: null }
      try {
        return { ...read(fields(value)), origin }
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        const refusal = path.reduceRight((problem: Problem, step) => problem.under(step), error).toApiError()
        return { type: 'image', url: '', bytes: 0, origin: { ...origin, error: refusal.toPlain() } }
      }
    },
  }))

const pathText = (path: readonly (string | number)[]): string =>
  path.reduce((text: string, step) => text + (typeof step === 'number' ? `[${step}]` : `${text && '.'}${step}`), '')

/** A problem of a part that lies in one of its fields. */
export const under = <Value>(field: string, read: () => Value): Value => {
  try {
    return read()
  } catch (error) {
    throw error instanceof Problem ? error.under(field) : error
  }
}

/** What a message contains, before its images and audio are read. */
export type UnreadParts = readonly (ContentPart | UnreadPart)[]

/** `path`: of the list in the request. */
export const readParts = (parts: UnreadParts, path: readonly (string | number)[]): ContentPart[] =>
  parts.map((part, index) => (part.type === 'unread' ? part.read([...path, index]) : part))
