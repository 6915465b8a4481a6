import { openEndLength } from './text-search.ts'
import { createToolCallParser, type Segment } from './tool-call-parser.ts'

export interface Segments {
  push(text: string): Segment[]
  /** From here on everything is content, and nothing is held back. */
  isPlain(): boolean
  /** The model has ended. */
  flush(): Segment[]
}

type SegmentsOptions = { calls: boolean; reasoning: boolean }

/** Separates reasoning (`<think>`), content and calls (`<tool_call>`), however the text is divided. */
export const createSegments = ({ calls, reasoning }: SegmentsOptions): Segments => {
  if (!calls && !reasoning) return contentOnly
  const readers: Record<State, () => Reader> = {
    start: readStart,
    reasoning: readReasoning,
    content: () => readContent({ calls, after: 'start' }),
    'content after reasoning': () => readContent({ calls, after: 'reasoning' }),
    call: readCall,
    'content after call': () => readContent({ calls, after: 'call' }),
  }
  let read = readers[reasoning ? 'start' : 'content']()
  /** From here on everything is content, and nothing has to be looked for. */
  let isPlain = false
  const run = (text: string, isEnd: boolean): Segment[] => {
    const segments: Segment[] = []
    let rest = text
    for (;;) {
      const step = read(rest, isEnd)
      segments.push(...step.segments.filter(({ type, source }) => source !== '' || type === 'call-end'))
      if (step.next === null) return segments
      read = readers[step.next]()
      rest = step.rest
      isPlain = step.next === 'content' && !calls
    }
  }
  return {
    push: (text) => (isPlain ? contentOnly.push(text) : run(text, false)),
    isPlain: () => isPlain,
    flush: () => (isPlain ? [] : run('', true)),
  }
}

const contentOnly: Segments = {
  push: (source) => (source === '' ? [] : [{ type: 'content', source }]),
  isPlain: () => true,
  flush: () => [],
}

type State = 'start' | 'reasoning' | 'content' | 'content after reasoning' | 'call' | 'content after call'
type Step = { segments: Segment[]; next: null } | { segments: Segment[]; next: State; rest: string }
/** Reads the next text, or the end. If the state changes, `rest` is the text for the next state. */
type Reader = (text: string, isEnd: boolean) => Step

const thinkStart = '<think>'
const thinkEnd = '</think>'
export const callStart = '<tool_call>'

/** Decides whether the text begins with reasoning. */
const readStart = (): Reader => {
  let held = ''
  return (text, isEnd) => {
    held += text
    const begun = held.trimStart()
    if (begun.startsWith(thinkStart)) {
      const end = held.length - begun.length + thinkStart.length
      return { segments: [{ type: 'dropped', source: held.slice(0, end) }], next: 'reasoning', rest: held.slice(end) }
    }
    if (!isEnd && thinkStart.startsWith(begun)) return { segments: [], next: null }
    return { segments: [], next: 'content', rest: held }
  }
}

const readReasoning = (): Reader => {
  let held = ''
  return (text, isEnd) => {
    held += text
    const end = held.indexOf(thinkEnd)
    if (end !== -1) {
      const after = end + thinkEnd.length
      const segments: Segment[] = [
        { type: 'reasoning', source: held.slice(0, end) },
        { type: 'dropped', source: held.slice(end, after) },
      ]
      return { segments, next: 'content after reasoning', rest: held.slice(after) }
    }
    const safe = isEnd ? held.length : held.length - openEndLength(held, [thinkEnd])
    const source = held.slice(0, safe)
    held = held.slice(safe)
    return { segments: [{ type: 'reasoning', source }], next: null }
  }
}

/** White space after reasoning, before a call and after the last call comes from the template and is not content. */
const readContent = ({ calls, after }: { calls: boolean; after: 'start' | 'reasoning' | 'call' }): Reader => {
  let held = ''
  let isBlank = after === 'reasoning'
  return (text, isEnd) => {
    held += text
    const segments: Segment[] = []
    if (isBlank) {
      const blankLength = held.length - held.trimStart().length
      segments.push({ type: 'dropped', source: held.slice(0, blankLength) })
      held = held.slice(blankLength)
      isBlank = held === ''
    }
    const start = calls ? held.indexOf(callStart) : -1
    if (start !== -1) {
      const content = held.slice(0, start).trimEnd()
      segments.push(
        { type: 'content', source: content },
        { type: 'dropped', source: held.slice(content.length, start) },
      )
      return { segments, next: 'call', rest: held.slice(start) }
    }
    const safe =
      isEnd || !calls ? held.length : held.slice(0, held.length - openEndLength(held, [callStart])).trimEnd().length
    const source = held.slice(0, safe)
    held = held.slice(safe)
    const isBlankEnd = isEnd && after === 'call' && source.trim() === ''
    segments.push({ type: isBlankEnd ? 'dropped' : 'content', source })
    return { segments, next: null }
  }
}

const readCall = (): Reader => {
  const parser = createToolCallParser()
  return (text, isEnd) => {
    if (isEnd) return { segments: parser.flush(), next: null }
    const { segments, rest } = parser.push(text)
    return rest === null ? { segments, next: null } : { segments, next: 'content after call', rest }
  }
}
