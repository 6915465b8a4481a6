import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { isComposing } from '../../../words/is-composing.ts'
import { Button } from '../../components/button.tsx'
import { useWords } from '../../words-context.tsx'
import { focusConversation } from './focus-conversation.ts'

type TurnEditorProps = {
  text: string
  onSave(text: string): void
  /** Only what was sent can be sent again. */
  onSendAgain?: (text: string) => void
  onClose(): void
}

export const TurnEditor = ({ text, onSave, onSendAgain, onClose }: TurnEditorProps) => {
  const { playground, shell } = useWords()
  const [typed, setTyped] = useState(text)
  const area = useRef<HTMLTextAreaElement>(null)
  // Most corrections continue the text; browsers begin before it.
  useEffect(() => area.current?.setSelectionRange(area.current.value.length, area.current.value.length), [])
  const close = (): void => {
    const turn = area.current?.closest('article')
    if (area.current !== null) focusConversation(area.current)
    onClose()
    // The button that opened it is there again with the next frame.
    requestAnimationFrame(() => turn?.querySelector<HTMLElement>('[data-edit]')?.focus({ preventScroll: true }))
  }
  const end = (act: (text: string) => void): void => {
    act(typed.trim())
    close()
  }
  const press = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Escape') close()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && typed.trim() !== '') end(onSendAgain ?? onSave)
  }
  return (
    <div className="stack tight">
      <textarea
        ref={area}
        className="input auto-height"
        aria-label={playground.turn.editing}
        rows={3}
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was just pressed
        autoFocus
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={press}
      />
      <div className="button-row">
        <Button onClick={close}>{shell.cancel}</Button>
        <Button aria-disabled={typed.trim() === '' || undefined} onClick={() => typed.trim() !== '' && end(onSave)}>
          {playground.turn.save}
        </Button>
        {onSendAgain === undefined ? null : (
          <Button
            aria-disabled={typed.trim() === '' || undefined}
            onClick={() => typed.trim() !== '' && end(onSendAgain)}
          >
            {playground.turn.sendAgain}
          </Button>
        )}
      </div>
    </div>
  )
}
