import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { durationText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { limitNameText } from '../limits/limit-words.ts'

/** Where the time went, in one sentence. */
export const RequestLede = ({ request }: { request: ShownRequest }) => {
  const { outcome, durationMs, firstTokenMs, refusedBy } = request
  const { language, words } = useLocale()
  const { requests } = words
  if (outcome === 'running' || durationMs === null) return <b>{requests.runningLede}</b>
  if (outcome === 'refused')
    return (
      <b>
        {refusedBy === null
          ? requests.refusedLede
          : requests.refusedByLede(requests.whose[refusedBy.scope], limitNameText(refusedBy.name, words))}
      </b>
    )
  const opening = {
    completed: requests.answeredIn,
    failed: requests.failedAfter,
    client_closed: requests.leftAfter,
    server_died: requests.diedAfter,
  }[outcome]
  return (
    <>
      {opening}
      <b>{durationText(durationMs, language)}</b>
      {requests.afterTime[outcome]}
      {firstTokenMs === null ? null : (
        <>
          {requests.firstAfter}
          <b>{durationText(firstTokenMs, language)}</b>
          {requests.firstEnd}
        </>
      )}
      {requests.ledeEnd}
    </>
  )
}
