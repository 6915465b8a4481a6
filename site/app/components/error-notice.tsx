import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { PlatformError } from '../../platform/platform-error.ts'
import { errorText } from '../../words/error-text.ts'
import { pageOfLimit } from '../pages/limits/page-of-limit.ts'
import { useWords } from '../words-context.tsx'
import { CopyIcon } from './copy-icon.tsx'

type ErrorNoticeProps = {
  error: unknown
  /** What failed, as a sentence. */
  title?: string | undefined
  /** Why, and what to do, where the page knows more than the error's code says. */
  text?: string | undefined
  onRetry?: (() => void) | undefined
  retryLabel?: string | undefined
  /** What solves it, before what only tries again. */
  solution?: ReactNode
  /** Whether the failed request has a page of its own, as those to a model have. */
  isListed?: boolean
}

/** Shown in place of the part that failed, never of the whole page. */
export const ErrorNotice = (props: ErrorNoticeProps) => {
  const { error, title, text, onRetry, retryLabel, solution = null, isListed = false } = props
  const { errors, shell } = useWords()
  const page = error instanceof PlatformError && error.limit !== null ? pageOfLimit(error.limit) : null
  const requestId = error instanceof PlatformError ? error.requestId : null
  return (
    <div className="error-notice" role="alert">
      <TriangleAlert size={18} strokeWidth={1.5} aria-hidden />
      <div>
        <b>{title ?? errors.title}</b>
        <p>
          {text ?? errorText(error, errors)}{' '}
          {page === null ? null : (
            <>
              <Link className="link" to={page}>
                {page === '/limits' ? errors.toLimits : errors.toRequests}
              </Link>{' '}
            </>
          )}
          {onRetry === undefined ? null : (
            <button type="button" className="link" onClick={onRetry}>
              {retryLabel ?? shell.tryAgain}
            </button>
          )}
        </p>
        {solution}
        {requestId === null ? null : (
          <p className="id">
            {isListed ? (
              <Link className="link" to="/requests/$request" params={{ request: requestId }}>
                {requestId}
              </Link>
            ) : (
              requestId
            )}{' '}
            <CopyIcon text={requestId} label={shell.copyId} />
          </p>
        )}
      </div>
    </div>
  )
}
