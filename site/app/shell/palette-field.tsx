import type { InputHTMLAttributes } from 'react'
import { useWords } from '../words-context.tsx'

type PaletteFieldProps = {
  typed: string
  onType(typed: string): void
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'className'>

/** Whoever typed before the list was loaded goes on at the end. */
const focus = (input: HTMLInputElement | null): void => {
  input?.focus()
  input?.setSelectionRange(input.value.length, input.value.length)
}

/** The field of the palette. It is there before the list is loaded, so that nothing typed right after Ctrl K is lost. */
export const PaletteField = ({ typed, onType, ...more }: PaletteFieldProps) => {
  const { shell } = useWords()
  return (
    <input
      className="input"
      // Not a search field, in which Escape deletes the text instead of closing the dialog.
      type="text"
      aria-label={shell.paletteSearch}
      placeholder={shell.paletteSearch}
      autoComplete="off"
      spellCheck={false}
      ref={focus}
      value={typed}
      onChange={(event) => onType(event.target.value)}
      {...more}
    />
  )
}
