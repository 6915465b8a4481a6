import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('../../site/styles/tokens.css', import.meta.url), 'utf8')

const block = (selector: string): Map<string, string> => {
  const start = css.indexOf(`${selector} {`)
  const body = css.slice(start, css.indexOf('}', start)).replace(/\/\*[^*]*\*\//g, '')
  return new Map([...body.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value.trim()]))
}

const light = block(':root')
const dark = block(':root[data-theme="dark"]')

test('dark is the same whether the system or the reader asked for it', () => {
  expect(block(':root:not([data-theme="light"])')).toEqual(dark)
})

const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.length === 4 ? `${hex[(at + 1) / 2]}`.repeat(2) : hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (colours: Map<string, string>, ink: string, ground: string): number => {
  const of = (name: string): number => luminance(colours.get(`--${name}`) ?? '')
  const [high, low] = [Math.max(of(ink), of(ground)), Math.min(of(ink), of(ground))]
  return (high + 0.05) / (low + 0.05)
}

const grounds = ['ground', 'surface', 'sunken']
const text = [
  ...['ink', 'ink-2', 'ink-3', 'sent', 'received-text', 'ok', 'warn', 'danger'].flatMap((ink) =>
    grounds.map((ground) => [ink, ground]),
  ),
  ...['sent', 'ok', 'warn', 'danger'].map((colour) => [colour, `${colour}-soft`]),
  ['received-text', 'received-soft'],
  ['on-sent', 'sent'],
  ['on-sent', 'sent-hover'],
  ['on-danger', 'danger'],
] as [string, string][]

test.each(text)('%s can be read on %s in both themes', (ink, ground) => {
  for (const colours of [light, dark]) expect(contrast(colours, ink, ground)).toBeGreaterThanOrEqual(4.5)
})

test.each(grounds)('the edges of controls can be seen on %s in both themes', (ground) => {
  for (const colours of [light, dark]) expect(contrast(colours, 'line-strong', ground)).toBeGreaterThanOrEqual(3)
})
