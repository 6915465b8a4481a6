import { durationText, speedText } from '../figures.ts'
import { useLocale } from '../words-context.tsx'
import { measureSpeed } from './measure-speed.ts'
import type { AnswerState } from './use-answer.ts'

/** First token, speed and count; dashes until they are known, so that nothing moves. */
export const AnswerFigures = ({ answer: { moments, tokens } }: { answer: AnswerState }) => {
  const { language, words: all } = useLocale()
  const { answer: words, shell } = all
  const [first] = moments
  const speed = measureSpeed(moments)
  return (
    <p className="figures">
      <span>
        {shell.firstToken} <b>{first === undefined ? '–' : durationText(first, language)}</b>
      </span>
      <span>
        {words.speed} <b>{speed === null ? '–' : shell.tokensPerSecond(speedText(speed, language))}</b>
      </span>
      <span>
        {words.tokens} <b>{tokens === 0 ? '–' : tokens}</b>
      </span>
    </p>
  )
}
