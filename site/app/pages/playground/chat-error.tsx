import { lazy, Suspense } from 'react'
import type { Words } from '../../../../languages/words.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { errorText } from '../../../words/error-text.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useWords } from '../../words-context.tsx'
import { useLimitErrorText } from '../limits/use-limit-error-text.ts'
import { fieldOfParam } from './check-settings.ts'

/** Loaded with the first refusal; without it, the sentence still says what to do. */
const RefusalSolution = lazy(() =>
  import('./refusal-solution.tsx').then(
    (module) => ({ default: module.RefusalSolution }),
    () => ({ default: () => null }),
  ),
)

type ChatErrorProps = {
  error: unknown
  isMidway: boolean
  /** The maximum length that was asked for. */
  asked: number | null
  onRetry(): void
  onShorten(tokens: number): void
}

/** Shown below an incomplete answer. The server's message is shown if we have no translation for it. */
export const ChatError = ({ error, isMidway, asked, onRetry, onShorten }: ChatErrorProps) => {
  const { playground, errors } = useWords()
  const title = isMidway ? `${playground.errors.midwayTitle} ${playground.errors.kept}` : playground.errors.title
  const limitText = useLimitErrorText(error)
  const text = limitText ?? chatErrorText(error, playground, errors) ?? errorText(error, errors)
  return (
    <ErrorNotice
      error={error}
      title={title}
      isListed={isMidway || isFailure(error)}
      text={text}
      onRetry={onRetry}
      retryLabel={playground.turn.sendAgain}
      solution={
        isLimit(error) ? (
          <Suspense fallback={null}>
            <RefusalSolution error={error} asked={asked} onShorten={onShorten} />
          </Suspense>
        ) : null
      }
    />
  )
}

/** It was sent to a model, and so has a page; of what was rejected not everything is recorded. */
const isFailure = (error: unknown): boolean =>
  error instanceof PlatformError && (error.status === 500 || error.status === 502)

/** Only these have a solution. */
const isLimit = (error: unknown): boolean =>
  error instanceof PlatformError && (error.limit !== null || error.code === 'context_length_exceeded')

const chatErrorText = (
  error: unknown,
  { errors, wrong }: Words['playground'],
  common: Words['errors'],
): string | null => {
  if (!(error instanceof PlatformError)) return null
  if (fieldOfParam(error.param) !== null) return errors.field
  const text = isWorded(error.code, errors) ? errors[error.code] : null
  if (typeof text === 'string') return text
  if (Object.hasOwn(common, error.code)) return null
  return error.status >= 400 && error.status < 500 && error.status !== 401 ? wrong.refused(error.message) : null
}

const isWorded = (code: string, errors: Words['playground']['errors']): code is keyof Words['playground']['errors'] =>
  Object.hasOwn(errors, code)
