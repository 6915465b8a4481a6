import type { Platform } from '../../../platform/platform.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import type { AnswerEvent } from '../../answer/read-chunk.ts'
import { type SendRequest, streamAnswer } from '../../answer/stream-answer.ts'
import { growThought } from '../../answer/thought.ts'
import { buildRequest } from './build-request.ts'
import { checkSettings, fieldOfParam } from './check-settings.ts'
import type { PlaygroundStore } from './playground-store.ts'
import { type AnswerTurn, newAnswer, type Outcome, type Turn } from './turns.ts'
import { rowToSend, type SentRow } from './variable-rows.ts'
import { fork } from './versions.ts'

/** One answer at a time. */
export type AnswerRunner = {
  /**
   * Requests an answer to the turns before a place and streams it to that place; what was there stays as a version. With several
   * rows of values it goes on with the next when one has ended, until it is stopped. False if a field of the panel is invalid:
   * nothing is sent, and the fields say why.
   */
  run(model: string, turns: readonly Turn[], place: number, rows?: readonly SentRow[]): boolean
  stop(): void
}

export const createAnswerRunner = (
  store: PlaygroundStore,
  platform: Platform,
  announceSessionEnd: () => void,
): AnswerRunner => {
  let running: AbortController | null = null
  const send: SendRequest = (body, signal) => platform.completeInPlayground({ body, signal })
  const onFailure = (error: unknown): void => {
    showRefusal(store, error)
    if (error instanceof PlatformError && error.code === 'not_signed_in') announceSessionEnd()
  }
  return {
    run(model, turns, place, rows = [rowToSend(store.read())]) {
      const { system, settings } = store.read()
      const { options, errors } = checkSettings(settings)
      if (Object.keys(errors).length > 0) {
        store.change({ errors })
        return false
      }
      running?.abort()
      const control = new AbortController()
      running = control
      /** Shows the answer of a row from its first moment on. */
      const answerRow = async ({ values, row }: SentRow, shown: readonly Turn[]): Promise<boolean> => {
        const answer = newAnswer({ model, isJson: settings.format === 'schema', row })
        store.change({ turns: fork(shown, place, answer), runningId: answer.id, leftOut: [], errors: {} })
        const request = buildRequest({ model, system, turns: shown.slice(0, place), options, variables: values })
        const follower = { onFailure, change: (grown: Growth) => store.changeAnswer(answer.id, grown) }
        const end = await follow(() => streamAnswer(send, request, control.signal), control.signal, follower)
        const outcome = end.kind === 'failed' ? { ...end, asked: options.max_completion_tokens ?? null } : end
        store.changeAnswer(answer.id, (turn) => ({ ...turn, outcome }))
        return isOfRowOnly(end) && store.read().turns[place]?.id === answer.id
      }
      const answerRows = async (): Promise<void> => {
        let shown = turns
        for (const row of rows) {
          if (!(await answerRow(row, shown)) || running !== control || control.signal.aborted) break
          shown = store.read().turns
        }
        if (running !== control) return
        running = null
        store.change({ runningId: null })
      }
      void answerRows()
      return true
    },
    stop: () => running?.abort(),
  }
}

/** Whether the next row may fare better: its values may be shorter, or not be what was refused. */
const isOfRowOnly = (end: Outcome): boolean => {
  if (end.kind !== 'failed') return end.kind === 'finished'
  const { error } = end
  return error instanceof PlatformError && [400, 413].includes(error.status) && fieldOfParam(error.param) === null
}

type Growth = (turn: AnswerTurn) => AnswerTurn
type Follower = { change(grown: Growth): void; onFailure(error: unknown): void }

type Send = () => AsyncIterable<AnswerEvent>

const follow = async (send: Send, signal: AbortSignal, { change, onFailure }: Follower): Promise<Outcome> => {
  for (;;) {
    try {
      return await receive(send, change)
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped' }
      if (!(error instanceof PlatformError) || error.code !== 'engine_loading') {
        onFailure(error)
        return { kind: 'failed', error, asked: null }
      }
      change((turn) => ({ ...turn, outcome: { kind: 'waiting' } }))
      await pause(error.retryAfterMs ?? 2000, signal)
      if (signal.aborted) return { kind: 'stopped' }
    }
  }
}

const receive = async (send: Send, change: (grown: Growth) => void): Promise<Outcome> => {
  const startedMs = performance.now()
  let reason = 'stop'
  for await (const event of send()) {
    const ms = performance.now() - startedMs
    if (event.type === 'finish') reason = event.reason
    change((turn) => grow(turn, event, ms))
  }
  return { kind: 'finished', reason }
}

/** As many as the page shows one by one. */
const maxTokens = 4000

const grow = (turn: AnswerTurn, event: AnswerEvent, ms: number): AnswerTurn => {
  if (event.type === 'request') return { ...turn, requestId: event.id }
  if (event.type === 'tokens') return { ...turn, tokens: [...(turn.tokens ?? []), ...event.tokens].slice(0, maxTokens) }
  const { timing } = turn
  const grown = { ...turn, thought: growThought(turn.thought, event, ms) }
  const heard: AnswerTurn = {
    ...grown,
    outcome: { kind: 'running' },
    timing: { ...timing, firstMs: timing.firstMs ?? ms, moments: [...timing.moments, ms] },
  }
  switch (event.type) {
    case 'text':
      return { ...heard, text: turn.text + event.text }
    case 'reasoning':
      return heard
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
      return { ...grown, timing: { ...timing, endMs: ms } }
    case 'usage':
      return { ...turn, usage: { promptTokens: event.promptTokens, completionTokens: event.completionTokens } }
  }
}

/** An error of a field is shown at the field; the answer mentions it too. */
const showRefusal = (store: PlaygroundStore, error: unknown): void => {
  if (!(error instanceof PlatformError)) return
  const field = fieldOfParam(error.param)
  if (field === null) return
  store.change({ errors: { ...store.read().errors, [field]: { code: 'refused', detail: error.message } } })
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(500, ms))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
