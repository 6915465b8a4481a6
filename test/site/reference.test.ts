import { expect, test } from 'vitest'
import { apiGroups } from '../../site/public-pages/parts/api-groups.ts'
import { operationSamples } from '../../site/public-pages/parts/operation-samples.ts'
import { schemaDescription } from '../../site/public-pages/parts/schema-type.ts'
import { describeFields } from '../../src/api/openapi/describe-fields.ts'
import { openapiDocument } from '../../src/api/openapi/document.ts'
import { operations } from '../../src/api/openapi/operations.ts'
import { isObject } from '../../src/http/schema/containers.ts'
import type { JsonSchema } from '../../src/http/schema/schema.ts'
import { languages } from '../../src/languages/languages.ts'
import { readWords } from '../../src/languages/words.ts'

/** The paths of fields without a description, however deep. */
const undescribed = (value: unknown, path: string): string[] => {
  if (!isObject(value)) return []
  const schema: JsonSchema = value
  const inner = [schema.items, schema.additionalProperties, schema.anyOf, schema.oneOf].flat()
  const fields = Object.entries(isObject(schema.properties) ? schema.properties : {})
  return [
    ...inner.flatMap((each) => undescribed(each, path)),
    ...fields.flatMap(([name, field]) => [
      ...(isObject(field) && schemaDescription(field) === null ? [`${path}.${name}`] : []),
      ...undescribed(field, `${path}.${name}`),
    ]),
  ]
}

test('every field of the API has a description: add one to its schema or to field-descriptions.ts', () => {
  const { components } = openapiDocument('', { strictRequests: false })
  const bodies = Object.entries(components.schemas).flatMap(([name, schema]) => undescribed(schema, name))
  const queries = operations.flatMap(({ id, query }) =>
    query === undefined ? [] : undescribed(describeFields(query.json, 'query'), id),
  )
  expect([...new Set([...bodies, ...queries])]).toEqual([])
})

test('every endpoint is on exactly one page of the reference', () => {
  const listed = apiGroups().flatMap((group) => group.operations.map(({ id }) => id))
  expect(listed.toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
})

test.each(languages)(
  'each sample is complete: it names the base URL and the key once, and its model: $code',
  async (language) => {
    const words = await readWords(language.code, 'public-pages')
    const context = { language, languages, words, name: '/docs/api/chat-completions' } as const
    for (const operation of operations) {
      const samples = operationSamples(operation, context)
      expect(samples.map(({ name }) => name)).toEqual(['curl', 'Python', 'TypeScript', 'Go', 'Java', 'C#'])
      const models = samples.map(({ code }) => code.html.split('data-own="').length - 1)
      for (const { id, code } of samples) {
        const place = `${operation.id} ${id}`
        expect([place, code.html.split('{{origin}}').length - 1]).toEqual([place, 1])
        expect([place, code.html.split('HELIX_API_KEY').length - 1]).toEqual([place, 1])
        expect([place, /%\w+%|undefined|\[object/.test(code.html)]).toEqual([place, false])
      }
      expect([operation.id, new Set(models).size]).toEqual([operation.id, 1])
    }
  },
)
