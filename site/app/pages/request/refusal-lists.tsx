import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { durationText, wholeText } from '../../figures.ts'
import { clockText, exactText } from '../../time/exact-moment.ts'
import { useLocale } from '../../words-context.tsx'
import { limitNameText } from '../limits/limit-words.ts'
import { useLimitFigures } from '../limits/use-limit-figures.ts'
import { EndpointName } from '../requests/endpoint-name.tsx'
import { ErrorFact } from './error-fact.tsx'
import { Fact, FactsList } from './facts-list.tsx'
import { KeyFact } from './key-fact.tsx'
import { LimitLink } from './limit-link.tsx'

/** All that is known of a refused request: the limit that refused it, its key, and how it was sent. */
export const RefusalLists = ({ request }: { request: ShownRequest }) => {
  const { language, words } = useLocale()
  const { requests, shell } = words
  const { leftOut, durationMs, model, stream } = request
  return (
    <div className="request-lists">
      <FactsList head={requests.refusalHead}>
        <ErrorFact error={request.error} />
        <LimitFacts request={request} />
        {leftOut === 0 ? null : (
          <Fact name={requests.alsoRefused}>{requests.notListed(wholeText(leftOut, language))}</Fact>
        )}
      </FactsList>
      <FactsList head={shell.key}>
        <KeyFact keyId={request.keyId} />
        <Fact name={requests.charged}>{requests.nothingCounted}</Fact>
      </FactsList>
      <FactsList head={requests.callHead}>
        <Fact name={requests.refusedAt}>{clockText(request.startedAt, language)}</Fact>
        <Fact name={requests.after}>{durationMs === null ? '–' : durationText(durationMs, language)}</Fact>
        <Fact name={requests.endpoint}>
          <EndpointName endpoint={request.endpoint} />
        </Fact>
        <Fact name={shell.model}>
          <span className="mono">{model ?? '–'}</span>
        </Fact>
        <Fact name={requests.way}>{stream === null ? '–' : stream ? requests.streamed : requests.whole}</Fact>
      </FactsList>
    </div>
  )
}

/** Beyond this, a date and time says more than a number of seconds. */
const soonMs = 120_000

const LimitFacts = ({ request: { refusedBy, startedAt, keyId } }: { request: ShownRequest }) => {
  const { language, words } = useLocale()
  const { requests, limits } = words
  const { figure } = useLimitFigures()
  if (refusedBy === null) return null
  const { name, scope, limit, used, requested, waitMs } = refusedBy
  const fits =
    waitMs === null
      ? requests.neverFits
      : waitMs < soonMs
        ? requests.fitsAfter(durationText(waitMs, language))
        : exactText(startedAt + waitMs, language)
  return (
    <>
      <Fact name={requests.limit}>
        <LimitLink keyId={scope === 'key' ? keyId : null}>{limitNameText(name, words)}</LimitLink>
        <span className="subtext">{requests.whose[scope]}</span>
      </Fact>
      <Fact name={limits.used}>{limits.usedOf(figure(name, used), figure(name, limit))}</Fact>
      <Fact name={requests.requested}>{figure(name, requested)}</Fact>
      <Fact name={requests.fits}>{fits}</Fact>
    </>
  )
}
