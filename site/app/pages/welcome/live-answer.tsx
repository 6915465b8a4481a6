import { Play, Square } from 'lucide-react'
import { PlatformError } from '../../../platform/platform-error.ts'
import { AnnouncedAnswer } from '../../answer/announced-answer.tsx'
import { AnswerFigures } from '../../answer/answer-figures.tsx'
import type { SendRequest } from '../../answer/stream-answer.ts'
import { ThoughtView } from '../../answer/thought-view.tsx'
import { TimingStrip } from '../../answer/timing-strip.tsx'
import { type AnswerState, isRunning, useAnswer } from '../../answer/use-answer.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useWords } from '../../words-context.tsx'
import { useLimitErrorText } from '../limits/use-limit-error-text.ts'

const scale = { firstMs: 3000, fullAt: 0.95, step: 1.5 }

type LiveAnswerProps = { model: string; send: SendRequest }

/** The same question as in the code beside it, asked from here. */
export const LiveAnswer = ({ model, send }: LiveAnswerProps) => {
  const { welcome, answer: words, shell } = useWords()
  const { answer, run, stop } = useAnswer(send)
  const ask = () => run({ model, messages: [{ role: 'user', content: welcome.question }] })
  const running = isRunning(answer)
  return (
    <section className="live" aria-labelledby="live-head">
      <header>
        <h2 id="live-head">{welcome.liveHead}</h2>
        <Button onClick={running ? stop : ask}>
          {running ? (
            <Square size={16} fill="currentColor" aria-hidden />
          ) : (
            <Play size={16} strokeWidth={1.5} aria-hidden />
          )}
          {running ? shell.stop : answer.phase === 'idle' ? welcome.run : welcome.runAgain}
        </Button>
      </header>
      <p className="turn sent">{welcome.question}</p>
      <div className="answer-space">
        <ThoughtView thought={answer.thought} isRunning={running} />
        <AnswerText answer={answer} />
        {answer.phase === 'failed' ? <AnswerError answer={answer} onRetry={ask} /> : null}
      </div>
      <TimingStrip
        firstMs={answer.moments[0] ?? null}
        moments={answer.moments}
        scale={scale}
        hasTrack
        label={words.strip(answer.moments.length)}
      />
      <AnswerFigures answer={answer} />
      <AnnouncedAnswer text={answer.text} isDone={!running} />
    </section>
  )
}

const AnswerText = ({ answer }: { answer: AnswerState }) => {
  const { welcome, answer: words } = useWords()
  if (answer.phase === 'idle') return <p className="turn muted">{welcome.before}</p>
  if (answer.phase === 'failed' && answer.text === '') return null
  return (
    <p className="turn received answer">
      {answer.text}
      {isRunning(answer) ? <span className="caret" /> : null}
      {answer.phase === 'waiting' ? <span className="visually-hidden">{words.waiting}</span> : null}
      {answer.phase === 'stopped' ? <span className="small muted"> {words.stopped}</span> : null}
    </p>
  )
}

const AnswerError = ({ answer, onRetry }: { answer: AnswerState; onRetry(): void }) => {
  const { answer: words, welcome, errors } = useWords()
  const title = answer.text === '' ? words.failedTitle : words.brokenTitle
  const limitText = useLimitErrorText(answer.error)
  const text = isCutOff(answer.error) ? errors.offline : (limitText ?? undefined)
  return <ErrorNotice error={answer.error} title={title} text={text} onRetry={onRetry} retryLabel={welcome.runAgain} />
}

const isCutOff = (error: unknown): boolean => error instanceof PlatformError && error.code === 'cut_off'
