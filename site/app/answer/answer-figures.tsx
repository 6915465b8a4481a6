import { useWords } from '../words-context.tsx'
import type { Answer } from './use-answer.ts'

/** First token, speed and count; dashes until they are known, so that nothing moves. */
export const AnswerFigures = ({ answer: { moments, tokens } }: { answer: Answer }) => {
  const { answer: words, shell } = useWords()
  const [first] = moments
  const speed = speedOf(moments)
  return (
    <p className="figures">
      <span>
        {shell.firstToken} <b>{first === undefined ? '–' : words.ms(Math.round(first))}</b>
      </span>
      <span>
        {words.speed} <b>{speed === null ? '–' : shell.tokensPerSecond(speed)}</b>
      </span>
      <span>
        {words.tokens} <b>{tokens === 0 ? '–' : tokens}</b>
      </span>
    </p>
  )
}

/** Tokens a second between the first and the last. */
export const speedOf = (moments: readonly number[]): string | null => {
  const [first] = moments
  const last = moments.at(-1)
  if (first === undefined || last === undefined || last - first < 50) return null
  const speed = ((moments.length - 1) * 1000) / (last - first)
  return speed < 10 ? speed.toFixed(1) : String(Math.round(speed))
}
