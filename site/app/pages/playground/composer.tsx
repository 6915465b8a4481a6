import { ArrowUp, Paperclip, Square } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, lazy, type Ref, Suspense, useId, useRef, useState } from 'react'
import { isComposing } from '../../../words/is-composing.ts'
import { Button } from '../../components/button.tsx'
import { useLocale } from '../../words-context.tsx'
import { isRefused } from './attachments.ts'
import { LeftOutNote } from './left-out-note.tsx'
import { useAttaching } from './use-attaching.ts'
import { useModel } from './use-model.ts'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'
import { VariableFields } from './variable-fields.tsx'

/** Most messages have no files. */
const AttachmentList = lazy(async () => ({ default: (await import('./attachment-list.tsx')).AttachmentList }))

type ComposerProps = { ref: Ref<HTMLTextAreaElement>; onRefused(): void }

/** Enter sends, but not while a word is still being composed. One button sends and stops, so that the focus stays. */
export const Composer = ({ ref, onRefused }: ComposerProps) => {
  const { words, language } = useLocale()
  const { playground, shell } = words
  const { store, answers, steps } = usePlaygroundParts()
  const { draft, runningId, turns, errors, attachments } = usePlayground()
  const model = useModel()
  const attaching = useAttaching()
  const input = useRef<HTMLInputElement>(null)
  const [wasRefused, setRefused] = useState(false)
  const noteId = useId()
  const isRunning = runningId !== null
  const isWrong = wasRefused && Object.keys(errors).length > 0
  const hint = attaching.isDraggedOver ? playground.attachments.drop : playground.keys
  const unfit = attachments.find((each) => isRefused(model, each))
  const problems = [
    ...attaching.refused.map(({ name, problem }) => playground.attachments.problems[problem](name)),
    ...(unfit === undefined || unfit.kind === 'text' ? [] : [playground.attachments.unfit[unfit.kind](model.id)]),
  ]
  const isEmpty = draft.trim() === '' && attachments.length === 0
  const send = (ask: (model: string) => boolean): void => {
    if (unfit !== undefined) return
    const wasSent = ask(model.id)
    setRefused(!wasSent)
    if (wasSent) attaching.forgetRefused()
    else onRefused()
  }
  const submit = (event?: FormEvent): void => {
    event?.preventDefault()
    if (isRunning) answers.stop()
    else send(steps.sendDraft)
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return
    event.preventDefault()
    if (!isRunning) submit()
  }
  return (
    <form className={attaching.isDraggedOver ? 'composer awaits-files' : 'composer'} onSubmit={submit}>
      {/* Where it is seen: an opened conversation is scrolled to its end. */}
      <LeftOutNote />
      <VariableFields onRunAll={() => send(steps.sendRows)} />
      {attachments.length === 0 ? null : (
        <Suspense fallback={null}>
          <AttachmentList attachments={attachments} onRemove={attaching.remove} />
        </Suspense>
      )}
      {problems.length === 0 ? null : (
        <p className="error-text" role="alert">
          {problems.join(language.sentenceSeparator)}
        </p>
      )}
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
        onPaste={attaching.paste}
      />
      <div className="footer">
        <Button look="plain" onClick={() => input.current?.click()}>
          <Paperclip size={16} strokeWidth={1.5} aria-hidden />
          {playground.attachments.add}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          aria-label={playground.attachments.add}
          onChange={(event) => {
            void attaching.attach([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        <p id={noteId} className={isWrong ? 'error-text' : 'keys'} role={isWrong ? 'alert' : undefined}>
          {isWrong ? playground.wrong.inPanel : hint}
        </p>
        <Button
          type="submit"
          look={isRunning ? 'outline' : 'primary'}
          aria-disabled={!isRunning && (isEmpty || unfit !== undefined) ? true : undefined}
        >
          {isRunning ? <Square size={16} fill="currentColor" aria-hidden /> : <ArrowUp size={16} aria-hidden />}
          {isRunning ? shell.stop : playground.send}
        </Button>
      </div>
    </form>
  )
}
