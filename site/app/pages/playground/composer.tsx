import { ArrowUp, Square } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type Ref, useId, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useWords } from '../../words-context.tsx'
import { useModel } from './use-model.ts'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'
import { VariableFields } from './variable-fields.tsx'

type ComposerProps = { ref: Ref<HTMLTextAreaElement>; onRefused(): void }

/** Enter sends, but not while a word is still being composed. One button sends and stops, so that the focus stays. */
export const Composer = ({ ref, onRefused }: ComposerProps) => {
  const { playground, shell } = useWords()
  const { store, answers, steps } = usePlaygroundParts()
  const { draft, runningId, turns, errors } = usePlayground()
  const { id: model } = useModel()
  const [wasRefused, setRefused] = useState(false)
  const noteId = useId()
  const isRunning = runningId !== null
  const isWrong = wasRefused && Object.keys(errors).length > 0
  const submit = (event?: FormEvent): void => {
    event?.preventDefault()
    if (isRunning) {
      answers.stop()
      return
    }
    const wasSent = steps.sendDraft(model)
    setRefused(!wasSent)
    if (!wasSent) onRefused()
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (!isRunning) submit()
  }
  return (
    <form className="composer" onSubmit={submit}>
      <VariableFields />
      <textarea
        ref={ref}
        className="borderless-input"
        rows={1}
        aria-label={playground.message}
        aria-describedby={noteId}
        placeholder={turns.length === 0 ? playground.message : playground.nextMessage}
        value={draft}
        onChange={(event) => store.change({ draft: event.target.value })}
        onKeyDown={press}
      />
      <div className="footer">
        <p id={noteId} className={isWrong ? 'error-text' : 'keys'} role={isWrong ? 'alert' : undefined}>
          {isWrong ? playground.wrong.inPanel : playground.keys}
        </p>
        <Button
          type="submit"
          look={isRunning ? 'outline' : 'primary'}
          aria-disabled={!isRunning && draft.trim() === '' ? true : undefined}
        >
          {isRunning ? <Square size={16} fill="currentColor" aria-hidden /> : <ArrowUp size={16} aria-hidden />}
          {isRunning ? shell.stop : playground.send}
        </Button>
      </div>
    </form>
  )
}
