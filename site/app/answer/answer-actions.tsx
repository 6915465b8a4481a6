import { useCopy } from '../components/use-copy.ts'
import { useWords } from '../words-context.tsx'

type AnswerActionsProps = { text: string; isRaw: boolean; onRaw(isRaw: boolean): void }

/** Copy the answer as it came, and see it so. */
export const AnswerActions = ({ text, isRaw, onRaw }: AnswerActionsProps) => {
  const { answer, shell } = useWords()
  const { isCopied, copy } = useCopy()
  return (
    <>
      <button type="button" className="link" aria-label={answer.copy} onClick={() => void copy(text)}>
        {isCopied ? shell.copied : shell.copy}
      </button>
      <span className="visually-hidden" aria-live="polite">
        {isCopied ? shell.copied : null}
      </span>
      <button type="button" className="link" onClick={() => onRaw(!isRaw)}>
        {isRaw ? answer.showFormatted : answer.showRaw}
      </button>
    </>
  )
}
