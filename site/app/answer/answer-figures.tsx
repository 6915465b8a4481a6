import { durationText, speedText } from '../figures.ts'
import { useLocale } from '../words-context.tsx'
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

/** Tokens a second between the first and the last. */
export const measureSpeed = (moments: readonly number[]): number | null => {
  const [first] = moments
  const last = moments.at(-1)
  if (first === undefined || last === undefined || last - first < 50) return null
  return ((moments.length - 1) * 1000) / (last - first)
}
