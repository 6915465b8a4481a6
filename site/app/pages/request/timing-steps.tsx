import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { durationText, speedText, wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { generatesTokens } from './generates-tokens.ts'

/** Queue time, first token and end, the latter two since the request arrived. */
export const TimingSteps = ({ request }: { request: ShownRequest }) => {
  const { language, words } = useLocale()
  const { requests, shell } = words
  const { queueMs, firstTokenMs, durationMs, tokensPerSecond, pauses } = request
  const time = (ms: number | null): string => (ms === null ? requests.notReached : durationText(ms, language))
  return (
    <ol className="timing-steps" aria-label={requests.ladder}>
      <li>
        <b>{time(queueMs)}</b> {requests.queue}
      </li>
      {generatesTokens(request) ? (
        <li>
          <b>{time(firstTokenMs)}</b> {shell.firstToken}
        </li>
      ) : null}
      <li>
        <b>{time(durationMs)}</b> {requests.done}
        {tokensPerSecond === null ? null : (
          <span className="muted">{shell.tokensPerSecond(speedText(tokensPerSecond, language))}</span>
        )}
        {pauses === null ? null : (
          <span className="muted">
            {requests.paused(wholeText(pauses.count, language), durationText(pauses.ms, language), pauses.count === 1)}
          </span>
        )}
      </li>
    </ol>
  )
}
