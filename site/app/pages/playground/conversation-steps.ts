import type { Undo } from '../../components/toasts.tsx'
import type { PlaygroundStore } from './playground-store.ts'
import type { AnswerRunner } from './run-answer.ts'
import { newTurnId, saysSomething, type Turn } from './turns.ts'
import { undoInPlayground } from './undo-in-playground.ts'

/** What can be done with the conversation. What asks for an answer returns false if nothing could be sent. */
export type ConversationSteps = {
  /** Sends what is in the composer. The text stays there when it could not be sent. */
  sendDraft(model: string): boolean
  editTurn(id: string, text: string): void
  /** An error that belongs to a message is removed with it. Returns what undoes it, as long as the rest is still there. */
  deleteTurn(id: string): Undo
  /** Regenerates an answer: it and all turns after it are dropped. */
  regenerate(model: string, id: string): boolean
  /** Sends a message again, perhaps edited: all turns after it are dropped. */
  sendAgain(model: string, id: string, text: string): boolean
  /** Continues once the tools' results were typed. */
  continueAfter(model: string, id: string): boolean
  setResult(id: string, callId: string, result: string): void
}

export const createConversationSteps = (store: PlaygroundStore, answers: AnswerRunner): ConversationSteps => {
  const turnsBefore = (id: string): readonly Turn[] => {
    const { turns } = store.read()
    return turns.slice(
      0,
      turns.findIndex((turn) => turn.id === id),
    )
  }
  return {
    sendDraft(model) {
      const { draft, turns, runningId } = store.read()
      if (runningId !== null || draft.trim() === '') return true
      const sent: Turn = { kind: 'sent', id: newTurnId(), text: draft.trim() }
      if (!answers.run(model, [...turns, sent])) return false
      store.change({ draft: '' })
      return true
    },
    editTurn: (id, text) =>
      store.change({ turns: store.read().turns.map((turn) => (turn.id === id ? { ...turn, text } : turn)) }),
    deleteTurn: (id) => deleteTurn(store, id),
    regenerate: (model, id) => answers.run(model, turnsBefore(id)),
    sendAgain: (model, id, text) => answers.run(model, [...turnsBefore(id), { kind: 'sent', id, text }]),
    continueAfter(model, id) {
      const { turns } = store.read()
      return answers.run(model, turns.slice(0, turns.findIndex((turn) => turn.id === id) + 1))
    },
    setResult: (id, callId, result) =>
      store.changeAnswer(id, (turn) => ({
        ...turn,
        calls: turn.calls.map((call) => (call.id === callId ? { ...call, result } : call)),
      })),
  }
}

const deleteTurn = (store: PlaygroundStore, id: string): Undo => {
  const { turns } = store.read()
  const place = turns.findIndex((turn) => turn.id === id)
  const next = turns[place + 1]
  const isEmptyNext = turns[place]?.kind === 'sent' && next !== undefined && !saysSomething(next)
  const removed = turns.filter((turn) => turn.id === id || (isEmptyNext && turn === next))
  const rest = turns.filter((turn) => !removed.includes(turn))
  store.change({ turns: rest })
  const bringBack = (): void => {
    const now = store.read().turns
    const before = new Set(turns.slice(0, place).map((turn) => turn.id))
    const at = now.findLastIndex((turn) => before.has(turn.id)) + 1
    store.change({ turns: now.toSpliced(at, 0, ...removed) })
  }
  return undoInPlayground(store, bringBack, ({ turns: now }) => hasAll(now, rest))
}

const hasAll = (now: readonly Turn[], rest: readonly Turn[]): boolean =>
  rest.length === 0 ? now.length === 0 : rest.every(({ id }) => now.some((turn) => turn.id === id))
