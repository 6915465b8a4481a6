import { useEffect, useState } from 'react'
import { PlatformError } from '../../../platform/platform-error.ts'
import { RequestLink } from '../../answer/request-link.tsx'
import { useAppState } from '../../app-state.ts'
import { Skeleton } from '../../components/skeleton.tsx'
import { useWords } from '../../words-context.tsx'
import { ChatError } from '../playground/chat-error.tsx'
import { answerText } from './answer-text.ts'
import type { RepeatableCall } from './repeatable-call.ts'
import { StoredTextPart } from './stored-text-part.tsx'

type Answer =
  | { phase: 'waiting' }
  | { phase: 'done'; text: string; requestId: string | null }
  | { phase: 'failed'; error: unknown }

/** More would make the page slow; the copy has all of it. */
const maxShown = 200_000

/** Sends the same again, through the session, and shows the document that is answered. */
export const RunCallAgain = ({ repeated }: { repeated: RepeatableCall }) => {
  const { sessionEnd, platform } = useAppState()
  const { requests } = useWords()
  const { call, longest } = repeated
  const [body, setBody] = useState(repeated.body)
  const [answer, setAnswer] = useState<Answer>({ phase: 'waiting' })
  useEffect(() => {
    const control = new AbortController()
    const { signal } = control
    const ask = async (): Promise<Answer> => {
      const response = await platform[call]({ body, signal })
      return { phase: 'done', text: await response.text(), requestId: response.headers.get('x-request-id') }
    }
    setAnswer({ phase: 'waiting' })
    ask().then(
      (done) => !signal.aborted && setAnswer(done),
      (error: unknown) => {
        if (signal.aborted) return
        if (error instanceof PlatformError && error.code === 'not_signed_in') sessionEnd.announce()
        setAnswer({ phase: 'failed', error })
      },
    )
    return () => control.abort()
  }, [platform, sessionEnd, call, body])
  if (answer.phase === 'waiting') return <Skeleton lines={3} />
  if (answer.phase === 'failed') {
    const asked = longest === null ? null : body[longest]
    return (
      <ChatError
        error={answer.error}
        isMidway={false}
        asked={typeof asked === 'number' ? asked : null}
        // Another object: the same is sent again.
        onRetry={() => setBody({ ...body })}
        onShorten={(tokens) => setBody(longest === null ? body : { ...body, [longest]: tokens })}
      />
    )
  }
  return (
    <div className="stack tight" role="status">
      <StoredTextPart head={requests.newAnswer} stored={{ text: answer.text, isCut: false }}>
        <pre className="raw-text" translate="no">
          {answerText(answer.text).slice(0, maxShown)}
        </pre>
      </StoredTextPart>
      {answer.requestId === null ? null : <RequestLink id={answer.requestId} />}
    </div>
  )
}
