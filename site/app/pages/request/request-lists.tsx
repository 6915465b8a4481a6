import { limitKinds, minuteNames } from '../../../../src/config/limit-kinds.ts'
import type { LimitName } from '../../../../src/platform/contract/limits.ts'
import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { moneyText, wholeText } from '../../figures.ts'
import { useSession } from '../../session.ts'
import { clockText } from '../../time/exact-moment.ts'
import { useLocale } from '../../words-context.tsx'
import { limitNameText } from '../limits/limit-words.ts'
import { EndpointName } from '../requests/endpoint-name.tsx'
import { CachedAnswerFact } from './cached-answer-fact.tsx'
import { ErrorFact } from './error-fact.tsx'
import { Fact, FactsList } from './facts-list.tsx'
import { generatesTokens } from './generates-tokens.ts'
import { HooksFact } from './hooks-fact.tsx'
import { IgnoredFieldsFact } from './ignored-fields-fact.tsx'
import { KeyFact } from './key-fact.tsx'
import { UpstreamFact } from './upstream-fact.tsx'

/** All that the ledger has about the request. */
export const RequestLists = ({ request }: { request: ShownRequest }) => {
  const { language, words } = useLocale()
  const { requests, shell } = words
  const figure = (value: number | null): string => (value === null ? '–' : wholeText(value, language))
  const { currency } = useSession()
  const { promptTokens, completionTokens, endedAt, costMicros } = request
  const hasCompletion = generatesTokens(request)
  const counted = promptTokens === null ? null : promptTokens + (completionTokens ?? 0)
  return (
    <div className="request-lists">
      <FactsList head={requests.tokens}>
        <Fact name={shell.prompt}>{figure(promptTokens)}</Fact>
        <Fact name={requests.cached}>{figure(request.cachedTokens)}</Fact>
        {hasCompletion ? (
          <>
            <Fact name={shell.completion}>{figure(completionTokens)}</Fact>
            <Fact name={requests.reasoning}>{figure(request.reasoningTokens)}</Fact>
          </>
        ) : null}
        <Fact name={requests.charged}>
          {counted === null ? '–' : requests.settledOnce(figure(counted))}
          {request.estimated ? <span className="subtext">{requests.estimated}</span> : null}
        </Fact>
        {costMicros === null ? null : <Fact name={shell.cost}>{moneyText(costMicros, currency, language)}</Fact>}
      </FactsList>
      <FactsList head={requests.keyHead}>
        <KeyFact keyId={request.keyId} />
        {minuteNames.map((name) => (
          <AppliedLimit key={name} name={name} of={limitKinds[name].unit} request={request} />
        ))}
        <Fact name={requests.reserved}>{`${figure(request.reservedTokens)} → ${figure(counted)}`}</Fact>
      </FactsList>
      <FactsList head={requests.callHead}>
        <Fact name={requests.started}>{clockText(request.startedAt, language)}</Fact>
        <Fact name={requests.ended}>{endedAt === null ? '–' : clockText(endedAt, language)}</Fact>
        <Fact name={requests.endpoint}>
          <EndpointName endpoint={request.endpoint} />
        </Fact>
        <Fact name={shell.model}>
          <span className="mono">{request.model}</span>
        </Fact>
        <UpstreamFact upstreams={request.upstreams} />
        <HooksFact hooks={request.hooks} />
        <CachedAnswerFact cachedFrom={request.cachedFrom} />
        <IgnoredFieldsFact ignoredFields={request.ignoredFields} />
        <Fact name={requests.way}>{request.stream ? requests.streamed : requests.whole}</Fact>
        {hasCompletion ? (
          <Fact name={requests.endedBy}>
            <span className="mono">{request.finishReason ?? '–'}</span>
          </Fact>
        ) : null}
        <ErrorFact error={request.error} />
      </FactsList>
    </div>
  )
}

type AppliedLimitProps = { name: LimitName; of: 'requests' | 'tokens'; request: ShownRequest }

/** What the headers of the answer said: how much was left once this request counted, and whose limit that was. */
const AppliedLimit = ({ name, of, request: { limits: applied } }: AppliedLimitProps) => {
  const { language, words } = useLocale()
  const { requests, limits } = words
  const applicable = applied?.[of] ?? null
  return (
    <Fact name={limitNameText(name, words)}>
      {applied === null ? requests.notRecorded : applicable === null ? limits.noLimit : null}
      {applicable === null ? null : (
        <>
          {requests.leftOf(wholeText(applicable.remaining, language), wholeText(applicable.limit, language))}
          <span className="subtext">{requests.whose[applicable.scope]}</span>
        </>
      )}
    </Fact>
  )
}
