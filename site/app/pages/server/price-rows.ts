import { isRecord } from '../../../../src/base/is-record.ts'
import { parseJsonText } from '../../../../src/base/parse-json-text.ts'

/** One line of the form. Amounts as they were typed. */
export type PriceRow = { id: number; model: string; prompt: string; cached: string; completion: string }

export const amountNames = ['prompt', 'cached', 'completion'] as const

/** The setting `prices` as lines. */
export const priceRows = (value: string | null): PriceRow[] => {
  const prices: unknown = value === null ? {} : parseJsonText(value)
  const amount = (price: unknown, name: string): string => {
    const typed = isRecord(price) ? price[name] : undefined
    return typeof typed === 'number' ? String(typed) : ''
  }
  return Object.entries(isRecord(prices) ? prices : {}).map(([model, price], id) => ({
    ...{ id, model, prompt: amount(price, 'prompt') },
    ...{ cached: amount(price, 'cached'), completion: amount(price, 'completion') },
  }))
}

/** The setting from the lines: null without any. Lines without a model are left out; the server refuses wrong amounts. */
export const readPriceRows = (rows: readonly PriceRow[]): Record<string, Record<string, number | string>> | null => {
  const named = rows.filter(({ model }) => model.trim() !== '')
  if (named.length === 0) return null
  return Object.fromEntries(
    named.map((row) => [
      row.model.trim(),
      Object.fromEntries(
        amountNames.flatMap((name) => (row[name].trim() === '' ? [] : [[name, readAmount(row[name].trim())]])),
      ),
    ]),
  )
}

const readAmount = (text: string): number | string => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : text)
