import { PlatformError } from '../../../platform/platform-error.ts'
import { useWords } from '../../admin-words-context.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'

const withReason: readonly string[] = ['invalid_model', 'model_hub_failed']

/** What failed, with the reason that the server gives, which is in English. */
export const ModelError = ({ error, title }: { error: unknown; title: string }) => {
  const { models } = useWords()
  if (error === null) return null
  const reason = error instanceof PlatformError && withReason.includes(error.code) ? error.message : null
  return (
    <ErrorNotice
      error={error}
      title={title}
      solution={
        reason === null ? null : (
          <p className="model-reason">
            {models.reason}{' '}
            <span lang="en" translate="no">
              {reason}
            </span>
          </p>
        )
      }
    />
  )
}
