import { expect, test } from 'vitest'
import { readView } from '../../address/view-fields.ts'
import { fitting, showable } from './showable.ts'
import { countDays } from './usage-parameters.ts'
import { usageView } from './usage-view.ts'

const usual = readView(usageView, {})

test('hours of a long period become hours of a week, and hours give way to days if the period gets long', () => {
  expect(fitting({ ...usual, days: '90' }, { unit: 'hour' })).toEqual({ unit: 'hour', days: '7', from: '', to: '' })
  expect(fitting({ ...usual, unit: 'hour', days: '7' }, { days: '90' })).toEqual({ days: '90', unit: 'day' })
  const years = { from: '2024-01-01', to: '2026-11-16' }
  expect(fitting(usual, years)).toEqual({ ...years, unit: 'month' })
  expect(fitting(usual, { days: '365' })).toEqual({ days: '365' })
})

test('an address for what cannot be shown shows what is nearest to it', () => {
  const march = { from: '2026-03-01', to: '2026-03-31' }
  expect(showable({ ...usual, from: march.to, to: march.from })).toEqual({ ...usual, ...march })
  expect(showable({ ...usual, from: '2001-01-01', to: '2026-01-01' })).toEqual(usual)
  expect(showable({ ...usual, unit: 'hour', days: '90' })).toEqual({ ...usual, days: '90' })
  expect(showable({ ...usual, unit: 'hour', ...march })).toEqual({ ...usual, unit: 'hour', ...march })
})

test('a range counts its first and last day', () => {
  expect(countDays({ ...usual, from: '2026-02-27', to: '2026-03-01' })).toBe(3)
  expect(countDays({ ...usual, from: '2026-02-27' })).toBe(30)
})
