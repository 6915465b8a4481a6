import type { PageCredentials } from '../../../platform/platform.ts'
import { newConversation } from './conversation-marks.ts'
import { isSameConversation } from './is-same-conversation.ts'
import type { PlaygroundState, PlaygroundStore } from './playground-store.ts'
import { isConversation } from './turns.ts'

/** A conversation as it was shown, and of which organisation it is. */
export type ShownConversation = { state: PlaygroundState; organisation: string | null }

export type ConversationWatch = {
  /** What is shown now, with the tokens that the next frame will show; null if it does not belong into the history. */
  shown(): ShownConversation | null
  /** What something else has taken the place of since the last call, oldest first. */
  takeReplaced(): readonly ShownConversation[]
}

/** More than anybody replaces while a script is loading. */
const maxReplaced = 20

/** Follows which conversation is shown, so that none is lost that is replaced before the script of the history is there. */
export const watchConversations = (store: PlaygroundStore, credentials: PageCredentials): ConversationWatch => {
  let shown: ShownConversation | null = null
  let replaced: readonly ShownConversation[] = []
  const look = (): void => {
    const now = store.read()
    if (now === shown?.state) return
    // From its first answer on it has an id, which the draft saves with it: a save that is repeated after a reload is the same one.
    if (now.conversation === null && isConversation(now)) {
      store.change({ conversation: newConversation() })
      return
    }
    const isSame = shown !== null && isSameConversation(shown.state, now)
    // It is saved as it was.
    if (shown !== null && !isSame) replaced = [...replaced, shown].slice(-maxReplaced)
    const organisation = isSame && shown !== null ? shown.organisation : credentials.organisationId
    shown = isConversation(now) ? { state: now, organisation } : null
  }
  store.subscribe(look)
  look()
  return {
    shown() {
      look()
      return shown
    },
    takeReplaced() {
      look()
      const taken = replaced
      replaced = []
      return taken
    },
  }
}
