import type { Words } from '../../../../languages/words.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { errorText } from '../../../words/error-text.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useWords } from '../../words-context.tsx'
import { useLimitErrorText } from '../limits/use-limit-error-text.ts'
import { fieldOfParam } from './check-settings.ts'
import { RefusalSolution } from './refusal-solution.tsx'

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
      text={text}
      onRetry={onRetry}
      retryLabel={playground.turn.sendAgain}
      solution={<RefusalSolution error={error} asked={asked} onShorten={onShorten} />}
    />
  )
}

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
