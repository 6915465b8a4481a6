import { readObject } from './read-object.ts'
import { integer, refuse } from './setting.ts'

/** A generation whose answer is known, to find out whether an upstream still answers sensibly. */
export type CanarySetting = {
  prompt: string
  /** What the answer must contain, in upper or lower case; null: any answer that is not empty. */
  expect: string | null
  intervalMs: number
}

const absent: CanarySetting = { prompt: 'Reply with OK.', expect: null, intervalMs: 300_000 }

const shortText = (value: unknown): string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 1000
    ? value
    : refuse('a text of up to 1000 characters')

const readers = {
  prompt: shortText,
  expect: (value: unknown) => (value === null ? null : shortText(value)),
  intervalMs: integer({ default: null, min: 10_000, max: 86_400_000, text: '' }).read,
}

/** `true` is a canary with the default values, and `false` is none. */
export const readCanary = (value: unknown): CanarySetting | null => {
  if (value === false) return null
  const kind = 'true, false or an object with `prompt`, `expect` or `intervalMs`'
  const item = value === true ? {} : value
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return refuse(kind)
  return { ...absent, ...readObject(item, { where: 'canary', readers, required: [], kind }) }
}
