import { lazy, memo, type ReactNode, Suspense, useState } from 'react'
import { PlatformError } from '../../../platform/platform-error.ts'
import { AnnouncedAnswer } from '../../answer/announced-answer.tsx'
import { AnswerActions } from '../../answer/answer-actions.tsx'
import { AnswerText } from '../../answer/answer-text.tsx'
import { RequestLink } from '../../answer/request-link.tsx'
import { ThoughtView } from '../../answer/thought-view.tsx'
import { TimingStrip } from '../../answer/timing-strip.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useWords } from '../../words-context.tsx'
import { ChatError } from './chat-error.tsx'
import { TurnActions } from './turn-actions.tsx'
import { TurnEditor } from './turn-editor.tsx'
import { TurnFigures } from './turn-figures.tsx'
import { type AnswerTurn, saysSomething } from './turns.ts'
import { usePlaygroundParts } from './use-playground.ts'
import { VersionSwitch } from './version-switch.tsx'

/** Most conversations call no tools. */
const ToolCalls = lazy(async () => ({ default: (await import('./tool-calls.tsx')).ToolCalls }))

/** Most answers come without probabilities. */
const TokenView = lazy(async () => ({ default: (await import('./token-view.tsx')).TokenView }))

const scale = { firstMs: 2000, fullAt: 0.94, step: 1.6 }

type AnswerTurnViewProps = { turn: AnswerTurn; model: string; isBusy: boolean; isLast: boolean }

export const AnswerTurnView = memo(({ turn, model, isBusy, isLast }: AnswerTurnViewProps) => {
  const { playground, answer } = useWords()
  const { steps, store } = usePlaygroundParts()
  const toast = useToast()
  const [isEditing, setEditing] = useState(false)
  const [isRaw, setRaw] = useState(false)
  const { outcome, timing, calls, text } = turn
  const isRunning = outcome.kind === 'running' || outcome.kind === 'waiting'
  const note = turnNote(turn, { ...playground.turn, stopped: answer.stopped })
  // The notice links to it.
  const failedId = outcome.kind === 'failed' && outcome.error instanceof PlatformError ? outcome.error.requestId : null
  const failure =
    outcome.kind === 'failed' ? (
      <ChatError
        error={outcome.error}
        isMidway={saysSomething(turn)}
        asked={outcome.asked}
        onRetry={() => void steps.regenerate(model, turn.id)}
        onShorten={(tokens) => {
          store.changeSettings({ max_completion_tokens: String(tokens) })
          steps.regenerate(model, turn.id)
        }}
      />
    ) : null
  return (
    <article className="exchange received" aria-busy={isRunning || undefined}>
      <h2 className="who" title={turn.model}>
        {turn.model}
      </h2>
      <div className="turn received stack tight">
        {turn.row === undefined ? null : (
          <p className="small secondary row-of-answer">{playground.variables.ofRow(turn.row.number, turn.row.text)}</p>
        )}
        <ThoughtView thought={turn.thought} isRunning={isRunning} />
        {isEditing ? (
          <TurnEditor
            text={text}
            onSave={(typed) => steps.editTurn(turn.id, typed)}
            onClose={() => setEditing(false)}
          />
        ) : text !== '' || (isRunning && calls.length === 0) ? (
          <AnswerText text={text} isRunning={isRunning} isRaw={isRaw} isJson={turn.isJson} />
        ) : null}
        <AnnouncedAnswer text={text} isDone={!isRunning} />
        {calls.length === 0 ? null : (
          <Suspense fallback={null}>
            <ToolCalls turn={turn} model={model} isOpen={!isRunning && !isBusy} isLast={isLast} />
          </Suspense>
        )}
        {note === null ? null : (
          <p className="small secondary" role="status">
            {note}
          </p>
        )}
        {failure === null || isLast ? failure : <FoldedFailure isMidway={saysSomething(turn)}>{failure}</FoldedFailure>}
        {isRunning || turn.tokens === undefined ? null : (
          <details className="thought">
            <summary>{playground.tokens.title(turn.tokens.length)}</summary>
            <Suspense fallback={null}>
              <TokenView tokens={turn.tokens} />
            </Suspense>
          </details>
        )}
        {isRunning || timing.moments.length > 0 ? (
          <TimingStrip
            firstMs={timing.firstMs}
            moments={timing.moments}
            scale={scale}
            hasTrack={isRunning}
            label={playground.turn.strip(timing.moments.length, Math.round(timing.firstMs ?? 0))}
          />
        ) : null}
        <div className="footer">
          <VersionSwitch turn={turn} what={playground.turn.ofModel} isBusy={isBusy} />
          <TurnFigures turn={turn} />
          {isRunning || turn.requestId === null || turn.requestId === failedId ? null : (
            <RequestLink id={turn.requestId} />
          )}
          {isEditing || isBusy ? null : (
            <TurnActions
              what={playground.turn.ofModel}
              {...(text === '' ? {} : { before: <AnswerActions text={text} isRaw={isRaw} onRaw={setRaw} /> })}
              {...(outcome.kind === 'failed' ? {} : { onRegenerate: () => void steps.regenerate(model, turn.id) })}
              {...(text === '' ? {} : { onEdit: () => setEditing(true) })}
              onDelete={() => {
                const undo = steps.deleteTurn(turn.id)
                toast(playground.turn.deletedAnswer, undo)
              }}
            />
          )}
        </div>
      </div>
    </article>
  )
})

/** Of an attempt that others followed, one line remains. */
const FoldedFailure = ({ isMidway, children }: { isMidway: boolean; children: ReactNode }) => {
  const { errors } = useWords().playground
  return (
    <details className="thought">
      <summary>{isMidway ? errors.midwayTitle : errors.title}</summary>
      {children}
    </details>
  )
}

type TurnWords = { waiting: string; stopped: string; nothing: string; cutByLength: string }

const turnNote = (turn: AnswerTurn, words: TurnWords): string | null => {
  const { outcome } = turn
  if (outcome.kind === 'waiting') return words.waiting
  if (outcome.kind === 'stopped') return words.stopped
  if (outcome.kind !== 'finished') return null
  if (outcome.reason === 'length') return words.cutByLength
  return saysSomething(turn) ? null : words.nothing
}
