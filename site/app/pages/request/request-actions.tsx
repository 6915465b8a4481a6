import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useMay } from '../../role.ts'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { contentOfRequest } from '../playground/opened/content-of-request.ts'
import { dialectOf, readBody } from '../playground/opened/request-dialect.ts'
import { findMissingMedia } from './missing-media.ts'
import { repeatableCall } from './repeatable-call.ts'
import { repeatableQuestion } from './repeatable-question.ts'
import { requestCurl } from './request-curl.ts'

const RunAgain = lazy(async () => ({ default: (await import('./run-again.tsx')).RunAgain }))
const RunCallAgain = lazy(async () => ({ default: (await import('./run-call-again.tsx')).RunCallAgain }))

/** What can be done with a stored request: open it, compare it, copy it as a command, ask it again. */
export const RequestActions = ({ request, body: text }: { request: ShownRequest; body: string }) => {
  const { requests } = useWords()
  const { baseUrl, models } = useSession()
  const mayAsk = useMay()('usePlayground')
  // How often it was asked again; 0: not yet.
  const [runs, setRuns] = useState(0)
  const body = readBody(text)
  if (body === null) return null
  const dialect = dialectOf(request.endpoint, body, models)
  const { files } = findMissingMedia(text)
  const isIncomplete = files.length > 0
  const isConversation = mayAsk && contentOfRequest({ ...request, body: text }, models) !== null
  const question = dialect === 'chat.completions' ? repeatableQuestion(body) : null
  const repeated = dialect === 'chat.completions' ? null : repeatableCall(dialect, body)
  const canRepeat = mayAsk && !isIncomplete && (question !== null || repeated !== null)
  return (
    <div className="request-actions">
      <div className="button-row">
        {isConversation ? (
          <>
            <Link className="button" to="/playground" search={{ request: request.id }}>
              {requests.openInPlayground}
            </Link>
            <Link className="button" to="/playground/compare" search={{ request: request.id }}>
              {requests.compareModels}
            </Link>
          </>
        ) : null}
        {canRepeat ? <Button onClick={() => setRuns(runs + 1)}>{requests.runAgain}</Button> : null}
        <CopyButton text={requestCurl(dialect, text, baseUrl)}>{requests.copyCurl}</CopyButton>
      </div>
      {isIncomplete ? <p className="small secondary">{requests.withoutMedia(files)}</p> : null}
      {!canRepeat || runs === 0 ? null : (
        <Suspense fallback={<Skeleton lines={2} />}>
          {question === null ? null : <RunAgain key={runs} question={question} />}
          {repeated === null ? null : <RunCallAgain key={runs} repeated={repeated} />}
        </Suspense>
      )}
    </div>
  )
}
