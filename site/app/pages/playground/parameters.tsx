import { ModelField } from '../../components/model-field.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { TextAreaField } from '../../components/text-area-field.tsx'
import { useToast } from '../../components/toasts.tsx'
import { lacks } from '../../model-choices.ts'
import { useWords } from '../../words-context.tsx'
import { fieldErrorText } from './field-error-text.ts'
import { JsonEditor } from './json-editor.tsx'
import { checkField, NumberParameter } from './number-parameter.tsx'
import { ResetLink } from './reset-link.tsx'
import { answerFormats, defaultSettings, reasoningEfforts, toolChoices } from './settings.ts'
import { Slider } from './slider.tsx'
import { undoInPlayground } from './undo-in-playground.ts'
import { useModel } from './use-model.ts'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'

/** The model parameters. Defaults are left out of the request. */
export const Parameters = () => {
  const { playground } = useWords()
  const { fields } = playground
  const { settings, errors } = usePlayground()
  const { store } = usePlaygroundParts()
  const model = useModel()
  const toast = useToast()
  const isChanged = JSON.stringify(settings) !== JSON.stringify(defaultSettings)
  return (
    <div className="parameters">
      <ModelField
        name={model.id}
        onChoose={(name) => {
          store.change({ model: name })
          // The next model may not have them.
          if (settings.logprobs !== 'off') store.changeSettings({ logprobs: 'off' })
        }}
      />
      <Slider name="temperature" step={0.05} />
      <Slider name="top_p" step={0.05} />
      <NumberParameter name="max_completion_tokens" empty={fields.room} />
      {lacks(model, 'reasoning') && settings.reasoningEffort === '' ? null : (
        <SelectField
          label={fields.reasoningEffort}
          help={lacks(model, 'reasoning') ? fields.noReasoning(model.id) : undefined}
          value={settings.reasoningEffort}
          options={reasoningEfforts.map((value) => ({ value, text: fields.efforts[value] }))}
          onChoose={(reasoningEffort) => store.changeSettings({ reasoningEffort })}
        />
      )}
      <SelectField
        label={fields.format}
        help={lacks(model, 'grammar') ? fields.noSchemas(model.id) : undefined}
        value={settings.format}
        options={answerFormats.map((value) => ({ value, text: fields.formats[value] }))}
        onChoose={(format) => store.changeSettings({ format })}
      />
      {settings.format === 'schema' ? <JsonEditor name="schema" /> : null}
      <JsonEditor name="tools" {...(lacks(model, 'tools') ? { help: fields.noTools(model.id) } : {})} />
      {settings.tools === '' ? null : (
        <SelectField
          label={fields.toolChoice}
          value={settings.toolChoice}
          options={toolChoices.map((value) => ({ value, text: fields.choices[value] }))}
          onChoose={(toolChoice) => store.changeSettings({ toolChoice })}
        />
      )}
      <TextAreaField
        label={fields.stop}
        beside={<ResetLink name="stop" />}
        help={fields.stopHelp}
        error={fieldErrorText(errors.stop, playground)}
        rows={1}
        className="one-line"
        placeholder={fields.none}
        value={settings.stop}
        onChange={(event) => store.changeSettings({ stop: event.target.value })}
        onBlur={() => checkField(store, 'stop')}
      />
      {lacks(model, 'logprobs') ? null : (
        <SelectField
          label={fields.logprobs}
          help={fields.logprobsHelp}
          value={settings.logprobs === 'off' ? 'off' : 'on'}
          options={(['off', 'on'] as const).map((value) => ({ value, text: fields.logprobChoices[value] }))}
          onChoose={(value) =>
            store.changeSettings({ logprobs: value === 'on' && !lacks(model, 'token_ids') ? 'ids' : value })
          }
        />
      )}
      <NumberParameter name="seed" empty={fields.random} />
      <Slider name="presence_penalty" step={0.1} />
      <Slider name="frequency_penalty" step={0.1} />
      {isChanged ? (
        <button
          type="button"
          className="link small"
          onClick={() => {
            store.change({ settings: defaultSettings, errors: {} })
            toast(
              fields.resetDone,
              undoInPlayground(
                store,
                () => store.change({ settings, errors }),
                (now) => now.settings === defaultSettings,
              ),
            )
          }}
        >
          {fields.resetAll}
        </button>
      ) : (
        <p className="muted small">{fields.allAtDefault}</p>
      )}
    </div>
  )
}
