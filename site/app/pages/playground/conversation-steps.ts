import type { Undo } from '../../components/toasts.tsx'
import { changeAnswer, changePlayground, readPlayground } from './playground-store.ts'
import { runAnswer } from './run-answer.ts'
import { newTurnId, saysSomething, type Turn } from './turns.ts'
import { undoInPlayground } from './undo-in-playground.ts'

/** What can be done with the conversation. */

/** Sends what is in the composer. The text stays there when it could not be sent. */
export const sendDraft = (model: string): boolean => {
  const { draft, turns, runningId } = readPlayground()
  if (runningId !== null || draft.trim() === '') return true
  const sent: Turn = { kind: 'sent', id: newTurnId(), text: draft.trim() }
  if (!runAnswer(model, [...turns, sent])) return false
  changePlayground({ draft: '' })
  return true
}

export const editTurn = (id: string, text: string): void =>
  changePlayground({ turns: readPlayground().turns.map((turn) => (turn.id === id ? { ...turn, text } : turn)) })

/** An error that belongs to a message is removed with it. Returns what undoes it, as long as the rest is still there. */
export const deleteTurn = (id: string): Undo => {
  const { turns } = readPlayground()
  const place = turns.findIndex((turn) => turn.id === id)
  const next = turns[place + 1]
  const isEmptyNext = turns[place]?.kind === 'sent' && next !== undefined && !saysSomething(next)
  const removed = turns.filter((turn) => turn.id === id || (isEmptyNext && turn === next))
  const rest = turns.filter((turn) => !removed.includes(turn))
  changePlayground({ turns: rest })
  const bringBack = (): void => {
    const now = readPlayground().turns
    const before = new Set(turns.slice(0, place).map((turn) => turn.id))
    const at = now.findLastIndex((turn) => before.has(turn.id)) + 1
    changePlayground({ turns: now.toSpliced(at, 0, ...removed) })
  }
  return undoInPlayground(bringBack, ({ turns: now }) => hasAll(now, rest))
}

const hasAll = (now: readonly Turn[], rest: readonly Turn[]): boolean =>
  rest.length === 0 ? now.length === 0 : rest.every(({ id }) => now.some((turn) => turn.id === id))

/** Regenerates an answer: it and all turns after it are dropped. */
export const regenerate = (model: string, id: string): boolean => runAnswer(model, turnsBefore(id))

/** Sends a message again, perhaps edited: all turns after it are dropped. */
export const sendAgain = (model: string, id: string, text: string): boolean =>
  runAnswer(model, [...turnsBefore(id), { kind: 'sent', id, text }])

/** Continues once the tools' results were typed. */
export const continueAfter = (model: string, id: string): boolean => {
  const { turns } = readPlayground()
  return runAnswer(model, turns.slice(0, turns.findIndex((turn) => turn.id === id) + 1))
}

export const setResult = (id: string, callId: string, result: string): void =>
  changeAnswer(id, (turn) => ({
    ...turn,
    calls: turn.calls.map((call) => (call.id === callId ? { ...call, result } : call)),
  }))

const turnsBefore = (id: string): readonly Turn[] => {
  const { turns } = readPlayground()
  return turns.slice(
    0,
    turns.findIndex((turn) => turn.id === id),
  )
}
