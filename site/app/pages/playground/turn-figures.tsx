import { useQuery } from '@tanstack/react-query'
import { usePlatform } from '../../app-state.ts'
import { durationText, moneyText, speedText, wholeText } from '../../figures.ts'
import { useSession } from '../../session.ts'
import { useLocale } from '../../words-context.tsx'
import { requestQuery } from '../requests/requests-query.ts'
import { type AnswerTurn, tokensPerSecond } from './turns.ts'

/** First token, tokens, tokens a second: as far as they are known. */
export const TurnFigures = ({ turn }: { turn: AnswerTurn }) => {
  const cost = useCost(turn)
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
      {/* Not known of an answer that somebody left before its end. */}
      {count === 0 && usage === null ? null : (
        <span>
          <b>{wholeText(count, language)}</b> {said.tokens(count)}
        </span>
      )}
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
      {cost === null ? null : (
        <span className="cost">
          {words.shell.cost} <b>{cost}</b>
        </span>
      )}
    </p>
  )
}

/** What the request cost, once it has ended; null where nothing has a price. Its place is kept until it is known. */
const useCost = ({ requestId, outcome }: AnswerTurn): string | null => {
  const { language } = useLocale()
  const { currency, hasPrices } = useSession()
  const isOver = outcome.kind !== 'running' && outcome.kind !== 'waiting'
  const query = requestQuery(usePlatform(), requestId ?? '')
  const isNeeded = hasPrices && isOver && requestId !== null
  const { data, isPending } = useQuery({ ...query, enabled: isNeeded })
  if (!isNeeded) return null
  if (isPending) return '…'
  return data == null || data.costMicros === null ? '–' : moneyText(data.costMicros, currency, language)
}
