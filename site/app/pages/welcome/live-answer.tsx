import { Play, Square } from 'lucide-react'
import { AnswerFigures } from '../../chat/answer-figures.tsx'
import { SpokenAnswer } from '../../chat/spoken-answer.tsx'
import { Strip } from '../../chat/strip.tsx'
import { type Answer, isRunning, useAnswer } from '../../chat/use-answer.ts'
import { Button } from '../../components/button.tsx'
import { Fault } from '../../components/fault.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'

/** The same question as in the code beside it, asked from here through the session. */
export const LiveAnswer = () => {
  const { welcome } = useWords()
  const { model } = useSession()
  const { answer, run, stop } = useAnswer()
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
          {running ? welcome.stop : answer.phase === 'idle' ? welcome.run : welcome.runAgain}
        </Button>
      </header>
      <p className="turn sent">{welcome.question}</p>
      <div className="space">
        <AnswerText answer={answer} />
        {answer.phase === 'failed' ? <AnswerFault answer={answer} onRetry={ask} /> : null}
      </div>
      <Strip moments={answer.moments} />
      <AnswerFigures answer={answer} />
      <SpokenAnswer answer={answer} />
    </section>
  )
}

const AnswerText = ({ answer }: { answer: Answer }) => {
  const { welcome, chat } = useWords()
  if (answer.phase === 'idle') return <p className="turn quiet">{welcome.before}</p>
  if (answer.phase === 'failed' && answer.text === '') return null
  return (
    <p className="turn received answer">
      {answer.text}
      {isRunning(answer) ? <span className="caret" /> : null}
      {answer.phase === 'waiting' ? <span className="aside">{chat.waiting}</span> : null}
      {answer.phase === 'stopped' ? <span className="small quiet"> {chat.stopped}</span> : null}
    </p>
  )
}

const AnswerFault = ({ answer, onRetry }: { answer: Answer; onRetry(): void }) => {
  const { chat, welcome } = useWords()
  const title = answer.text === '' ? chat.failedTitle : chat.brokenTitle
  return <Fault error={answer.error} title={title} onRetry={onRetry} retryLabel={welcome.runAgain} />
}
