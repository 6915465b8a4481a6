import { lazy, memo, Suspense, useState } from 'react'
import { useToast } from '../../components/toasts.tsx'
import { useWords } from '../../words-context.tsx'
import { TurnActions } from './turn-actions.tsx'
import { TurnEditor } from './turn-editor.tsx'
import type { SentTurn } from './turns.ts'
import { usePlaygroundParts } from './use-playground.ts'
import { VersionSwitch } from './version-switch.tsx'

/** Most messages have no files. */
const AttachmentList = lazy(async () => ({ default: (await import('./attachment-list.tsx')).AttachmentList }))

type SentTurnViewProps = { turn: SentTurn; model: string; isBusy: boolean }

export const SentTurnView = memo(({ turn, model, isBusy }: SentTurnViewProps) => {
  const { playground } = useWords()
  const { steps } = usePlaygroundParts()
  const toast = useToast()
  const [isEditing, setEditing] = useState(false)
  return (
    <article className="exchange sent">
      <h2 className="who">{playground.you}</h2>
      <div className="turn sent stack tight">
        {isEditing ? (
          <TurnEditor
            text={turn.text}
            onSave={(text) => steps.editTurn(turn.id, text)}
            {...(isBusy ? {} : { onSendAgain: (text: string) => void steps.sendAgain(model, turn.id, text) })}
            onClose={() => setEditing(false)}
          />
        ) : (
          <p className="text">{turn.text}</p>
        )}
        {turn.attachments === undefined ? null : (
          <Suspense fallback={null}>
            <AttachmentList attachments={turn.attachments} />
          </Suspense>
        )}
      </div>
      <div className="footer">
        <VersionSwitch turn={turn} what={playground.turn.ofYours} isBusy={isBusy} />
        {isEditing || isBusy ? null : (
          <TurnActions
            what={playground.turn.ofYours}
            onEdit={() => setEditing(true)}
            onDelete={() => {
              const undo = steps.deleteTurn(turn.id)
              toast(playground.turn.deletedYours, undo)
            }}
          />
        )}
      </div>
    </article>
  )
})
