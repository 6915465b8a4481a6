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
  const figure = new Intl.NumberFormat(language)
  return (
    <p className="figures">
      <span>
        {words.shell.firstToken} <b>{figure.format(Math.round(timing.firstMs))} ms</b>
      </span>
      <span>
        <b>{figure.format(count)}</b> {said.tokens(count)}
      </span>
      {speed === null ? null : (
        <span>
          <b>{figure.format(speed < 10 ? Math.round(speed * 10) / 10 : Math.round(speed))}</b> {said.perSecond}
        </span>
      )}
      {usage === null ? null : (
        <span>
          {said.prompt} <b>{figure.format(usage.promptTokens)}</b>
        </span>
      )}
    </p>
  )
}
