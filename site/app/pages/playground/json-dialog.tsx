import { type UIEvent, useEffect, useId, useRef, useState } from 'react'
import { parseJsonText } from '../../../../src/base/parse-json-text.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { findJsonError, type JsonError } from '../../json/find-json-error.ts'
import { useWords } from '../../words-context.tsx'
import { checkSettings } from './check-settings.ts'
import { exampleSchema, exampleTools } from './examples.ts'
import { fieldErrorText } from './field-error-text.ts'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'

export type JsonFieldName = 'tools' | 'schema'

type JsonDialogProps = { name: JsonFieldName | null; onClose(): void }

/** Tools or a schema with room: numbered lines, the first error marked at its line, and formatting on demand. */
export const JsonDialog = ({ name, onClose }: JsonDialogProps) => {
  const { playground } = useWords()
  return (
    <Dialog
      isOpen={name !== null}
      title={name === null ? '' : playground.json.title(playground.fields[name])}
      onClose={onClose}
      wide
    >
      {name === null ? null : <Editor name={name} onClose={onClose} />}
    </Dialog>
  )
}

const Editor = ({ name, onClose }: { name: JsonFieldName; onClose(): void }) => {
  const { playground, shell } = useWords()
  const { json, fields } = playground
  const text = usePlayground().settings[name]
  const { store } = usePlaygroundParts()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [top, setTop] = useState(0)
  useEffect(() => field.current?.focus(), [])
  const error = text.trim() === '' ? null : findJsonError(text)
  const change = (next: string): void => store.changeSettings({ [name]: next })
  const goTo = ({ offset }: JsonError): void => {
    field.current?.focus()
    field.current?.setSelectionRange(offset, Math.min(offset + 1, text.length))
  }
  const lines = text.split('\n').length
  return (
    <>
      <div className="json-editor">
        {/* Screen readers hear the line with the error instead. */}
        <div className="json-lines" aria-hidden="true">
          <pre style={{ transform: `translateY(${-top}px)` }}>
            {Array.from({ length: lines }, (_, index) => index + 1).join('\n')}
            {error === null ? null : (
              <mark style={{ top: `calc(${error.line - 1} * var(--json-line))` }}>{error.line}</mark>
            )}
          </pre>
        </div>
        <textarea
          ref={field}
          aria-label={fields[name]}
          aria-invalid={error !== null || undefined}
          aria-describedby={`${id}-state`}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          translate="no"
          value={text}
          onChange={(event) => change(event.target.value)}
          onScroll={(event: UIEvent<HTMLTextAreaElement>) => setTop(event.currentTarget.scrollTop)}
        />
      </div>
      <State id={`${id}-state`} name={name} error={error} onGoTo={goTo} />
      <div className="actions">
        {text === '' ? (
          <Button onClick={() => change(name === 'tools' ? exampleTools : exampleSchema)}>
            {name === 'tools' ? fields.addTool : fields.addSchema}
          </Button>
        ) : (
          <Button disabled={error !== null} onClick={() => change(JSON.stringify(parseJsonText(text), null, 2))}>
            {json.format}
          </Button>
        )}
        <Button look="primary" onClick={onClose}>
          {shell.done}
        </Button>
      </div>
    </>
  )
}

/** How long somebody has to pause before it is read out. */
const settledMs = 500

type StateProps = { id: string; name: JsonFieldName; error: JsonError | null; onGoTo(error: JsonError): void }

const State = ({ id, name, error, onGoTo }: StateProps) => {
  const { playground } = useWords()
  const { json, fields } = playground
  const { settings } = usePlayground()
  const isEmpty = settings[name].trim() === ''
  // It is valid JSON, but may not be what the field is for.
  const other = isEmpty ? undefined : checkSettings({ ...settings, format: 'schema' }).errors[name]
  const said =
    error !== null
      ? json.at(error.line, error.column, json.problems[error.problem])
      : other !== undefined
        ? (fieldErrorText(other, playground) ?? '')
        : isEmpty
          ? name === 'tools'
            ? fields.toolsHelp
            : fields.schemaHelp
          : json.valid
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(said), settledMs)
    return () => clearTimeout(timer)
  }, [said])
  return (
    <p className={error !== null || other !== undefined ? 'json-state error-text' : 'json-state help'}>
      <span id={id}>{said}</span>{' '}
      {error === null ? null : (
        <button type="button" className="link" onClick={() => onGoTo(error)}>
          {json.goTo}
        </button>
      )}
      <span className="visually-hidden" role="status">
        {announced}
      </span>
    </p>
  )
}
