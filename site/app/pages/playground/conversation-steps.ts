import type { Undo } from '../../components/toasts.tsx'
import type { PlaygroundStore } from './playground-store.ts'
import type { AnswerRunner } from './run-answer.ts'
import { newTurnId, saysSomething, type Turn } from './turns.ts'
import { undoInPlayground } from './undo-in-playground.ts'
import { filledRows, rowOfAnswer, type SentRow } from './variable-rows.ts'
import { fork, stepVersion, withoutTurn } from './versions.ts'

/** What can be done with the conversation. What asks for an answer returns false if nothing could be sent. */
export type ConversationSteps = {
  /** Sends what is in the composer. The text stays there when it could not be sent. */
  sendDraft(model: string): boolean
  /** Sends it with every row of values that has one, or else the last message again: each answer is a version of the same. */
  sendRows(model: string): boolean
  editTurn(id: string, text: string): void
  /** An error that belongs to a message is removed with it. Returns what undoes it, as long as the rest is still there. */
  deleteTurn(id: string): Undo
  /** Asks for another version of an answer. */
  regenerate(model: string, id: string): boolean
  /** Sends a message again: edited, as another version of it; unchanged, for another version of its answer. */
  sendAgain(model: string, id: string, text: string): boolean
  /** Shows the version before or after the one in this place. */
  showVersion(id: string, step: -1 | 1): void
  /** Continues once the tools' results were typed. */
  continueAfter(model: string, id: string): boolean
  setResult(id: string, callId: string, result: string): void
}

export const createConversationSteps = (store: PlaygroundStore, answers: AnswerRunner): ConversationSteps => {
  const placeIn = (turns: readonly Turn[], id: string): number => turns.findIndex((turn) => turn.id === id)
  const sendDraft = (model: string, rows?: readonly SentRow[]): boolean => {
    const { draft, attachments, turns, runningId } = store.read()
    if (runningId !== null || (draft.trim() === '' && attachments.length === 0)) return true
    const files = attachments.length === 0 ? {} : { attachments }
    const sent: Turn = { kind: 'sent', id: newTurnId(), text: draft.trim(), ...files }
    if (!answers.run(model, [...turns, sent], turns.length + 1, rows)) return false
    store.change({ draft: '', attachments: [] })
    return true
  }
  return {
    sendDraft: (model) => sendDraft(model),
    sendRows(model) {
      const state = store.read()
      const rows = filledRows(state)
      const { draft, attachments, turns, runningId } = state
      if (draft.trim() !== '' || attachments.length > 0) return sendDraft(model, rows)
      const place = turns.findLastIndex(({ kind }) => kind === 'sent') + 1
      return runningId !== null || place === 0 || answers.run(model, turns, place, rows)
    },
    editTurn: (id, text) =>
      store.change({ turns: store.read().turns.map((turn) => (turn.id === id ? { ...turn, text } : turn)) }),
    deleteTurn: (id) => deleteTurn(store, id),
    regenerate(model, id) {
      const state = store.read()
      const { turns } = state
      const place = placeIn(turns, id)
      return answers.run(model, turns, place, [rowOfAnswer(state, turns[place], place)])
    },
    sendAgain(model, id, text) {
      const { turns } = store.read()
      const place = placeIn(turns, id)
      const before = turns[place]
      if (before?.text === text) return answers.run(model, turns, place + 1)
      const files = before?.kind === 'sent' && before.attachments ? { attachments: before.attachments } : {}
      return answers.run(model, fork(turns, place, { kind: 'sent', id: newTurnId(), text, ...files }), place + 1)
    },
    showVersion: (id, step) => store.change({ turns: stepVersion(store.read().turns, id, step) }),
    continueAfter(model, id) {
      const state = store.read()
      const { turns } = state
      const place = placeIn(turns, id)
      return answers.run(model, turns, place + 1, [rowOfAnswer(state, turns[place], place + 1)])
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
  const rest = removed.reduce((left, turn) => withoutTurn(left, turn.id), turns)
  store.change({ turns: rest })
  // Versions of what was removed have moved: they are only moved back where nothing else has changed.
  if (removed.some(({ versions }) => versions !== undefined))
    return undoInPlayground(
      store,
      () => store.change({ turns }),
      ({ turns: now }) => now === rest,
    )
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
