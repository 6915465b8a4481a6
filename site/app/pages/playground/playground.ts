import type { PageCredentials, Platform } from '../../../platform/platform.ts'
import type { SessionEnd } from '../../session-end.ts'
import { type ConversationSteps, createConversationSteps } from './conversation-steps.ts'
import { DraftSync } from './draft-sync.ts'
import type { HistorySync } from './history-sync.ts'
import { createPlaygroundStore, type PlaygroundState, type PlaygroundStore } from './playground-store.ts'
import { type AnswerRunner, createAnswerRunner } from './run-answer.ts'
import { type ConversationWatch, watchConversations } from './watch-conversations.ts'

/** The playground of a document. The app holds it, so that it stays as it is while other pages are shown. */
export type Playground = {
  readonly store: PlaygroundStore
  readonly answers: AnswerRunner
  readonly steps: ConversationSteps
  readonly drafts: DraftSync
  /** Null until there is something to keep, and its script is loaded. */
  readonly history: HistorySync | null
  /** Whether conversations are kept: from the first call of `openHistory` on, also while its script is on its way. */
  readonly isKept: boolean
  /** Loads the script of the history, if it is not there yet. Null without a connection; the next call tries again. */
  openHistory(): Promise<HistorySync | null>
}

type PlaygroundNeeds = { platform: Platform; credentials: PageCredentials; sessionEnd: SessionEnd }

export const createPlayground = ({ platform, credentials, sessionEnd }: PlaygroundNeeds): Playground => {
  const store = createPlaygroundStore()
  const answers = createAnswerRunner(store, platform, sessionEnd.announce)
  let history: HistorySync | null = null
  let before: { watch: ConversationWatch; first: PlaygroundState } | null = null
  return {
    store,
    answers,
    steps: createConversationSteps(store, answers),
    drafts: new DraftSync({ store, answers, platform, credentials }),
    get history() {
      return history
    },
    get isKept() {
      return before !== null
    },
    async openHistory() {
      // What was loaded, or just sent: more may follow, or take its place, while the script is on its way.
      before ??= { first: store.read(), watch: watchConversations(store, credentials) }
      const script = await import('./history-sync.ts').catch(() => null)
      if (script !== null) history ??= new script.HistorySync({ store, platform, credentials, ...before })
      return history
    },
  }
}
