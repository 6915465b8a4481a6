import { Link } from '@tanstack/react-router'
import { Code, Columns2, SlidersHorizontal } from 'lucide-react'
import { useRef } from 'react'
import { useDialog } from '../../address/use-dialog.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useToast } from '../../components/toasts.tsx'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'
import { AnswerTurnView } from './answer-turn.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { Composer } from './composer.tsx'
import { EmptyConversation } from './empty-conversation.tsx'
import { Parameters } from './parameters.tsx'
import '../../../styles/playground.css'
import '../../../styles/conversation-turns.css'
import '../../../styles/parameters.css'
import { clearConversation } from './playground-store.ts'
import { stopAnswer } from './run-answer.ts'
import { SentTurnView } from './sent-turn.tsx'
import { SystemPrompt } from './system-prompt.tsx'
import { useIsWide } from './use-is-wide.ts'
import { useModel } from './use-model.ts'
import { usePlayground } from './use-playground.ts'
import { useScrollToEnd } from './use-scroll-to-end.ts'

/** A conversation with the model, and everything a request can say beside it. */
export const PlaygroundPage = () => {
  const { shell, playground, compare } = useWords()
  usePageTitle(shell.playground)
  const { id: model } = useModel()
  const { turns, system, runningId } = usePlayground()
  const isWide = useIsWide()
  const toast = useToast()
  const code = useDialog('code')
  const parameters = useDialog('parameters')
  const talk = useRef<HTMLElement>(null)
  const composer = useRef<HTMLTextAreaElement>(null)
  useScrollToEnd(talk, turns, runningId)
  const clear = (): void => {
    stopAnswer()
    clearConversation()
    toast(playground.cleared)
    composer.current?.focus()
  }
  return (
    <div className="playground">
      <div className="conversation-area">
        <header className="top-bar">
          <h1 className="page-name">{shell.playground}</h1>
          {turns.length === 0 && system === '' ? null : (
            <Button look="plain" onClick={clear}>
              {playground.clear}
            </Button>
          )}
          {isWide ? null : (
            <Button onClick={() => parameters.open()}>
              <SlidersHorizontal size={16} strokeWidth={1.5} aria-hidden />
              {playground.parameters}
            </Button>
          )}
          <Link className="button" to="/playground/compare">
            <Columns2 size={16} strokeWidth={1.5} aria-hidden />
            {compare.title}
          </Link>
          <Button onClick={() => code.open()}>
            <Code size={16} strokeWidth={1.5} aria-hidden />
            {playground.viewCode}
          </Button>
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keys */}
        <section ref={talk} className="conversation" aria-label={playground.conversation} tabIndex={0}>
          <div className="column">
            <SystemPrompt />
            {turns.length === 0 ? <EmptyConversation model={model} onChosen={() => composer.current?.focus()} /> : null}
            {turns.map((turn, index) =>
              turn.kind === 'sent' ? (
                <SentTurnView key={turn.id} turn={turn} model={model} isBusy={runningId !== null} />
              ) : (
                <AnswerTurnView
                  key={turn.id}
                  turn={turn}
                  model={model}
                  isBusy={runningId !== null}
                  isLast={index === turns.length - 1}
                />
              ),
            )}
          </div>
        </section>
        <Composer ref={composer} onRefused={() => !isWide && parameters.open()} />
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
      <CodeDialog isOpen={code.isOpen} onClose={code.close} />
    </div>
  )
}
