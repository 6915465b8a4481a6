import { expect, test } from 'vitest'
import { language as english } from '../../languages/en/language.ts'
import { language as japanese } from '../../languages/ja/language.ts'
import { axisMoneyText, bytesText, durationText, moneyText, percentText, roundText, speedText } from './figures.ts'

test.each([
  [0, '0 ms', '0 ms'],
  [214.4, '214 ms', '214 ms'],
  [999.6, '1.00 s', '1.00秒'],
  [1412, '1.41 s', '1.41秒'],
  [9996, '10.0 s', '10.0秒'],
  [12_360, '12.4 s', '12.4秒'],
  [1_234_500, '1,234.5 s', '1,234.5秒'],
])('%d milliseconds are %s', (ms, en, ja) => {
  const plain = (text: string): string => text.replaceAll('\u00a0', ' ')
  expect([plain(durationText(ms, english)), plain(durationText(ms, japanese))]).toEqual([en, ja])
})

test.each([
  [12_500_000, '€12.50', '¥13'],
  [250_000, '€0.25', '¥0.25'],
  [12_345, '€0.012', '¥0.012'],
  [123, '€0.00012', '¥0.00012'],
  [1, '€0.000001', '¥0.000001'],
  [0, '€0.00', '¥0'],
])('%d millionths are %s', (micros, euros, yen) => {
  const said = [moneyText(micros, 'EUR', english), moneyText(micros, 'JPY', japanese).replace('\uffe5', '¥')]
  expect(said).toEqual([euros, yen])
})

test('whole amounts on an axis have no zeros behind them', () => {
  const said = [0, 500_000, 2_500_000, 50_000_000_000].map((micros) => axisMoneyText(micros, 'EUR', english))
  expect(said).toEqual(['€0', '€0.50', '€2.50', '€50,000'])
})

test('speeds have a decimal below ten, and shares at most one', () => {
  expect([speedText(8.44, english), speedText(44.4, english)]).toEqual(['8.4', '44'])
  expect([percentText(0.0344, english), percentText(1, japanese), percentText(0, english)]).toEqual([
    '3.4%',
    '100%',
    '0%',
  ])
})

test('round figures are grouped like those of the tables', () => {
  expect([roundText(1370, english), roundText(1370, japanese), roundText(1_534_000, japanese)]).toEqual([
    '1.4K',
    '1,370',
    '153.4万',
  ])
})

test.each([
  [0, '0 B'],
  [11, '11 B'],
  [4200, '4.2 KB'],
  [65_536, '66 KB'],
  [9_400_000, '9.4 MB'],
  [412_000_000, '412 MB'],
  [25_300_000_000, '25.3 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(bytesText(bytes, english).replaceAll('\u00a0', ' ')).toBe(text)
})
