import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { useWords } from '../../words-context.tsx'

type RenamePromptProps = { name: string; busy: boolean; onRename(name: string): void; onCancel(): void }

/** The name of a saved prompt as a field, in place of the name. */
export const RenamePrompt = ({ name, busy, onRename, onCancel }: RenamePromptProps) => {
  const { prompts, shell } = useWords()
  const [typed, setTyped] = useState(name)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (typed.trim() !== '' && !busy) onRename(typed.trim())
  }
  return (
    <form className="rename-prompt" onSubmit={submit}>
      <Field
        label={prompts.name}
        value={typed}
        maxLength={100}
        autoComplete="off"
        autoFocus
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="button-row">
        <Button onClick={onCancel}>{shell.cancel}</Button>
        <Button type="submit" busy={busy} aria-disabled={typed.trim() === '' || undefined}>
          {prompts.saveName}
        </Button>
      </div>
    </form>
  )
}
