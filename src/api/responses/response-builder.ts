import type { ApiError } from '../../base/api-error.ts'
import type { newId } from '../../base/ids.ts'
import type { FinishReason, Usage } from '../generation/answer/answer-part.ts'
import type { AnswerPiece } from './answer-piece.ts'
import { openCustomCall, openFunctionCall } from './open-call.ts'
import { type OpenItem, openMessage, openReasoning } from './open-item.ts'
import {
  type ResponseHead,
  type ResponseJson,
  type ResponseState,
  responseErrorJson,
  responseJson,
  responseUsageJson,
} from './response-json.ts'
import type { ResponseEvent, UnnumberedEvent } from './stream-events.ts'
import { createUpstreamItems } from './upstream-items.ts'

type BuilderOptions = {
  head: ResponseHead
  customTools: readonly string[]
  /** Reasoning is sent as a summary. */
  summarises: boolean
  newItemId(kind: Extract<Parameters<typeof newId>[0], 'msg' | 'rs' | 'fc' | 'ctc'>): string
}

/** `completedAt` in Unix seconds. */
type AnswerEnd = { reason: FinishReason; usage: Usage; completedAt: number }

/**
 * Turns what happens in an answer into the events of its stream, and into the response itself: the events, put together, are
 * that response. Without streaming the events are not used.
 */
export interface ResponseBuilder {
  /** The events that begin the stream. */
  start(): ResponseEvent[]
  add(piece: AnswerPiece): ResponseEvent[]
  /** The answer has finished: the events that end the stream. */
  complete(end: AnswerEnd): ResponseEvent[]
  /** The answer ends with an error. What the stream says about the error itself follows these events. */
  fail(error: ApiError): ResponseEvent[]
  response(): ResponseJson
}

export const createResponseBuilder = (options: BuilderOptions): ResponseBuilder => {
  const { head, customTools, summarises, newItemId } = options
  const state: ResponseState = {
    status: 'in_progress',
    output: [],
    usage: null,
    completedAt: null,
    error: null,
    incompleteReason: null,
  }
  let sequence = 0
  /** Several only if an upstream writes calls in parallel. The last one is the newest. */
  let open: OpenItem[] = []
  const number = (events: UnnumberedEvent[]): ResponseEvent[] =>
    events.map((event) => {
      const numbered = { ...event, sequence_number: sequence }
      sequence += 1
      return numbered
    })
  const snapshot = (): ResponseJson => responseJson(head, { ...state, output: [...state.output] })
  const begin = (item: OpenItem): UnnumberedEvent[] => {
    state.output.push(item.item)
    open.push(item)
    return item.open()
  }
  /** All but calls whose arguments may go on. */
  const closeFinished = (): UnnumberedEvent[] => {
    const closing = open.filter((item) => item.isComplete())
    open = open.filter((item) => !closing.includes(item))
    return closing.flatMap((item) => item.close('completed'))
  }
  const closeAll = (status: 'completed' | 'incomplete'): UnnumberedEvent[] => {
    const closing = open
    open = []
    return closing.flatMap((item, index) => item.close(index === closing.length - 1 ? status : 'completed'))
  }
  const itemFor = (piece: Exclude<AnswerPiece, { type: 'item' }>): OpenItem => {
    const outputIndex = state.output.length
    if (piece.type === 'reasoning') return openReasoning(newItemId('rs'), outputIndex, summarises)
    if (piece.type !== 'call') return openMessage(newItemId('msg'), outputIndex)
    return customTools.includes(piece.name)
      ? openCustomCall(newItemId('ctc'), outputIndex, piece)
      : openFunctionCall(newItemId('fc'), outputIndex, piece)
  }
  const upstreamItems = createUpstreamItems({
    open(create) {
      const events = closeFinished()
      const item = create(state.output.length)
      return item === null ? { item, events } : { item, events: [...events, ...begin(item)] }
    },
    close(item, status) {
      if (!open.includes(item)) return []
      open = open.filter((one) => one !== item)
      return item.close(status)
    },
  })
  const addPiece = (piece: AnswerPiece): UnnumberedEvent[] => {
    if (piece.type === 'item') return upstreamItems.change(piece.item)
    if (piece.type === 'call') {
      const announced = upstreamItems.call(piece)
      if (announced !== null) return announced
    } else {
      const entered = upstreamItems.entered()
      for (const item of entered === null ? open : [entered, ...open]) {
        const events = item.add(piece)
        if (events !== null) return events
      }
    }
    // Arguments of a call that is closed, because they were complete: there is nothing to add.
    if (piece.type === 'arguments') return []
    const events = closeFinished()
    const item = itemFor(piece)
    events.push(...begin(item))
    return piece.type === 'call' ? events : [...events, ...(item.add(piece) ?? [])]
  }
  return {
    start: () =>
      number([
        { type: 'response.created', response: snapshot() },
        { type: 'response.in_progress', response: snapshot() },
      ]),
    add: (piece) => number(addPiece(piece)),
    complete({ reason, usage, completedAt }) {
      const isCut = reason === 'length' || reason === 'content_filter'
      const events = state.output.length === 0 ? begin(openMessage(newItemId('msg'), 0)) : []
      events.push(...closeAll(isCut ? 'incomplete' : 'completed'))
      state.usage = responseUsageJson(usage)
      state.status = isCut ? 'incomplete' : 'completed'
      state.completedAt = isCut ? null : completedAt
      if (isCut) state.incompleteReason = reason === 'length' ? 'max_output_tokens' : 'content_filter'
      const type = isCut ? 'response.incomplete' : 'response.completed'
      return number([...events, { type, response: snapshot() }])
    },
    fail(error) {
      const events = closeAll('incomplete')
      state.status = 'failed'
      state.error = responseErrorJson(error)
      return number([...events, { type: 'response.failed', response: snapshot() }])
    },
    response: snapshot,
  }
}
