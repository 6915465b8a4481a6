import { openEndLength } from './text-search.ts'
import { createToolCallParser } from './tool-call-parser.ts'

/**
 * What a piece of the model's text is. `source` is the text it stands for, so that all sources joined are what the model
 * wrote.
 */
export type Segment =
  | { type: 'content' | 'reasoning' | 'arguments' | 'dropped'; source: string }
  | { type: 'call'; name: string; source: string }
  /** A call is complete. */
  | { type: 'called'; source: string }

export interface Segments {
  push(piece: string): Segment[]
  /** The answer has ended. */
  flush(): Segment[]
}

type SegmentsOptions = { calls: boolean; reasoning: boolean }

/** Tells apart what the model thinks (`<think>`), says and calls (`<tool_call>`), however its text is cut into pieces. */
export const createSegments = ({ calls, reasoning }: SegmentsOptions): Segments => {
  if (!calls && !reasoning) return contentOnly
  const open: Record<Place, () => Mode> = {
    beginning: openBeginning,
    thinking: openThinking,
    speaking: () => openSpeaking({ calls, behind: 'nothing' }),
    'behind a thought': () => openSpeaking({ calls, behind: 'thought' }),
    calling: openCalling,
    'behind a call': () => openSpeaking({ calls, behind: 'call' }),
  }
  let mode = open[reasoning ? 'beginning' : 'speaking']()
  const run = (text: string, ended: boolean): Segment[] => {
    const segments: Segment[] = []
    let rest = text
    for (;;) {
      const step = mode(rest, ended)
      segments.push(...step.segments.filter(({ type, source }) => source !== '' || type === 'called'))
      if (step.next === null) return segments
      mode = open[step.next]()
      rest = step.rest
    }
  }
  return { push: (piece) => run(piece, false), flush: () => run('', true) }
}

const contentOnly: Segments = {
  push: (source) => (source === '' ? [] : [{ type: 'content', source }]),
  flush: () => [],
}

type Place = 'beginning' | 'thinking' | 'speaking' | 'behind a thought' | 'calling' | 'behind a call'
type Step = { segments: Segment[]; next: null } | { segments: Segment[]; next: Place; rest: string }
/** Takes the next piece, or the end; says where the rest of it belongs when that is elsewhere. */
type Mode = (piece: string, ended: boolean) => Step

const thinkStart = '<think>'
const thinkEnd = '</think>'
export const callStart = '<tool_call>'

/** A thought, or no thought at all. */
const openBeginning = (): Mode => {
  let held = ''
  return (piece, ended) => {
    held += piece
    const begun = held.trimStart()
    if (begun.startsWith(thinkStart)) {
      const end = held.length - begun.length + thinkStart.length
      return { segments: [{ type: 'dropped', source: held.slice(0, end) }], next: 'thinking', rest: held.slice(end) }
    }
    if (!ended && thinkStart.startsWith(begun)) return { segments: [], next: null }
    return { segments: [], next: 'speaking', rest: held }
  }
}

const openThinking = (): Mode => {
  let held = ''
  return (piece, ended) => {
    held += piece
    const end = held.indexOf(thinkEnd)
    if (end !== -1) {
      const behind = end + thinkEnd.length
      const segments: Segment[] = [
        { type: 'reasoning', source: held.slice(0, end) },
        { type: 'dropped', source: held.slice(end, behind) },
      ]
      return { segments, next: 'behind a thought', rest: held.slice(behind) }
    }
    const safe = ended ? held.length : held.length - openEndLength(held, [thinkEnd])
    const source = held.slice(0, safe)
    held = held.slice(safe)
    return { segments: [{ type: 'reasoning', source }], next: null }
  }
}

/** Blanks behind a thought, in front of a call and behind the last one are the template's and not the answer's. */
const openSpeaking = ({ calls, behind }: { calls: boolean; behind: 'nothing' | 'thought' | 'call' }): Mode => {
  let held = ''
  let silent = behind === 'thought'
  return (piece, ended) => {
    held += piece
    const segments: Segment[] = []
    if (silent) {
      const blank = held.length - held.trimStart().length
      segments.push({ type: 'dropped', source: held.slice(0, blank) })
      held = held.slice(blank)
      silent = held === ''
    }
    const start = calls ? held.indexOf(callStart) : -1
    if (start !== -1) {
      const said = held.slice(0, start).trimEnd()
      segments.push({ type: 'content', source: said }, { type: 'dropped', source: held.slice(said.length, start) })
      return { segments, next: 'calling', rest: held.slice(start) }
    }
    const safe =
      ended || !calls ? held.length : held.slice(0, held.length - openEndLength(held, [callStart])).trimEnd().length
    const source = held.slice(0, safe)
    held = held.slice(safe)
    const isBlankEnd = ended && behind === 'call' && source.trim() === ''
    segments.push({ type: isBlankEnd ? 'dropped' : 'content', source })
    return { segments, next: null }
  }
}

const openCalling = (): Mode => {
  const reader = createToolCallParser()
  return (piece, ended) => {
    if (ended) return { segments: reader.flush(), next: null }
    const { segments, rest } = reader.push(piece)
    return rest === null ? { segments, next: null } : { segments, next: 'behind a call', rest }
  }
}
