import { isRecord } from '../../base/is-record.ts'
import { parseJsonText } from '../../base/parse-json-text.ts'

/**
 * The chunks of most streams differ in nothing but the text of their delta. Once one was parsed, the next are read by comparing
 * what stands before and after that text, which takes a fraction of the time of parsing them. The values are those that
 * parsing gives.
 */
export interface RepeatedChunk {
  /** The value of a chunk that differs from a learned one in its text only; undefined if it has to be parsed. */
  read(json: string): unknown
  /** A chunk was parsed to this value: the next may be like it. */
  learn(json: string, value: unknown): void
}

type Known = { head: Record<string, unknown>; choice: Record<string, unknown>; delta: Record<string, unknown> }

/** A stream whose chunks always differ elsewhere, such as in random padding, is not looked at for longer than that. */
const maxLearned = 4
const marker = '"content":"'
/** No controls, quotation marks or backslashes: what needs an escape in JSON. */
const isPlain = /^[ !#-[\]-\uffff]*$/
const probe = 'probe'

export const createRepeatedChunk = (): RepeatedChunk => {
  let learned = 0
  let known: Known | null = null
  let before = ''
  let after = ''
  return {
    read(json) {
      if (known === null) return undefined
      const end = json.length - after.length
      if (end < before.length || !json.startsWith(before) || !json.endsWith(after)) return undefined
      const content = json.slice(before.length, end)
      return isPlain.test(content) ? chunkWith(known, content) : undefined
    },
    learn(json, value) {
      if (learned >= maxLearned) return
      const parts = partsOf(value)
      if (parts === null) return
      learned += 1
      const start = json.indexOf(marker) + marker.length
      const end = start + String(parts.delta.content).length
      const [one, other] = [json.slice(0, start), json.slice(end)]
      // Whatever else is called content, and however it is written: what is read from the other text decides.
      if (partsOf(tryParse(one + probe + other))?.delta.content !== probe) return
      known = parts
      before = one
      after = other
    },
  }
}

const chunkWith = ({ head, choice, delta }: Known, content: string): Record<string, unknown> => ({
  ...head,
  choices: [{ ...choice, delta: { ...delta, content } }],
})

/** Null unless it is a chunk with one choice and a text. */
const partsOf = (value: unknown): Known | null => {
  if (!isRecord(value) || !Array.isArray(value.choices) || value.choices.length !== 1) return null
  const choice: unknown = value.choices[0]
  if (!isRecord(choice) || !isRecord(choice.delta)) return null
  const { delta } = choice
  return typeof delta.content === 'string' ? { head: value, choice, delta } : null
}

const tryParse = (json: string): unknown => {
  try {
    return parseJsonText(json)
  } catch {
    return null
  }
}
