import { expect, test } from 'vitest'
import type { UsageRow } from '../../store/ledger-contract.ts'
import { noUsage } from '../../usage/summarise.ts'
import { chooseSource } from './usage-source.ts'

const row = (day: number, requests: number): UsageRow => ({
  ...{ ...noUsage, day, requests },
  ...{ organisationId: 'org_1', keyId: 'key_1', model: 'helix-v1' },
})
const choose = (
  changes: Partial<Parameters<typeof chooseSource>[0]>,
  rows: UsageRow[] = [row(20011114, 10), row(20011115, 10)],
  horizon: number | null = null,
) =>
  chooseSource(
    {
      ...{ organisationId: 'org_1', period: { fromDay: 20011101, toDay: 20011115 }, unit: 'day', by: 'none' },
      ...{ timeZone: 'Asia/Tokyo', serverTimeZone: 'UTC', ...changes },
    },
    { rows: async () => rows, horizon: async () => horizon },
  )

test('days of the server come from the totals, everything else from the requests', async () => {
  expect(await choose({ timeZone: 'UTC' })).toEqual({ kind: 'totals', timeZone: 'UTC', limited: null })
  const counted = { kind: 'requests', limited: null, countedFrom: null }
  expect(await choose({})).toEqual({ ...counted, timeZone: 'Asia/Tokyo' })
  expect(await choose({ timeZone: 'UTC', unit: 'hour' })).toEqual({ ...counted, timeZone: 'UTC' })
  for (const by of ['endpoint', 'status'] as const)
    expect(await choose({ timeZone: 'UTC', by })).toEqual({ ...counted, timeZone: 'UTC' })
})

test('if requests of the period were deleted, days are those of the server and hours and endpoints begin later', async () => {
  expect(await choose({}, undefined, 20011114)).toEqual({ kind: 'totals', timeZone: 'UTC', limited: 'retention' })
  expect(await choose({ unit: 'hour' }, undefined, 20011114)).toEqual({
    ...{ kind: 'requests', timeZone: 'Asia/Tokyo', limited: 'retention' },
    countedFrom: Date.UTC(2001, 10, 15),
  })
  expect(await choose({ by: 'endpoint' }, undefined, 20011114)).toMatchObject({
    ...{ kind: 'requests', limited: 'retention' },
    countedFrom: Date.UTC(2001, 10, 15),
  })
  // Nothing is missing where nothing was.
  expect(await choose({}, undefined, 20011113)).toMatchObject({ kind: 'requests', limited: null })
})

test('so are they if there are too many requests to count', async () => {
  const busy = [row(20011113, 1), row(20011114, 200_000), row(20011115, 200_000)]
  expect(await choose({}, busy)).toEqual({ kind: 'totals', timeZone: 'UTC', limited: 'volume' })
  expect(await choose({ by: 'status' }, busy)).toMatchObject({
    limited: 'volume',
    countedFrom: Date.UTC(2001, 10, 15),
  })
  const tooBusy = [row(20011115, 900_000)]
  expect(await choose({ by: 'status' }, tooBusy)).toMatchObject({ countedFrom: Date.UTC(2001, 10, 15, 15) })
})
