import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useMay } from '../../role.ts'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { repeatableQuestion } from './repeatable-question.ts'
import { requestCurl } from './request-curl.ts'

const RunAgain = lazy(async () => ({ default: (await import('./run-again.tsx')).RunAgain }))

/** What can be done with a stored request: open it, compare it, copy it as a command, ask it again. */
export const RequestActions = ({ request, body }: { request: ShownRequest; body: string }) => {
  const { requests } = useWords()
  const { baseUrl } = useSession()
  const mayAsk = useMay()('usePlayground')
  // How often it was asked again; 0: not yet.
  const [runs, setRuns] = useState(0)
  // Requests in other dialects have fields that a chat completion has not.
  const isChat = request.endpoint === 'chat.completions' || request.endpoint === 'playground'
  const question = mayAsk ? repeatableQuestion(body) : null
  return (
    <div className="request-actions">
      <div className="button-row">
        {question === null ? null : (
          <>
            <Link className="button" to="/playground" search={{ request: request.id }}>
              {requests.openInPlayground}
            </Link>
            <Link className="button" to="/playground/compare" search={{ request: request.id }}>
              {requests.compareModels}
            </Link>
            {isChat ? <Button onClick={() => setRuns(runs + 1)}>{requests.runAgain}</Button> : null}
          </>
        )}
        <CopyButton text={requestCurl(request.endpoint, body, baseUrl)}>{requests.copyCurl}</CopyButton>
      </div>
      {question === null || runs === 0 ? null : (
        <Suspense fallback={<Skeleton lines={2} />}>
          <RunAgain key={runs} question={question} />
        </Suspense>
      )}
    </div>
  )
}
