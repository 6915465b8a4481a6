import { useEffect, useRef, useState } from 'react'
import { PlatformError } from '../../platform/platform-error.ts'
import { useAppState } from '../app-state.ts'
import type { AnswerEvent } from './read-chunk.ts'
import { type SendRequest, streamAnswer } from './stream-answer.ts'
import { growThought, type Thought } from './thought.ts'

export type Question = { model: string; messages: readonly object[]; max_completion_tokens?: number }

export type AnswerState = {
  phase: 'idle' | 'waiting' | 'streaming' | 'done' | 'stopped' | 'failed'
  text: string
  /** What the model reasoned before it answered. */
  thought: Thought | null
  /** The tools that it calls, with their arguments. */
  calls: readonly { name: string; text: string }[]
  /** When each token came, in milliseconds after the request was sent. */
  moments: readonly number[]
  /** Counted by the server; until it has said so, as many as came. */
  tokens: number
  /** Null until the server has said so. */
  promptTokens: number | null
  requestId: string | null
  /** Why it ended, as the model's server says; null before that. */
  reason: string | null
  /** The maximum length that was asked for. */
  asked: number | null
  error: unknown
}

const none: AnswerState = {
  phase: 'idle',
  text: '',
  thought: null,
  calls: [],
  moments: [],
  tokens: 0,
  promptTokens: null,
  requestId: null,
  reason: null,
  asked: null,
  error: null,
}

export const isRunning = ({ phase }: AnswerState): boolean => phase === 'waiting' || phase === 'streaming'

/** One streamed answer at a time. It stops when its page is left. It is asked for through the session, unless `sendOtherwise` is given. */
export const useAnswer = (
  sendOtherwise?: SendRequest,
): { answer: AnswerState; run(question: Question): Promise<void>; stop(): void } => {
  const { sessionEnd, platform } = useAppState()
  const [answer, setAnswer] = useState(none)
  const current = useRef<AbortController>(null)
  useEffect(() => () => current.current?.abort(), [])
  const run = async (question: Question): Promise<void> => {
    current.current?.abort()
    const control = new AbortController()
    current.current = control
    // An abandoned answer is not updated any more.
    const become = (change: (last: AnswerState) => AnswerState): void => {
      if (current.current === control) setAnswer(change)
    }
    const request = { ...question, stream: true, stream_options: { include_usage: true } }
    const startedMs = performance.now()
    become(() => ({ ...none, phase: 'waiting', asked: question.max_completion_tokens ?? null }))
    const send = sendOtherwise ?? ((body, signal) => platform.completeInPlayground({ body, signal }))
    try {
      for await (const event of streamAnswer(send, request, control.signal)) {
        const atMs = performance.now() - startedMs
        become((last) => grow(last, event, atMs))
      }
      become((last) => ({ ...last, phase: 'done' }))
    } catch (error) {
      if (control.signal.aborted) return become((last) => ({ ...last, phase: 'stopped' }))
      if (error instanceof PlatformError && error.code === 'not_signed_in') sessionEnd.announce()
      become((last) => ({ ...last, phase: 'failed', error }))
    }
  }
  return { answer, run, stop: () => current.current?.abort() }
}

const grow = (last: AnswerState, event: AnswerEvent, atMs: number): AnswerState => {
  if (event.type === 'request') return { ...last, requestId: event.id }
  if (event.type === 'tokens') return last
  const thought = growThought(last.thought, event, atMs)
  if (event.type === 'usage') return { ...last, tokens: event.completionTokens, promptTokens: event.promptTokens }
  if (event.type === 'call') return { ...last, thought, calls: [...last.calls, { name: event.name, text: '' }] }
  if (event.type === 'finish') return { ...last, thought, reason: event.reason }
  return {
    ...last,
    thought,
    phase: 'streaming',
    text: event.type === 'text' ? last.text + event.text : last.text,
    calls: event.type === 'arguments' ? withArguments(last.calls, event) : last.calls,
    moments: [...last.moments, atMs],
    tokens: last.tokens + 1,
  }
}

const withArguments = (
  calls: AnswerState['calls'],
  { index, text }: Extract<AnswerEvent, { type: 'arguments' }>,
): AnswerState['calls'] => calls.map((call, at) => (at === index ? { ...call, text: call.text + text } : call))
