import type { ReactNode } from 'react'
import { useWords } from '../../words-context.tsx'
import { focusConversation } from './focus-conversation.ts'

type TurnActionsProps = {
  what: string
  before?: ReactNode
  onEdit?: () => void
  onDelete(): void
  onRegenerate?: () => void
}

/** Hidden until the turn is hovered or focused. */
export const TurnActions = ({ what, before, onEdit, onDelete, onRegenerate }: TurnActionsProps) => {
  const { turn } = useWords().playground
  const act = (word: string, onAct: () => void) => (
    <button
      type="button"
      className="link"
      data-edit={word === turn.edit || undefined}
      aria-label={turn.about(word, what)}
      onClick={(event) => {
        focusConversation(event.currentTarget)
        onAct()
      }}
    >
      {word}
    </button>
  )
  return (
    <span className="actions">
      {before}
      {onRegenerate === undefined ? null : act(turn.regenerate, onRegenerate)}
      {onEdit === undefined ? null : act(turn.edit, onEdit)}
      {act(turn.remove, onDelete)}
    </span>
  )
}
