import { expect, test } from 'vitest'
import { openapiDocument } from './document.ts'
import { createDocumentWriter } from './write-document.ts'

test('the document has the origin of its reader, and is put together once for all of them', () => {
  let reads = 0
  const write = createDocumentWriter({
    get strictRequests() {
      reads += 1
      return true
    },
  })
  for (const origin of ['https://a.example', 'http://[::1]:8080'])
    expect(JSON.parse(write(origin))).toEqual(
      JSON.parse(JSON.stringify(openapiDocument(origin, { strictRequests: true }))),
    )
  expect(reads).toBe(1)
})
