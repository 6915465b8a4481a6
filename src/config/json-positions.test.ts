import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineAndColumn, locateJson } from './json-positions.ts'

test('any text is JSON for the locator exactly if it is for JSON.parse, and every value is where it says', () => {
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const nearlyJson = fc.oneof(
    fc.json({ maxDepth: 4 }),
    fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '1', '0', '-', '.', 'e', ' ', '\\', 'true', '"a":'),
    }),
  )
  fc.assert(
    fc.property(nearlyJson, (text) => {
      expect(locateJson(text).isJson).toBe(isJson(text))
    }),
  )
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 2 })), fc.constantFrom(0, 1, 4), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const positions = locateJson(text)
      if (!positions.isJson) throw new Error('it is JSON')
      for (const [index, item] of value.entries())
        expect(text.slice(positions.offsetOf([index])).startsWith(JSON.stringify(item)?.charAt(0) ?? '')).toBe(true)
    }),
  )
})

test('lines and columns are counted from 1, by characters', () => {
  const text = '{\r\n "語😀": 1 }'
  expect(lineAndColumn(text, 0)).toEqual({ line: 1, column: 1 })
  expect(lineAndColumn(text, text.indexOf('1 }'))).toEqual({ line: 2, column: 8 })
})
