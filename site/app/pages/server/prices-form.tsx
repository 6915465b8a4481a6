import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import type { ShownSetting } from '../../../../src/platform/contract/server.ts'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { useSession } from '../../session.ts'
import { modelsQuery } from '../models/models-query.ts'
import { amountNames, priceRows, readPriceRows } from './price-rows.ts'
import { originText } from './setting-origin-text.tsx'
import { useSaveSettings } from './use-save-settings.ts'

/** What was typed, and what the prices were before. */
type Draft = { rows: ReturnType<typeof priceRows>; was: string | null }

/** Prices by model. */
export const PricesForm = ({ setting }: { setting: ShownSetting }) => {
  const words = useWords()
  const { server } = words
  const { currency } = useSession()
  const list = useId()
  const { data: models } = useQuery({ ...modelsQuery(usePlatform()), refetchInterval: false })
  const [draft, setDraft] = useState<Draft | null>(null)
  const { rows, was } = draft ?? { rows: priceRows(setting.value), was: setting.value }
  const setRows = (change: (last: Draft['rows']) => Draft['rows']): void => setDraft({ rows: change(rows), was })
  const { save, wrong } = useSaveSettings<Draft | null>({
    onSaved({ typed }, settings) {
      const saved = settings.find(({ name }) => name === setting.name)?.value ?? null
      setDraft((last) => (last === null || last === typed ? null : { ...last, was: saved }))
    },
    onConflict: () => setDraft(null),
  })
  const prices = readPriceRows(rows)
  const isChanged = JSON.stringify(prices) !== JSON.stringify(readPriceRows(priceRows(setting.value)))
  const change = (id: number, part: Partial<(typeof rows)[number]>): void =>
    setRows((last) => last.map((row) => (row.id === id ? { ...row, ...part } : row)))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isChanged && !save.isPending) save.mutate({ changes: { prices }, were: { prices: was }, typed: draft })
  }
  return (
    <form className="stack settings-form" onSubmit={submit} noValidate>
      <datalist id={list}>
        {models?.data.map(({ id }) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      {rows.map((row, index) => (
        <fieldset key={row.id} className="price-row" disabled={setting.isFixed}>
          <legend className="visually-hidden">{row.model || server.newPrice(index + 1)}</legend>
          <Field
            label={server.model}
            list={list}
            autoComplete="off"
            spellCheck={false}
            value={row.model}
            onChange={(event) => change(row.id, { model: event.target.value })}
          />
          {amountNames.map((name) => (
            <Field
              key={name}
              label={server.amounts[name]}
              inputMode="decimal"
              autoComplete="off"
              value={row[name]}
              onChange={(event) => change(row.id, { [name]: event.target.value })}
            />
          ))}
          <button
            type="button"
            className="link small"
            aria-label={server.removePriceOf(row.model || server.newPrice(index + 1))}
            onClick={() => setRows((last) => last.filter(({ id }) => id !== row.id))}
          >
            {server.removePrice}
          </button>
        </fieldset>
      ))}
      <p className="secondary small">
        {server.pricesHelp(currency)} {originText(setting, words)}
      </p>
      {wrong === null ? null : (
        <p className="error-text" role="alert">
          {wrong.text}
        </p>
      )}
      {save.error === null || wrong !== null ? null : <ErrorNotice error={save.error} title={server.notSaved} />}
      {setting.isFixed ? null : (
        <div className="button-row">
          <Button type="submit" disabled={!isChanged} busy={save.isPending}>
            {server.save}
          </Button>
          <Button onClick={() => setRows((last) => [...last, emptyRow(last)])}>
            <Plus size={16} strokeWidth={1.5} aria-hidden />
            {server.addPrice}
          </Button>
          {setting.source === 'console' ? (
            <button
              type="button"
              className="link small"
              onClick={() => save.mutate({ changes: { prices: null }, were: { prices: was }, typed: draft })}
            >
              {server.reset}
            </button>
          ) : null}
        </div>
      )}
    </form>
  )
}

const emptyRow = (rows: readonly { id: number }[]) => ({
  ...{ id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, model: '', prompt: '', cached: '', completion: '' },
})
