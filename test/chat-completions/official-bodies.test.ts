import { existsSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { officialBody } from '../harness/chat-bodies.ts'

const file = new URL('../../conformance/openai-chat.schemas.json', import.meta.url)

/** So that the bodies of our property tests are those that clients send, and not only those we like. */
test.skipIf(!existsSync(file))('every valid body without extensions matches the official schema of a request', () => {
  const validator = new Ajv2020({ strict: false })
  addFormats.default(validator)
  validator.addSchema(JSON.parse(readFileSync(file, 'utf8')), 'official')
  const fits = validator.getSchema('official#/components/schemas/CreateChatCompletionRequest')
  fc.assert(
    fc.property(officialBody, (body) => {
      expect(fits?.(JSON.parse(JSON.stringify(body))) || fits?.errors).toBe(true)
    }),
    { numRuns: 1000 },
  )
})
