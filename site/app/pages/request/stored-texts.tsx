import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { parseJsonText } from '../../../../src/base/parse-json-text.ts'
import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { usePlatform } from '../../app-state.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useMay } from '../../role.ts'
import { useWords } from '../../words-context.tsx'
import { bodiesQuery } from '../requests/requests-query.ts'
import { generatesTokens } from './generates-tokens.ts'
import { RequestActions } from './request-actions.tsx'
import { StoredAnswer } from './stored-answer.tsx'
import { StoredTextPart } from './stored-text-part.tsx'

/** Prompt and answer, if they are stored; otherwise a note that they are not, and who can change that. */
export const StoredTexts = ({ request }: { request: ShownRequest }) => {
  const platform = usePlatform()
  const { requests } = useWords()
  const may = useMay()
  const mayRead = may('readBodies')
  const { data, error, refetch } = useQuery({ ...bodiesQuery(platform, request), enabled: mayRead })
  if (!mayRead) return <Note>{requests.forMembers}</Note>
  if (error !== null && data === undefined)
    return <ErrorNotice error={error} title={requests.bodiesNotLoaded} onRetry={refetch} />
  if (data === undefined) return null
  const { days, request: asked, answer } = data
  if (days === null)
    return (
      <Note>
        {requests.notKept} {may('changeOrganisation') ? <Link to="/team">{requests.notKeptAct}</Link> : null}
      </Note>
    )
  if (asked === null) return <Note>{request.outcome === 'running' ? requests.keptLater : requests.noneKept}</Note>
  return (
    <>
      {asked.isCut ? null : <RequestActions request={request} body={asked.text} />}
      <div className="stored-texts">
        <StoredTextPart head={requests.requestBody} stored={asked}>
          <pre className="raw-text" translate="no">
            {tidy(asked.text)}
          </pre>
        </StoredTextPart>
        <StoredTextPart head={requests.answerBody} stored={answer}>
          {answer !== null ? (
            <StoredAnswer text={answer.text} />
          ) : (
            <p className="secondary">
              {request.outcome === 'completed' && !generatesTokens(request)
                ? requests.figuresNotKept
                : requests.noAnswerBody}
            </p>
          )}
        </StoredTextPart>
        <Note>{requests.keptFor(days)}</Note>
      </div>
    </>
  )
}

const Note = ({ children }: { children: ReactNode }) => (
  <p className="note">
    <Lock size={16} strokeWidth={1.5} aria-hidden />
    <span>{children}</span>
  </p>
)

/** Indented, unless it was truncated and is no longer JSON. */
const tidy = (text: string): string => {
  try {
    return JSON.stringify(parseJsonText(text), null, 2)
  } catch {
    return text
  }
}
