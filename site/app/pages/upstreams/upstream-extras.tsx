import { useWords } from '../../admin-words-context.tsx'
import { Field } from '../../components/field.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useSession } from '../../session.ts'
import type { UpstreamFields, UpstreamTextName } from './upstream-fields.ts'
import type { UpstreamProblems } from './upstream-problems.ts'

type UpstreamExtrasFieldsProps = {
  fields: UpstreamFields
  problems: UpstreamProblems
  onChange(fields: UpstreamFields): void
}

const names: readonly UpstreamTextName[] = [
  ...(['embeddingModels', 'rerankModels', 'apiVersion', 'features', 'capabilities', 'builtInTools'] as const),
  ...(['connectSeconds', 'firstByteSeconds', 'silenceSeconds'] as const),
  ...(['promptPrice', 'cachedPrice', 'completionPrice', 'tokenizer', 'canaryPrompt', 'canaryExpect'] as const),
]

/** What few upstreams need. It is open if something is wrong with one of its fields. */
export const UpstreamExtrasFields = ({ fields, problems, onChange }: UpstreamExtrasFieldsProps) => {
  const { upstreams } = useWords()
  const { currency } = useSession()
  const hasWrong = names.some((name) => problems[name] !== undefined)
  const field = (name: UpstreamTextName, label: string, help?: string, inputMode?: 'decimal') => (
    <Field
      autoComplete="off"
      spellCheck={false}
      label={label}
      help={help}
      error={problems[name] ?? null}
      {...(inputMode === undefined ? {} : { inputMode })}
      value={fields[name]}
      onChange={(event) => onChange({ ...fields, [name]: event.target.value })}
    />
  )
  return (
    <details className="advanced" {...(hasWrong ? { open: true } : {})}>
      <summary>{upstreams.more}</summary>
      {field('embeddingModels', upstreams.embeddingModels, upstreams.modelsOfKindHelp)}
      {field('rerankModels', upstreams.rerankModels, upstreams.modelsOfKindHelp)}
      {fields.kind === 'azure' ? field('apiVersion', upstreams.apiVersion, upstreams.apiVersionHelp) : null}
      {field('features', upstreams.features, upstreams.featuresHelp)}
      {field('capabilities', upstreams.capabilities, upstreams.capabilitiesHelp)}
      {field('builtInTools', upstreams.builtInTools, upstreams.builtInToolsHelp)}
      {field('connectSeconds', upstreams.connectTimeout, upstreams.defaultSeconds(10), 'decimal')}
      {field('firstByteSeconds', upstreams.firstByteTimeout, upstreams.defaultSeconds(300), 'decimal')}
      {field('silenceSeconds', upstreams.silenceTimeout, upstreams.defaultSeconds(300), 'decimal')}
      {field('promptPrice', upstreams.promptPrice(currency), upstreams.priceHelp, 'decimal')}
      {field('cachedPrice', upstreams.cachedPrice(currency), undefined, 'decimal')}
      {field('completionPrice', upstreams.completionPrice(currency), undefined, 'decimal')}
      {field('tokenizer', upstreams.tokenizer, upstreams.tokenizerHelp)}
      <SelectField<UpstreamFields['canary']>
        label={upstreams.canary}
        help={upstreams.canaryHelp}
        value={fields.canary}
        options={[
          { value: 'off', text: upstreams.canaryOff },
          { value: 'on', text: upstreams.canaryOn },
        ]}
        onChoose={(canary) => onChange({ ...fields, canary })}
      />
      {fields.canary === 'off' ? null : (
        <>
          {field('canaryPrompt', upstreams.canaryPrompt, upstreams.canaryPromptHelp)}
          {field('canaryExpect', upstreams.canaryExpect, upstreams.canaryExpectHelp)}
        </>
      )}
    </details>
  )
}
