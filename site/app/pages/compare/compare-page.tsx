import { Link } from '@tanstack/react-router'
import { ArrowUp, Plus, Square } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, lazy, Suspense, useState } from 'react'
import { isComposing } from '../../../words/is-composing.ts'
import { useView } from '../../address/use-view.ts'
import { text } from '../../address/view-fields.ts'
import { isRunning } from '../../answer/use-answer.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { MemberPage } from '../../components/member-page.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TextAreaField } from '../../components/text-area-field.tsx'
import { usePageTitle } from '../../use-page-title.ts'
import { useLocale, useWords } from '../../words-context.tsx'
import { LeftOutNote } from '../playground/left-out-note.tsx'
import { useDraftState } from '../playground/use-draft-state.ts'
import { useOpenedContent } from '../playground/use-opened-content.ts'
import { usePlaygroundParts } from '../playground/use-playground.ts'
import '../../../styles/compare.css'
import { CompareFigures } from './compare-figures.tsx'
import { SideAnswer } from './side-answer.tsx'
import { SideFields } from './side-fields.tsx'
import { sharedFields } from './take-over.ts'
import { useColumns } from './use-columns.ts'

/** Most prompts have no files. */
const AttachmentList = lazy(async () => ({
  default: (await import('../playground/attachment-list.tsx')).AttachmentList,
}))

const view = { request: text(64) }

/** The prompt of the playground, asked with up to four models or settings at the same time. */
export const ComparePage = () => (
  <MemberPage title={useWords().compare.title}>
    <Compare />
  </MemberPage>
)

const Compare = () => {
  const { compare, playground } = useWords()
  usePageTitle(compare.title)
  const isLoading = useDraftState() === 'loading'
  const [{ request }] = useView(view)
  // Opened in the playground first; the comparison then takes it over from there.
  const notOpened = useOpenedContent(!isLoading)
  return (
    <div className="page wide">
      <PageHead
        title={compare.title}
        lede={compare.lede}
        action={
          <Link className="button" to="/playground">
            {compare.toPlayground}
          </Link>
        }
      />
      {notOpened === null ? null : <ErrorNotice error={notOpened} title={playground.notOpened} />}
      <LeftOutNote />
      {isLoading || (request !== '' && notOpened === null) ? <Skeleton lines={4} /> : <Comparison />}
    </div>
  )
}

const Comparison = () => {
  const { words, language } = useLocale()
  const { compare, shell, playground } = words
  const { store } = usePlaygroundParts()
  const { taken, columns, add, remove } = useColumns()
  const [prompt, setPrompt] = useState(taken.prompt)
  const [error, setError] = useState<string | null>(null)
  const running = columns.some(({ side }) => isRunning(side.answer))
  const lastMs = Math.max(0, ...columns.map(({ side }) => side.answer.moments.at(-1) ?? 0))
  const { attachments } = taken.shared
  const before = taken.shared.turns.length
  const also = sharedFields(taken.shared).map((name) => playground.fields[name])
  const help = [
    ...(before === 0 ? [] : [compare.takenOver(before)]),
    ...(also.length === 0 ? [] : [compare.alsoTaken(also.join(compare.listMark))]),
  ]
  const change = (text: string): void => {
    setPrompt(text)
    if (taken.isDraft) store.change({ draft: text })
  }
  const submit = (event?: FormEvent): void => {
    event?.preventDefault()
    if (running) {
      for (const { side } of columns) side.stop()
      return
    }
    const areRight = columns.map(({ side }) => side.check()).every(Boolean)
    const isEmpty = prompt.trim() === '' && attachments.length === 0
    const problem = isEmpty ? compare.promptNeeded : areRight ? null : compare.wrong
    setError(problem)
    if (problem === null) for (const { side } of columns) side.ask(prompt)
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return
    event.preventDefault()
    if (!running) submit()
  }
  return (
    <>
      <form className="compare-prompt" onSubmit={submit}>
        <TextAreaField
          label={compare.prompt}
          help={help.length === 0 ? undefined : help.join(language.sentenceSeparator)}
          value={prompt}
          error={error}
          onChange={(event) => change(event.target.value)}
          onKeyDown={press}
        />
        {attachments.length === 0 ? null : (
          <Suspense fallback={null}>
            <AttachmentList attachments={attachments} />
          </Suspense>
        )}
        <div className="compare-buttons">
          <Button type="submit" look={running ? 'outline' : 'primary'}>
            {running ? <Square size={16} fill="currentColor" aria-hidden /> : <ArrowUp size={16} aria-hidden />}
            {running ? shell.stop : compare.run(columns.length)}
          </Button>
          {add === undefined || running ? null : (
            <Button onClick={add}>
              <Plus size={16} strokeWidth={1.5} aria-hidden />
              {compare.add}
            </Button>
          )}
        </div>
      </form>
      <div className="compare" data-columns={columns.length}>
        {columns.map(({ letter, side }) => (
          <section key={letter} aria-label={compare.side(letter)}>
            <header className="column-head">
              <h2>{compare.side(letter)}</h2>
              {remove === undefined || running ? null : (
                <Button look="plain" aria-label={compare.removeOf(letter)} onClick={() => remove(letter)}>
                  {compare.remove}
                </Button>
              )}
            </header>
            <SideFields side={side} />
            <SideAnswer
              answer={side.answer}
              lastMs={lastMs}
              isJson={taken.shared.settings.format === 'schema'}
              onRetry={() => side.ask(prompt)}
              onShorten={(tokens) => side.ask(prompt, { max_completion_tokens: String(tokens) })}
            />
          </section>
        ))}
      </div>
      <CompareFigures columns={columns} />
    </>
  )
}
