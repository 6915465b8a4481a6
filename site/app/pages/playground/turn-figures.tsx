import { durationText, speedText, wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { type AnswerTurn, tokensPerSecond } from './turns.ts'

/** First token, tokens, tokens a second: as far as they are known. */
export const TurnFigures = ({ turn }: { turn: AnswerTurn }) => {
  const { words, language } = useLocale()
  const { turn: said } = words.playground
  const { timing, usage } = turn
  if (timing.firstMs === null) return null
  const count = usage?.completionTokens ?? timing.moments.length
  const speed = tokensPerSecond(timing, usage)
  return (
    <p className="figures">
      <span>
        {words.shell.firstToken} <b>{durationText(timing.firstMs, language)}</b>
      </span>
      <span>
        <b>{wholeText(count, language)}</b> {said.tokens(count)}
      </span>
      {speed === null ? null : (
        <span>
          <b>{speedText(speed, language)}</b> {said.perSecond}
        </span>
      )}
      {usage === null ? null : (
        <span>
          {said.prompt} <b>{wholeText(usage.promptTokens, language)}</b>
        </span>
      )}
    </p>
  )
}
