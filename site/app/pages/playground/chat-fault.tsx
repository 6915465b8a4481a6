import { PlatformError } from '../../../platform/platform-error.ts'
import { faultText } from '../../../words/fault-text.ts'
import type { Words } from '../../../words/words.ts'
import { Fault } from '../../components/fault.tsx'
import { useWords } from '../../words-context.tsx'
import { fieldOfParam } from './check-settings.ts'

type ChatFaultProps = { error: unknown; isMidway: boolean; onRetry: () => void }

/** Stands under what came of an answer. The server's own sentence is shown where there are no words of ours for it. */
export const ChatFault = ({ error, isMidway, onRetry }: ChatFaultProps) => {
  const { playground, faults } = useWords()
  const title = isMidway ? `${playground.faults.midwayTitle} ${playground.faults.kept}` : playground.faults.title
  const text = chatFaultText(error, playground) ?? faultText(error, faults)
  return <Fault error={error} title={title} text={text} onRetry={onRetry} retryLabel={playground.turn.sendAgain} />
}

const chatFaultText = (error: unknown, { faults, wrong }: Words['playground']): string | null => {
  if (!(error instanceof PlatformError)) return null
  if (fieldOfParam(error.param) !== null) return faults.field
  if (isWorded(error.code, faults)) return faults[error.code]
  return error.status >= 400 && error.status < 500 && error.status !== 401 ? wrong.refused(error.message) : null
}

const isWorded = (code: string, faults: Words['playground']['faults']): code is keyof Words['playground']['faults'] =>
  Object.hasOwn(faults, code)
