import { Check, Copy } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { useWords } from '../words-context.tsx'
import { Button, type ButtonProps } from './button.tsx'
import { useCopy } from './use-copy.ts'

type CopyButtonProps = Omit<ButtonProps, 'children' | 'onClick'> & {
  /** What goes to the clipboard. */
  text: string
  /** On the button; "Copy" by default. */
  children?: ReactNode
  onCopied?: (() => void) | undefined
  ref?: Ref<HTMLButtonElement>
}

/** Turns to a tick and "Copied" for two seconds, and says so to screen readers. */
export const CopyButton = ({ text, children, onCopied, ...rest }: CopyButtonProps) => {
  const { shell } = useWords()
  const { isCopied, copy } = useCopy()
  const press = async (): Promise<void> => {
    if (await copy(text)) onCopied?.()
  }
  const Icon = isCopied ? Check : Copy
  return (
    <Button {...rest} onClick={press}>
      <Icon size={16} strokeWidth={1.5} aria-hidden />
      <span aria-live="polite">{isCopied ? shell.copied : (children ?? shell.copy)}</span>
    </Button>
  )
}
