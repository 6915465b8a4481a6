import type { AppState } from '../app-state.ts'
import { Button } from '../components/button.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'
import { useWords } from '../words-context.tsx'
import { savePlayground } from './save-playground.ts'

export class Unsaved extends Error {}

/** Whoever was told that something is not saved may leave it. */
export type Leaving = 'anyway' | undefined

/** Throws `Unsaved` if something in the playground could not be saved, unless it may be lost. */
export const saveBeforeLeaving = async (app: Pick<AppState, 'playground'>, how: Leaving): Promise<void> => {
  if (how !== 'anyway' && !(await savePlayground(app))) throw new Unsaved()
}

type UnsavedNoticeProps = {
  error: Unsaved
  /** What leaving would mean, and the name of the button that does it. */
  text: string
  anyway: string
  onRetry(): void
  onAnyway(): void
}

/** What cannot be saved is not lost without a question. */
export const UnsavedNotice = ({ error, text, anyway, onRetry, onAnyway }: UnsavedNoticeProps) => {
  const { history } = useWords()
  return (
    <ErrorNotice
      error={error}
      title={history.unsaved.title}
      text={text}
      onRetry={onRetry}
      solution={<Button onClick={onAnyway}>{anyway}</Button>}
    />
  )
}
