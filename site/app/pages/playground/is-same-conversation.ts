import type { PlaygroundState } from './playground-store.ts'

/** Two states of one conversation, not of two. Its id changes where another tab has taken it; its first message may be deleted. */
export const isSameConversation = (one: PlaygroundState, other: PlaygroundState): boolean => {
  const isSameId = one.conversation !== null && one.conversation.id === other.conversation?.id
  return isSameId || (one.turns.length > 0 && other.turns.length > 0 && rootOf(one) === rootOf(other))
}

/** The place of the first turn: all its versions share it. */
const rootOf = ({ turns: [first] }: PlaygroundState): string | undefined => first?.versions?.place ?? first?.id
