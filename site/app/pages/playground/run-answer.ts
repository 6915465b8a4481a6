import { PlatformError } from '../../../platform/platform-error.ts'
import type { AnswerEvent } from '../../answer/read-chunk.ts'
import { streamAnswer } from '../../answer/stream-answer.ts'
import { announceSessionEnd } from '../../session-end.ts'
import { buildRequest } from './build-request.ts'
import { checkSettings, fieldOfParam } from './check-settings.ts'
import { changeAnswer, changePlayground, readPlayground } from './playground-store.ts'
import { type AnswerTurn, newAnswer, type Outcome, type Turn } from './turns.ts'

let running: AbortController | null = null

export const stopAnswer = (): void => running?.abort()

/**
 * Requests an answer to these turns and streams it to the page. False if a field of the panel is invalid: nothing is
 * sent, and the fields say why.
 */
export const runAnswer = (model: string, turns: readonly Turn[]): boolean => {
  const { system, settings } = readPlayground()
  const { options, errors } = checkSettings(settings)
  if (Object.keys(errors).length > 0) {
    changePlayground({ errors })
    return false
  }
  running?.abort()
  const control = new AbortController()
  running = control
  const answer = newAnswer({ model, isJson: settings.format === 'schema' })
  changePlayground({ turns: [...turns, answer], runningId: answer.id, errors: {} })
  const request = buildRequest({ model, system, turns, options })
  void follow(answer.id, request, control.signal).then((outcome) => {
    changeAnswer(answer.id, (turn) => ({ ...turn, outcome }))
    if (running !== control) return
    running = null
    changePlayground({ runningId: null })
  })
  return true
}

const follow = async (id: string, request: unknown, signal: AbortSignal): Promise<Outcome> => {
  for (;;) {
    try {
      return await receive(id, request, signal)
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped' }
      if (!(error instanceof PlatformError) || error.code !== 'engine_loading') return failed(error)
      changeAnswer(id, (turn) => ({ ...turn, outcome: { kind: 'waiting' } }))
      await pause(error.retryAfterMs ?? 2000, signal)
      if (signal.aborted) return { kind: 'stopped' }
    }
  }
}

const receive = async (id: string, request: unknown, signal: AbortSignal): Promise<Outcome> => {
  const startedMs = performance.now()
  let reason = 'stop'
  for await (const event of streamAnswer(request, signal)) {
    const ms = performance.now() - startedMs
    if (event.type === 'finish') reason = event.reason
    changeAnswer(id, (turn) => grow(turn, event, ms))
  }
  return { kind: 'finished', reason }
}

const grow = (turn: AnswerTurn, event: AnswerEvent, ms: number): AnswerTurn => {
  if (event.type === 'request') return { ...turn, requestId: event.id }
  const { timing } = turn
  const heard: AnswerTurn = {
    ...turn,
    outcome: { kind: 'running' },
    timing: { ...timing, firstMs: timing.firstMs ?? ms, moments: [...timing.moments, ms] },
  }
  switch (event.type) {
    case 'text':
      return { ...heard, text: turn.text + event.text }
    case 'call':
      return { ...heard, calls: [...turn.calls, { id: event.id, name: event.name, arguments: '', result: '' }] }
    case 'arguments':
      return {
        ...heard,
        calls: turn.calls.map((call, index) =>
          index === event.index ? { ...call, arguments: call.arguments + event.text } : call,
        ),
      }
    case 'finish':
      return { ...turn, timing: { ...timing, endMs: ms } }
    case 'usage':
      return { ...turn, usage: { promptTokens: event.promptTokens, completionTokens: event.completionTokens } }
  }
}

/** An error of a field is shown at the field; the answer mentions it too. */
const failed = (error: unknown): Outcome => {
  if (error instanceof PlatformError) {
    const field = fieldOfParam(error.param)
    const { errors } = readPlayground()
    if (field !== null) changePlayground({ errors: { ...errors, [field]: { code: 'refused', detail: error.message } } })
    if (error.code === 'not_signed_in') announceSessionEnd()
  }
  return { kind: 'failed', error }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(500, ms))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
