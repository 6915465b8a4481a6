import { useId } from 'react'
import { type EventScope, type EventType, eventTypesOf } from '../../../../src/webhooks/event-types.ts'
import { useWords } from '../../admin-words-context.tsx'
import { Field } from '../../components/field.tsx'

export type WebhookDraft = { url: string; description: string; events: readonly EventType[] }

type WebhookFieldsProps = {
  scope: EventScope
  /** Null: mails have none. */
  urlHelp: string | null
  draft: WebhookDraft
  wrong: { url?: string; events?: string }
  onChange(change: Partial<WebhookDraft>): void
}

export const WebhookFields = ({ scope, urlHelp, draft, wrong, onChange }: WebhookFieldsProps) => {
  const { webhooks } = useWords()
  const id = useId()
  const types = eventTypesOf(scope)
  const toggle = (type: EventType, isOn: boolean): void =>
    onChange({ events: types.filter((each) => (each === type ? isOn : draft.events.includes(each))) })
  return (
    <>
      {urlHelp === null ? null : (
        <Field
          label={webhooks.url}
          help={urlHelp}
          error={wrong.url}
          type="url"
          inputMode="url"
          spellCheck={false}
          autoComplete="off"
          maxLength={2000}
          value={draft.url}
          onChange={(event) => onChange({ url: event.target.value })}
        />
      )}
      <Field
        label={webhooks.description}
        help={webhooks.descriptionHelp}
        maxLength={200}
        value={draft.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <fieldset className="checkboxes event-choices" aria-describedby={wrong.events === undefined ? undefined : id}>
        <legend className="label">{webhooks.events}</legend>
        {types.map((type) => (
          <label key={type}>
            <input
              type="checkbox"
              checked={draft.events.includes(type)}
              onChange={(event) => toggle(type, event.target.checked)}
            />
            {webhooks.types[type]}
          </label>
        ))}
        {wrong.events === undefined ? null : (
          <p id={id} className="error-text" role="alert">
            {wrong.events}
          </p>
        )}
      </fieldset>
    </>
  )
}
