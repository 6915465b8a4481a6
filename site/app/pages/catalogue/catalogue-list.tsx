import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { CatalogueModel } from '../../../../src/platform/contract/models.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { Button } from '../../components/button.tsx'
import { CodeTabs } from '../../components/code-tabs.tsx'
import { CopyIcon } from '../../components/copy-icon.tsx'
import { Tag } from '../../components/tag.tsx'
import { durationText, moneyText, speedText, wholeText } from '../../figures.ts'
import { useSession } from '../../session.ts'
import { modelSamples } from './model-samples.ts'

type ListProps = { models: readonly CatalogueModel[]; currency: string }

export const CatalogueList = ({ models, currency }: ListProps) => {
  const { catalogue } = useWords()
  return (
    <ul className="catalogue" aria-label={catalogue.list}>
      {models.map((model) => (
        <CatalogueEntry key={model.id} model={model} currency={currency} />
      ))}
    </ul>
  )
}

const CatalogueEntry = ({ model, currency }: { model: CatalogueModel; currency: string }) => {
  const { language } = useLocale()
  const { shell, models, catalogue } = useWords()
  const [isOpen, setOpen] = useState(false)
  const { id, kind, aliases, isDefault, isAvailable, contextTokens, capabilities } = model
  const shown = capabilities.filter((name) => name !== 'token_ids' && name !== 'template')
  return (
    <li>
      <div className="entry-head">
        <h2>
          <span className="mono">{id}</span> <CopyIcon text={id} label={shell.copyModel} />
        </h2>
        {isDefault ? <span className="chip">{models.isDefault}</span> : null}
        {isAvailable ? null : <Tag state="bad">{catalogue.unavailable}</Tag>}
        <span className="row-actions">
          <Button aria-expanded={isOpen} aria-label={catalogue.codeOf(id)} onClick={() => setOpen(!isOpen)}>
            {catalogue.code}
          </Button>
          {kind === 'chat' ? (
            <Link className="button" to="/playground" search={{ model: id }} aria-label={models.tryOf(id)}>
              {models.try}
            </Link>
          ) : null}
        </span>
      </div>
      {aliases.length === 0 ? null : (
        <p className="secondary small">{models.aliases(aliases.join(language.listSeparator))}</p>
      )}
      <dl>
        <Fact name={models.kind} text={models.kinds[kind]} />
        <Fact
          name={models.context}
          text={contextTokens === null ? catalogue.unknown : wholeText(contextTokens, language)}
        />
        <Fact
          name={catalogue.capabilities}
          text={
            shown.length === 0
              ? catalogue.afterFirstUse
              : shown.map((name) => models.capabilities[name]).join(language.listSeparator)
          }
        />
        <Price model={model} currency={currency} />
        <Speed model={model} />
      </dl>
      {isOpen ? <Samples model={model} /> : null}
    </li>
  )
}

const Fact = ({ name, text }: { name: string; text: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{text}</dd>
  </div>
)

const Price = ({ model: { price, kind }, currency }: { model: CatalogueModel; currency: string }) => {
  const { language } = useLocale()
  const { catalogue } = useWords()
  const money = (micros: number): string => moneyText(micros, currency, language)
  if (price === null) return <Fact name={catalogue.price} text={catalogue.noPrice} />
  const { promptMicros, cachedMicros, completionMicros } = price
  const parts =
    kind === 'chat'
      ? [
          catalogue.prices(money(promptMicros), money(completionMicros)),
          ...(cachedMicros === promptMicros ? [] : [catalogue.cachedPrice(money(cachedMicros))]),
        ]
      : [catalogue.promptPrice(money(promptMicros))]
  return <Fact name={catalogue.price} text={parts.join(language.listSeparator)} />
}

const Speed = ({ model: { speed, kind } }: { model: CatalogueModel }) => {
  const { language } = useLocale()
  const { catalogue } = useWords()
  if (kind !== 'chat') return null
  const parts =
    speed === null
      ? []
      : [
          ...(speed.firstTokenMs === null ? [] : [catalogue.firstToken(durationText(speed.firstTokenMs, language))]),
          speed.tokensPerSecond === null
            ? catalogue.speedNotMeasured
            : catalogue.tokensPerSecond(speedText(speed.tokensPerSecond, language)),
        ]
  return (
    <Fact name={catalogue.speed} text={parts.length === 0 ? catalogue.noSpeed : parts.join(language.listSeparator)} />
  )
}

const Samples = ({ model: { id, kind } }: { model: CatalogueModel }) => {
  const { welcome, catalogue } = useWords()
  const { baseUrl } = useSession()
  return (
    <>
      <CodeTabs
        tabs={modelSamples(kind, {
          baseUrl,
          model: id,
          question: welcome.question,
          environmentName: welcome.environment,
        })}
        label={catalogue.codeOf(id)}
      />
      <p className="secondary small">
        {catalogue.needsKey}{' '}
        <Link className="link" to="/keys">
          {catalogue.toKeys}
        </Link>
      </p>
    </>
  )
}
