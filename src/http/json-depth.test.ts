import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNestedDeeper } from './json-depth.ts'

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

test('for any JSON the depth is that of the parsed value, whatever its strings contain', () => {
  const text = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', 'a', '猫', '\n') })
  const json = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 8 }, text, fc.integer(), tie('array'), tie('object')),
    array: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  })).value
  fc.assert(
    fc.property(json, fc.nat({ max: 9 }), (value, limit) => {
      const bytes = Buffer.from(JSON.stringify(value))
      expect(isNestedDeeper(bytes, limit)).toBe(depthOf(JSON.parse(bytes.toString())) > limit)
    }),
  )
})

test('what can be parsed is never nested deeper than was found', () => {
  const unit = fc.constantFrom('[', '[', '[', ']', '{"":', '{', '}', '"', '\\', ',', '1')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), fc.nat({ max: 5 }), (text, limit) => {
      fc.pre(!isNestedDeeper(Buffer.from(text), limit))
      let value: unknown
      try {
        value = JSON.parse(text)
      } catch {
        return
      }
      expect(depthOf(value)).toBeLessThanOrEqual(limit)
    }),
  )
})
