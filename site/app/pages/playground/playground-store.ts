import type { Attachment } from './attachments.ts'
import type { FieldErrors } from './check-settings.ts'
import { noOtherRows, type OtherRows, type PromptVariables } from './prompt-variables.ts'
import { defaultSettings, type PlaygroundSettings } from './settings.ts'
import type { AnswerTurn, Turn } from './turns.ts'

export type OpenedPrompt = { id: string; name: string; version: number; isOwn: boolean }

/**
 * Where the history has the conversation: under an id that the page chose. `mark` tells whether it has what is shown, and `sent` has
 * the marks of what was shown or sent since then, whether or not the page has heard that it was saved. Version 0: it has heard of no save.
 */
export type SavedConversation = { id: string; title: string; version: number; mark: string; sent: readonly string[] }

export type PlaygroundState = {
  /** Empty: the default. */
  model: string
  system: string
  draft: string
  /** Files that go with the message that is being written. */
  attachments: readonly Attachment[]
  turns: readonly Turn[]
  settings: PlaygroundSettings
  /** The values of `{{name}}` in what is sent. */
  variables: PromptVariables
  /** The other rows of their table. */
  otherRows: OtherRows
  /** The saved prompt that was opened, or saved from here. */
  saved: OpenedPrompt | null
  /** Null before the first answer. */
  conversation: SavedConversation | null
  /** What of the request that was opened has no field here; none once it was sent without. */
  leftOut: readonly string[]
  errors: FieldErrors
  /** The answer that is being streamed. */
  runningId: string | null
}

export const emptyState: PlaygroundState = {
  model: '',
  system: '',
  draft: '',
  attachments: [],
  turns: [],
  settings: defaultSettings,
  variables: {},
  otherRows: noOtherRows,
  saved: null,
  conversation: null,
  leftOut: [],
  errors: {},
  runningId: null,
}

/**
 * The playground's state. It lives in memory; what was written is also saved on the server as the draft of the account,
 * by `draft-sync.ts`.
 */
export type PlaygroundStore = {
  read(): PlaygroundState
  /** Returns what ends the subscription. */
  subscribe(listener: () => void): () => void
  change(part: Partial<PlaygroundState>): void
  changeAnswer(id: string, change: (answer: AnswerTurn) => AnswerTurn): void
  changeSettings(part: Partial<PlaygroundSettings>): void
}

export const createPlaygroundStore = (): PlaygroundStore => {
  let state = emptyState
  let frame = 0
  const listeners = new Set<() => void>()
  const tell = (): void => {
    cancelAnimationFrame(frame)
    frame = 0
    for (const listener of listeners) listener()
  }
  const change = (part: Partial<PlaygroundState>): void => {
    // Something may take the place of what streamed, which belongs into the history as far as it came.
    if (frame !== 0) tell()
    state = { ...state, ...part }
    tell()
  }
  return {
    read: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change,
    /** Tokens may come faster than the page can be drawn: they show with the next frame. */
    changeAnswer(id, changed) {
      state = {
        ...state,
        turns: state.turns.map((turn) => (turn.id === id && turn.kind === 'answer' ? changed(turn) : turn)),
      }
      if (frame === 0) frame = requestAnimationFrame(tell)
    },
    changeSettings(part) {
      const errors = { ...state.errors }
      // A field that is being edited shows no error meanwhile.
      for (const name of Object.keys(part)) Reflect.deleteProperty(errors, name)
      if (part.format !== undefined) Reflect.deleteProperty(errors, 'schema')
      change({ settings: { ...state.settings, ...part }, errors })
    },
  }
}
