import { type ConversationSteps, createConversationSteps } from './conversation-steps.ts'
import { DraftSync } from './draft-sync.ts'
import { createPlaygroundStore, type PlaygroundStore } from './playground-store.ts'
import { type AnswerRunner, createAnswerRunner } from './run-answer.ts'

/** The playground of a document. The app holds it, so that it stays as it is while other pages are shown. */
export type Playground = {
  readonly store: PlaygroundStore
  readonly answers: AnswerRunner
  readonly steps: ConversationSteps
  readonly drafts: DraftSync
}

export const createPlayground = (announceSessionEnd: () => void): Playground => {
  const store = createPlaygroundStore()
  const answers = createAnswerRunner(store, announceSessionEnd)
  return { store, answers, steps: createConversationSteps(store, answers), drafts: new DraftSync(store, answers) }
}
