import { lazy, Suspense, useState } from 'react'
import { PlatformError } from '../../../platform/platform-error.ts'
import { AnnouncedAnswer } from '../../answer/announced-answer.tsx'
import { AnswerActions } from '../../answer/answer-actions.tsx'
import { AnswerFigures } from '../../answer/answer-figures.tsx'
import { AnswerText } from '../../answer/answer-text.tsx'
import { RequestLink } from '../../answer/request-link.tsx'
import { ThoughtView } from '../../answer/thought-view.tsx'
import { type AnswerState, isRunning } from '../../answer/use-answer.ts'
import { useWords } from '../../words-context.tsx'
import { ChatError } from '../playground/chat-error.tsx'

/** Loaded with the first answer. */
const SideStrip = lazy(async () => ({ default: (await import('./side-strip.tsx')).SideStrip }))

type SideAnswerProps = {
  answer: AnswerState
  /** The last moment of all answers: their strips share one time axis. */
  lastMs: number
  isJson: boolean
  onRetry(): void
  onShorten(tokens: number): void
}

export const SideAnswer = ({ answer, lastMs, isJson, onRetry, onShorten }: SideAnswerProps) => {
  const { compare, answer: words, playground } = useWords()
  const [isRaw, setRaw] = useState(false)
  const running = isRunning(answer)
  const { phase, text, requestId, error } = answer
  const note = sideNote(answer, { ...playground.turn, stopped: words.stopped })
  // Its error has the link.
  const failedId = phase === 'failed' && error instanceof PlatformError ? error.requestId : null
  return (
    <div className="compare-answer" aria-busy={running || undefined}>
      {phase === 'idle' ? (
        <p className="turn muted">{compare.before}</p>
      ) : (
        <div className="turn received stack tight">
          <ThoughtView thought={answer.thought} isRunning={running} />
          <AnswerText text={text} isRunning={running} isRaw={isRaw} isJson={isJson} />
          {answer.calls.map(({ name, text: given }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: calls are only ever added
            <div key={index} className="call">
              <p className="name">{playground.calls.title(name)}</p>
              <pre className="raw-text" translate="no">
                {given}
              </pre>
            </div>
          ))}
          {note === null ? null : (
            <p className="small secondary" role="status">
              {note}
            </p>
          )}
        </div>
      )}
      {phase === 'failed' ? (
        <ChatError error={error} isMidway={text !== ''} asked={answer.asked} onRetry={onRetry} onShorten={onShorten} />
      ) : null}
      {phase === 'idle' ? null : (
        <Suspense fallback={null}>
          <SideStrip answer={answer} lastMs={lastMs} />
        </Suspense>
      )}
      <AnswerFigures answer={answer} />
      {running || text === '' ? null : (
        <span className="actions small">
          <AnswerActions text={text} isRaw={isRaw} onRaw={setRaw} />
        </span>
      )}
      {running || requestId === null || requestId === failedId ? null : <RequestLink id={requestId} />}
      <AnnouncedAnswer text={text} isDone={!running} />
    </div>
  )
}

/** A shorter answer is not taken for a better one: what cut it is said. */
const sideNote = (
  { phase, reason, text, calls }: AnswerState,
  words: { stopped: string; nothing: string; cutByLength: string },
): string | null => {
  if (phase === 'stopped') return words.stopped
  if (phase !== 'done') return null
  if (reason === 'length') return words.cutByLength
  return text === '' && calls.length === 0 ? words.nothing : null
}
