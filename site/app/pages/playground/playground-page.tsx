import { Link, useNavigate } from '@tanstack/react-router'
import { Bookmark, Code, Columns2, Eraser, History, SlidersHorizontal } from 'lucide-react'
import { lazy, useRef } from 'react'
import { useDialog } from '../../address/use-dialog.ts'
import { loadMarkdown } from '../../answer/answer-text.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LazyDialog } from '../../components/lazy-dialog.tsx'
import { MemberPage } from '../../components/member-page.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useToast } from '../../components/toasts.tsx'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'
import { Composer } from './composer.tsx'
import { EmptyConversation } from './empty-conversation.tsx'
import { Parameters } from './parameters.tsx'
import '../../../styles/playground.css'
import '../../../styles/conversation-turns.css'
import '../../../styles/parameters.css'
import { emptyState } from './playground-store.ts'
import { replaceContent } from './replace-content.ts'
import { SavingState } from './saving-state.tsx'
import { SystemPrompt } from './system-prompt.tsx'
import { TurnList } from './turn-list.tsx'
import type { Turn } from './turns.ts'
import { useAnswersReady } from './use-answers-ready.ts'
import { useDraftState } from './use-draft-state.ts'
import { useIsWide } from './use-is-wide.ts'
import { useModel } from './use-model.ts'
import { useOpenedContent } from './use-opened-content.ts'
import { useOpenedModel } from './use-opened-model.ts'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'
import { useScrollToEnd } from './use-scroll-to-end.ts'

const CodeDialog = lazy(async () => ({ default: (await import('./code-dialog.tsx')).CodeDialog }))
const JsonDialog = lazy(async () => ({ default: (await import('./json-dialog.tsx')).JsonDialog }))
const HistoryDialog = lazy(async () => ({ default: (await import('./history-dialog.tsx')).HistoryDialog }))
const PromptsDialog = lazy(async () => ({ default: (await import('./prompts-dialog.tsx')).PromptsDialog }))

/** A conversation with the model, and everything a request can say beside it. */
export const PlaygroundPage = () => (
  <MemberPage title={useWords().shell.playground}>
    <Playground />
  </MemberPage>
)

const noTurns: readonly Turn[] = []

const Playground = () => {
  const { shell, playground, prompts, history, compare } = useWords()
  usePageTitle(shell.playground)
  const { id: model } = useModel()
  const { turns, system, runningId, saved } = usePlayground()
  const parts = usePlaygroundParts()
  const isLoading = useDraftState() === 'loading'
  const areReady = useAnswersReady(!isLoading)
  const notOpened = useOpenedContent(!isLoading)
  useOpenedModel(!isLoading)
  const navigate = useNavigate()
  const isWide = useIsWide()
  const toast = useToast()
  const code = useDialog('code')
  const parameters = useDialog('parameters')
  const library = useDialog('prompts')
  const past = useDialog('history')
  const json = useDialog('json')
  const jsonName = json.subject === 'tools' || json.subject === 'schema' ? json.subject : null
  const talk = useRef<HTMLElement>(null)
  const composer = useRef<HTMLTextAreaElement>(null)
  useScrollToEnd(talk, areReady ? turns : noTurns, runningId)
  const clear = (): void => {
    const { model: name, settings } = parts.store.read()
    toast(playground.cleared, replaceContent(parts, { ...emptyState, model: name, settings }))
    composer.current?.focus()
  }
  const openPrompt = (id: string, version?: number): void => {
    const search = { prompt: id, version: version === undefined ? '' : String(version) }
    void navigate({ to: '.', search, replace: true })
  }
  return (
    <div className="playground">
      {/* Somebody touches the page or writes: Markdown comes before the answer does. */}
      <div className="conversation-area" onInput={loadMarkdown} onPointerDown={loadMarkdown}>
        <header className="top-bar">
          <h1 className="page-name">
            {shell.playground}
            {saved === null ? null : (
              <span className="muted">{` / ${prompts.about(saved.name, prompts.version(saved.version))}`}</span>
            )}
          </h1>
          {turns.length === 0 && system === '' ? null : (
            <Button look="plain" onClick={clear}>
              <Eraser size={16} strokeWidth={1.5} aria-hidden />
              {playground.clear}
            </Button>
          )}
          {/* On phones a row under the title. */}
          <div className="tools">
            {isWide ? null : (
              <Button onClick={() => parameters.open()}>
                <SlidersHorizontal size={16} strokeWidth={1.5} aria-hidden />
                {playground.parameters}
              </Button>
            )}
            <Button onClick={() => past.open()}>
              <History size={16} strokeWidth={1.5} aria-hidden />
              {history.title}
            </Button>
            <Button onClick={() => library.open()}>
              <Bookmark size={16} strokeWidth={1.5} aria-hidden />
              {prompts.title}
            </Button>
            <Link className="button" to="/playground/compare">
              <Columns2 size={16} strokeWidth={1.5} aria-hidden />
              {compare.title}
            </Link>
            <Button aria-label={playground.viewCode} onClick={() => code.open()}>
              <Code size={16} strokeWidth={1.5} aria-hidden />
              <span className="long">{playground.viewCode}</span>
              <span className="short">{playground.codeShort}</span>
            </Button>
          </div>
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keys */}
        <section ref={talk} className="conversation" aria-label={playground.conversation} tabIndex={0}>
          <div className="column">
            {notOpened === null ? null : <ErrorNotice error={notOpened} title={playground.notOpened} />}
            {isLoading || !areReady ? <Skeleton lines={3} /> : <SystemPrompt />}
            {turns.length === 0 && !isLoading ? (
              <EmptyConversation model={model} onChosen={() => composer.current?.focus()} />
            ) : null}
            {areReady ? <TurnList turns={turns} model={model} isBusy={runningId !== null} /> : null}
          </div>
        </section>
        <SavingState />
        {isLoading ? null : <Composer ref={composer} onRefused={() => !isWide && parameters.open()} />}
      </div>
      {isWide ? (
        <aside className="panel" aria-label={playground.parameters}>
          <Parameters />
        </aside>
      ) : (
        <Dialog isOpen={parameters.isOpen} title={playground.parameters} onClose={parameters.close}>
          <Parameters />
          <div className="actions">
            <Button onClick={parameters.close}>{shell.close}</Button>
          </div>
        </Dialog>
      )}
      <LazyDialog isOpen={past.isOpen}>
        <HistoryDialog isOpen={past.isOpen} onClose={past.close} />
      </LazyDialog>
      <LazyDialog isOpen={library.isOpen}>
        <PromptsDialog isOpen={library.isOpen} onClose={library.close} onOpen={openPrompt} />
      </LazyDialog>
      <LazyDialog isOpen={jsonName !== null}>
        {/* On phones it was opened from the parameters, which are a dialog there. */}
        <JsonDialog name={jsonName} onClose={() => (isWide ? json.close() : parameters.open())} />
      </LazyDialog>
      <LazyDialog isOpen={code.isOpen}>
        <CodeDialog isOpen={code.isOpen} onClose={code.close} />
      </LazyDialog>
    </div>
  )
}
