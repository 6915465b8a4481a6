import type { upstreamBody } from '../../../../src/platform/contract/upstreams.ts'
import { Field } from '../../components/field.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'

type TextName =
  | 'features'
  | 'connectSeconds'
  | 'firstByteSeconds'
  | 'silenceSeconds'
  | 'promptPrice'
  | 'cachedPrice'
  | 'completionPrice'
  | 'tokenizer'
  | 'canaryPrompt'
  | 'canaryExpect'

/** What few upstreams need. Empty: the default. */
export type UpstreamExtras = Record<TextName, string> & { canary: 'off' | 'on' }

export const noExtras: UpstreamExtras = {
  features: '',
  connectSeconds: '',
  firstByteSeconds: '',
  silenceSeconds: '',
  promptPrice: '',
  cachedPrice: '',
  completionPrice: '',
  tokenizer: '',
  canary: 'off',
  canaryPrompt: '',
  canaryExpect: '',
}

type UpstreamExtrasFieldsProps = { extras: UpstreamExtras; onChange(extras: UpstreamExtras): void }

export const UpstreamExtrasFields = ({ extras, onChange }: UpstreamExtrasFieldsProps) => {
  const { upstreams } = useWords()
  const { currency } = useSession()
  const field = (name: TextName, label: string, help?: string, inputMode?: 'decimal') => (
    <Field
      autoComplete="off"
      spellCheck={false}
      label={label}
      help={help}
      {...(inputMode === undefined ? {} : { inputMode })}
      value={extras[name]}
      onChange={(event) => onChange({ ...extras, [name]: event.target.value })}
    />
  )
  return (
    <details className="advanced">
      <summary>{upstreams.more}</summary>
      {field('features', upstreams.features, upstreams.featuresHelp)}
      {field('connectSeconds', upstreams.connectTimeout, upstreams.defaultSeconds(10), 'decimal')}
      {field('firstByteSeconds', upstreams.firstByteTimeout, upstreams.defaultSeconds(300), 'decimal')}
      {field('silenceSeconds', upstreams.silenceTimeout, upstreams.defaultSeconds(300), 'decimal')}
      {field('promptPrice', upstreams.promptPrice(currency), upstreams.priceHelp, 'decimal')}
      {field('cachedPrice', upstreams.cachedPrice(currency), undefined, 'decimal')}
      {field('completionPrice', upstreams.completionPrice(currency), undefined, 'decimal')}
      {field('tokenizer', upstreams.tokenizer, upstreams.tokenizerHelp)}
      <SelectField<UpstreamExtras['canary']>
        label={upstreams.canary}
        help={upstreams.canaryHelp}
        value={extras.canary}
        options={[
          { value: 'off', text: upstreams.canaryOff },
          { value: 'on', text: upstreams.canaryOn },
        ]}
        onChoose={(canary) => onChange({ ...extras, canary })}
      />
      {extras.canary === 'off' ? null : (
        <>
          {field('canaryPrompt', upstreams.canaryPrompt, upstreams.canaryPromptHelp)}
          {field('canaryExpect', upstreams.canaryExpect, upstreams.canaryExpectHelp)}
        </>
      )}
    </details>
  )
}

type Body = Partial<ReturnType<typeof upstreamBody>>

/** As the server expects them. What is no number is sent as it is, and the server names the field. */
export const extrasBody = (extras: UpstreamExtras): Body => {
  const features = itemsIn(extras.features)
  const prices = [
    ['prompt', extras.promptPrice],
    ['cached', extras.cachedPrice],
    ['completion', extras.completionPrice],
  ] as const
  const price = Object.fromEntries(prices.flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, Number(text)]])))
  return {
    ...(features.length === 0 ? {} : { features }),
    ...inMs('connectTimeoutMs', extras.connectSeconds),
    ...inMs('firstByteTimeoutMs', extras.firstByteSeconds),
    ...inMs('silenceTimeoutMs', extras.silenceSeconds),
    ...(Object.keys(price).length === 0 ? {} : { price }),
    ...(extras.canary === 'off' ? {} : { canary: canaryBody(extras) }),
  }
}

const canaryBody = ({ canaryPrompt, canaryExpect }: UpstreamExtras) => ({
  ...(canaryPrompt.trim() === '' ? {} : { prompt: canaryPrompt.trim() }),
  ...(canaryExpect.trim() === '' ? {} : { expect: canaryExpect.trim() }),
})

const inMs = (name: string, seconds: string): Record<string, number> =>
  seconds.trim() === '' ? {} : { [name]: Math.round(Number(seconds) * 1000) }

/** Separated by commas, of either language. */
export const itemsIn = (text: string): string[] =>
  text
    .split(/[,、]/)
    .map((item) => item.trim())
    .filter((item) => item !== '')
