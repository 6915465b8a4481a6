import { Link } from '@tanstack/react-router'
import { PlatformError } from '../../../platform/platform-error.ts'
import { Button } from '../../components/button.tsx'
import { wholeText } from '../../figures.ts'
import { useSession } from '../../session.ts'
import { useLocale } from '../../words-context.tsx'
import { fittingAnswer } from '../limits/fitting-answer.ts'

type RefusalSolutionProps = {
  error: unknown
  /** The maximum length that was asked for. */
  asked: number | null
  /** Sends the same again with this maximum. */
  onShorten(tokens: number): void
}

/** What solves a refusal: a shorter answer that fits, or a higher limit where the reader may set one. */
export const RefusalSolution = ({ error, asked, onShorten }: RefusalSolutionProps) => {
  const { words, language } = useLocale()
  const { account, organisation } = useSession()
  const tokens = fittingAnswer(error, asked)
  const raised = account.isOwner ? raisedIn(error) : null
  if (tokens === null && raised === null) return null
  return (
    <p className="button-row">
      {tokens === null ? null : (
        <Button onClick={() => onShorten(tokens)}>
          {words.playground.errors.shorten(wholeText(tokens, language))}
        </Button>
      )}
      {raised === 'organisation' ? (
        <Link className="button" to="/admin/organisations" search={{ dialog: 'limits', of: organisation.id }}>
          {words.errors.raiseLimit}
        </Link>
      ) : null}
      {raised === 'server' ? (
        <Link className="button" to="/admin/server" hash="limits">
          {words.errors.raiseLimit}
        </Link>
      ) : null}
    </p>
  )
}

/** Whose limits the server's owner raises. Higher bounds of request bodies or refusals would not solve it. */
const raisedIn = (error: unknown): 'organisation' | 'server' | null => {
  if (!(error instanceof PlatformError) || error.limit === null) return null
  const { name, scope } = error.limit
  if (name === 'bodyBytesInFlight' || name === 'refusedRequestsPerMinute') return null
  return scope === 'organisation' || scope === 'server' ? scope : null
}
