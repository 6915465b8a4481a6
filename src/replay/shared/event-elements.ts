import type { PlainError } from '../../base/api-error.ts'
import { parseJsonText } from '../../base/parse-json-text.ts'
import type { SharedEnd, SharedPart } from './shared-events.ts'

/** The first character of an element says what it is: an event, or the end. */
const tags = { event: 'e', stored: 's', complete: 'c', not_kept: 'x', failed: 'f', abandoned: 'a' } as const

export const writeElements = ({ events, end }: SharedPart): string[] => {
  const elements = events.map((data) => tags.event + data)
  if (end !== null) elements.push(tags[end.type] + (end.type === 'failed' ? JSON.stringify(end.error) : ''))
  return elements
}

/** Nothing comes after the end. */
export const readElements = (elements: readonly string[]): SharedPart => {
  const events: string[] = []
  for (const element of elements) {
    const content = element.slice(1)
    if (element.startsWith(tags.event)) events.push(content)
    else return { events, end: readEnd(element.slice(0, 1), content) }
  }
  return { events, end: null }
}

const readEnd = (tag: string, content: string): SharedEnd | null => {
  if (tag === tags.stored) return { type: 'stored' }
  if (tag === tags.complete) return { type: 'complete' }
  if (tag === tags.not_kept) return { type: 'not_kept' }
  if (tag === tags.abandoned) return { type: 'abandoned' }
  return tag === tags.failed ? { type: 'failed', error: asError(content) } : null
}

/** True because only `writeElements` writes it. */
const asError = (content: string): PlainError => parseJsonText(content) as PlainError
