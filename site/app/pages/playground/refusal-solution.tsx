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
  const canRaise = account.isOwner && isOfOrganisation(error)
  if (tokens === null && !canRaise) return null
  return (
    <p className="button-row">
      {tokens === null ? null : (
        <Button onClick={() => onShorten(tokens)}>
          {words.playground.errors.shorten(wholeText(tokens, language))}
        </Button>
      )}
      {canRaise ? (
        <Link className="button" to="/admin/organisations" search={{ dialog: 'limits', of: organisation.id }}>
          {words.errors.raiseLimit}
        </Link>
      ) : null}
    </p>
  )
}

/** The server's owner sets the limits of organisations; what bounds request bodies or refusals is a setting. */
const isOfOrganisation = (error: unknown): boolean =>
  error instanceof PlatformError &&
  error.limit?.scope === 'organisation' &&
  error.limit.name !== 'bodyBytesInFlight' &&
  error.limit.name !== 'refusedRequestsPerMinute'
