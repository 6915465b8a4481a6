import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { LimitName } from '../../../platform/limit-types.ts'
import type { ShownRequest } from '../../../platform/request-types.ts'
import { wholeText } from '../../figures.ts'
import { clockText } from '../../time/exact-moment.ts'
import { useSpoken } from '../../words-context.tsx'
import { limitNameText } from '../limits/limit-words.ts'
import { KeyName } from '../requests/key-name.tsx'

const paths = { 'chat.completions': 'POST /v1/chat/completions', playground: 'POST /platform/playground/…' } as const

/** All that the ledger has of it. */
export const RequestLists = ({ request }: { request: ShownRequest }) => {
  const { language, words } = useSpoken()
  const { requests } = words
  const figure = (value: number | null): string => (value === null ? '–' : wholeText(value, language))
  const { promptTokens, completionTokens, endedAt, error } = request
  const counted = promptTokens === null ? null : promptTokens + (completionTokens ?? 0)
  return (
    <div className="request-lists">
      <List head={requests.tokensHead}>
        <Line name={requests.prompt}>{figure(promptTokens)}</Line>
        <Line name={requests.cached}>{figure(request.cachedTokens)}</Line>
        <Line name={requests.completion}>{figure(completionTokens)}</Line>
        <Line name={requests.reasoning}>{figure(request.reasoningTokens)}</Line>
        <Line name={requests.charged}>{counted === null ? '–' : requests.settledOnce(figure(counted))}</Line>
      </List>
      <List head={requests.keyHead}>
        <Line name={requests.key}>
          {request.keyId === null ? (
            <KeyName keyId={null} />
          ) : (
            <Link to="/keys">
              <KeyName keyId={request.keyId} />
            </Link>
          )}
        </Line>
        <AppliedLimit name="requestsPerMinute" of="requests" request={request} />
        <AppliedLimit name="tokensPerMinute" of="tokens" request={request} />
        <Line name={requests.reserved}>{`${figure(request.reservedTokens)} → ${figure(counted)}`}</Line>
      </List>
      <List head={requests.callHead}>
        <Line name={requests.started}>{clockText(request.startedAt, language)}</Line>
        <Line name={requests.ended}>{endedAt === null ? '–' : clockText(endedAt, language)}</Line>
        <Line name={requests.path}>
          <span className="mono">{paths[request.endpoint]}</span>
        </Line>
        <Line name={requests.model}>
          <span className="mono">{request.model}</span>
        </Line>
        <Line name={requests.way}>{request.stream ? requests.streamed : requests.whole}</Line>
        <Line name={requests.endedBy}>
          <span className="mono">{request.finishReason ?? '–'}</span>
        </Line>
        {error === null ? null : (
          <Line name={requests.error}>
            <a href={`/docs/errors${error.status === null ? '' : `#status-${error.status}`}`}>
              {requests.errorDocs(error.code ?? error.name)}
            </a>
          </Line>
        )}
      </List>
    </div>
  )
}

type AppliedLimitProps = { name: LimitName; of: 'requests' | 'tokens'; request: ShownRequest }

/** What the headers of the answer said: how much was left once this request counted, and whose limit that was. */
const AppliedLimit = ({ name, of, request: { limits: applied } }: AppliedLimitProps) => {
  const { language, words } = useSpoken()
  const { requests, limits } = words
  if (applied === null) return <Line name={limitNameText(name, words)}>{requests.notRecorded}</Line>
  const told = applied[of]
  if (told === null) return <Line name={limitNameText(name, words)}>{limits.noLimit}</Line>
  return (
    <Line name={limitNameText(name, words)}>
      {requests.leftOf(wholeText(told.remaining, language), wholeText(told.limit, language))}
      <span className="quiet block">{requests.whose[told.scope]}</span>
    </Line>
  )
}

const List = ({ head, children }: { head: string; children: ReactNode }) => (
  <section>
    <h2>{head}</h2>
    <dl>{children}</dl>
  </section>
)

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
