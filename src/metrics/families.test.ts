import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseMetrics } from '../../test/harness/read-metrics.ts'
import { Counter } from './counter.ts'
import { createGauge } from './gauge.ts'
import { Histogram } from './histogram.ts'
import { writeMetrics } from './write-metrics.ts'

test('any label can be read again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (label) => {
      const counter = new Counter({ name: 'things', help: 'Say "things"\nor \\ nothing.', labels: ['name'] })
      counter.of(label).add(2)
      const [[series = '', value] = []] = parseMetrics(writeMetrics([counter]))
      const written = series.slice('things_total{name="'.length, -'"}'.length)
      const read = written.replace(/\\([\\"n])/g, (_, character) => (character === 'n' ? '\n' : character))
      expect([read, value]).toEqual([label, 2])
    }),
  )
})

test('the buckets of a histogram say how many values were at most as large as their bounds', () => {
  const bounds = [0.5, 1, 10]
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 20, noNaN: true })), (values) => {
      const histogram = new Histogram({ name: 'time_seconds', help: 'Time.', bounds })
      for (const value of values) histogram.of().observe(value)
      const samples = parseMetrics(writeMetrics([histogram]))
      if (values.length === 0) return
      for (const [name, bound] of [
        ['0.5', 0.5],
        ['1.0', 1],
        ['10.0', 10],
        ['+Inf', Number.POSITIVE_INFINITY],
      ] as const)
        expect(samples.get(`time_seconds_bucket{le="${name}"}`)).toBe(values.filter((value) => value <= bound).length)
      expect(samples.get('time_seconds_count')).toBe(values.length)
    }),
  )
})

test('a family has a bounded number of series, and loses no count beyond it', () => {
  const counter = new Counter({ name: 'things', help: 'Things.', labels: ['name'] })
  for (let index = 0; index < 5000; index += 1) counter.of(`thing ${index}`).add()
  const samples = parseMetrics(writeMetrics([counter]))
  expect(samples.size).toBe(1001)
  expect([...samples.values()].reduce((sum, value) => sum + value, 0)).toBe(5000)
})

test('a gauge without a value has no sample', () => {
  const gauge = createGauge({ name: 'nothing', help: 'Nothing.', read: () => null })
  expect(parseMetrics(writeMetrics([gauge])).size).toBe(0)
})
