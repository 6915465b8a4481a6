import { Check, Copy } from 'lucide-react'
import { useWords } from '../words-context.tsx'
import { useCopy } from './use-copy.ts'

type CopyIconProps = {
  /** What goes to the clipboard. */
  text: string
  /** What is copied, for the tooltip and screen readers: "Copy ID". */
  label: string
}

/** A small button in a line of text, beside an id or an address. */
export const CopyIcon = ({ text, label }: CopyIconProps) => {
  const { shell } = useWords()
  const { isCopied, copy } = useCopy()
  const Icon = isCopied ? Check : Copy
  return (
    <>
      <button type="button" className="copy-icon" aria-label={label} title={label} onClick={() => void copy(text)}>
        <Icon size={14} strokeWidth={1.5} aria-hidden />
      </button>
      <span className="visually-hidden" aria-live="polite">
        {isCopied ? shell.copied : null}
      </span>
    </>
  )
}
