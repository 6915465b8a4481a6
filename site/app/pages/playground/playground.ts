import type { PageCredentials, Platform } from '../../../platform/platform.ts'
import type { SessionEnd } from '../../session-end.ts'
import { type ConversationSteps, createConversationSteps } from './conversation-steps.ts'
import { DraftSync } from './draft-sync.ts'
import type { HistorySync } from './history-sync.ts'
import { createPlaygroundStore, type PlaygroundStore } from './playground-store.ts'
import { type AnswerRunner, createAnswerRunner } from './run-answer.ts'

/** The playground of a document. The app holds it, so that it stays as it is while other pages are shown. */
export type Playground = {
  readonly store: PlaygroundStore
  readonly answers: AnswerRunner
  readonly steps: ConversationSteps
  readonly drafts: DraftSync
  /** Null until there is something to keep, which loads its script. */
  history: HistorySync | null
}

type PlaygroundNeeds = { platform: Platform; credentials: PageCredentials; sessionEnd: SessionEnd }

export const createPlayground = ({ platform, credentials, sessionEnd }: PlaygroundNeeds): Playground => {
  const store = createPlaygroundStore()
  const answers = createAnswerRunner(store, platform, sessionEnd.announce)
  return {
    store,
    answers,
    steps: createConversationSteps(store, answers),
    drafts: new DraftSync({ store, answers, platform, credentials }),
    history: null,
  }
}
