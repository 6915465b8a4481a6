import { isRecord } from '../../base/is-record.ts'
import { parseJsonText } from '../../base/parse-json-text.ts'

/**
 * The chunks of most streams differ in nothing but the text of their delta, and say nothing else. Once one of a stream was parsed,
 * those that are written in the same way are read by comparing what stands around that text, which takes a fraction of the
 * time of parsing them. Whatever differs in anything else, or has to be unescaped, is parsed.
 */
export interface PlainChunk {
  /**
   * The texts of the events from this position on, each with the blank line after it, up to the first that has to be parsed. `end`
   * then returns where that begins. None: it is at this position.
   */
  textsAt(lines: string, at: number): string[]
  end(): number
  /** The data of an event was parsed to this value: the next may be like it. */
  learn(json: string, value: unknown): void
}

/** A stream whose chunks always differ elsewhere, such as in random padding, is not looked at for longer than that. */
const maxLearned = 4
const marker = '"content":"'
const quotationMark = 34
const backslash = 92
const firstPrintable = 32

export const createPlainChunk = (): PlainChunk => {
  let learned = 0
  /** Up to the quotation mark before the text; empty while nothing is known. */
  let before = ''
  /** From the quotation mark after the text on. */
  let after = ''
  /** From one text to the next. */
  let between = ''
  let end = 0
  /** Adds the text of an event, of which this is the JSON, if it is one. */
  const add = (json: string, texts: string[]): boolean => {
    const text = unquote(json)
    if (text === null) return false
    texts.push(text)
    end += before.length + json.length + after.length
    return true
  }
  return {
    textsAt(lines, at) {
      const texts: string[] = []
      end = at
      if (before === '' || !lines.startsWith(before, at)) return texts
      const from = at + before.length
      const textEnd = plainEnd(lines, from)
      // Tokens that arrive one by one are most of all.
      if (textEnd !== -1 && lines.startsWith(after, textEnd) && !lines.startsWith(before, textEnd + after.length)) {
        add(lines.slice(from, textEnd), texts)
        return texts
      }
      // What stands between two texts is long, and long texts are found without looking at every character.
      const parts = lines.slice(from).split(between)
      const last = parts.pop() ?? ''
      for (const part of parts) if (!add(part, texts)) return texts
      const lastEnd = plainEnd(last, 0)
      if (lastEnd !== -1 && last.startsWith(after, lastEnd)) add(last.slice(0, lastEnd), texts)
      return texts
    },
    end: () => end,
    learn(json, value) {
      const own = plainText(value)
      // Several lines of data are one event, but not written in one way.
      if (learned >= maxLearned || own === null || json.includes('\n')) return
      learned += 1
      const start = json.indexOf(marker) + marker.length
      const end = plainEnd(json, start)
      if (end === -1) return
      const [one, other] = [json.slice(0, start), json.slice(end)]
      const probe = own === 'probe' ? 'other' : 'probe'
      // Whatever else is called content, and however it is written: what is read from the other text decides.
      if (plainText(tryParse(one + probe + other)) !== probe) return
      before = `data: ${one}`
      after = `${other}\n\n`
      between = after + before
    },
  }
}

/** Everything but controls, quotation marks and backslashes. */
const isPlain = /^[ !#-[\]-\uffff]*$/

/** The text of what stands between the quotation marks of a string; null if that is no string. */
const unquote = (json: string): string | null => {
  if (isPlain.test(json)) return json
  const text = tryParse(`"${json}"`)
  return typeof text === 'string' ? text : null
}

/** Where a text ends in which nothing has to be unescaped; -1 if something has to. */
const plainEnd = (json: string, from: number): number => {
  for (let at = from; at < json.length; at += 1) {
    const unit = json.charCodeAt(at)
    if (unit === quotationMark) return at
    if (unit === backslash || unit < firstPrintable) return -1
  }
  return -1
}

/** The text of a chunk that says nothing else, as `answer-reader.ts` understands it; null of any other value. */
const plainText = (value: unknown): string | null => {
  if (!isRecord(value) || isSet(value.error) || isSet(value.usage)) return null
  if (!Array.isArray(value.choices) || value.choices.length !== 1) return null
  const choice: unknown = value.choices[0]
  if (!isRecord(choice) || !isRecord(choice.delta) || (isSet(choice.index) && choice.index !== 0)) return null
  if (isSet(choice.finish_reason) || isSet(choice.logprobs) || isSet(choice.error)) return null
  const { content, role: _, ...others } = choice.delta
  return typeof content === 'string' && !Object.values(others).some(isSet) ? content : null
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null

const tryParse = (json: string): unknown => {
  try {
    return parseJsonText(json)
  } catch {
    return null
  }
}
