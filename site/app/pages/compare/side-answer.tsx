import { AnnouncedAnswer } from '../../answer/announced-answer.tsx'
import { AnswerFigures } from '../../answer/answer-figures.tsx'
import { RequestLink } from '../../answer/request-link.tsx'
import { type Answer, isRunning } from '../../answer/use-answer.ts'
import { useWords } from '../../words-context.tsx'
import { ChatError } from '../playground/chat-error.tsx'

export const SideAnswer = ({ answer, onRetry }: { answer: Answer; onRetry(): void }) => {
  const { compare, answer: words } = useWords()
  const running = isRunning(answer)
  const { phase, text, requestId, error } = answer
  return (
    <div className="compare-answer" aria-busy={running || undefined}>
      {phase === 'idle' ? (
        <p className="turn muted">{compare.before}</p>
      ) : (
        <p className="turn received answer">
          {text}
          {running ? <span className="caret" /> : null}
          {phase === 'stopped' ? <span className="small muted"> {words.stopped}</span> : null}
        </p>
      )}
      {phase === 'failed' ? <ChatError error={error} isMidway={text !== ''} onRetry={onRetry} /> : null}
      <AnswerFigures answer={answer} />
      {running || requestId === null ? null : <RequestLink id={requestId} />}
      <AnnouncedAnswer text={text} isDone={!running} />
    </div>
  )
}
