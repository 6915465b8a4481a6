import { expect, test } from 'vitest'
import { words as english } from '../../../languages/en/console.ts'
import { words as japanese } from '../../../languages/ja/console.ts'
import { todayFigures } from './today-lede.ts'

const total = {
  ...{ requests: 898, failed: 20, aborted: 0, promptTokens: 0, cachedTokens: 0, completionTokens: 0 },
  ...{ reasoningTokens: 0, firstTokenMs: null, durationMs: null, estimated: 0, costMicros: 0 },
}
const said = (requests: number, failed: number, rejected: number) => {
  const usage = { total: { ...total, requests, failed }, rejected: { total: rejected, reasons: [] } }
  const figures = todayFigures(usage, String)
  return [english.requests.today(figures), japanese.requests.today(figures)]
}

test('the title of the request log says how the day went', () => {
  expect(said(898, 20, 60)).toEqual([
    '958 requests, 20 failed, 60 rejected today.',
    '今日のリクエストは958件（失敗20件、拒否60件）です。',
  ])
  expect(said(1, 0, 0)).toEqual(['1 request today.', '今日のリクエストは1件です。'])
  expect(said(0, 0, 0)[0]).toBe('0 requests today.')
})
