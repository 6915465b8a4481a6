import { expect, test } from 'vitest'
import { openapiDocument } from '../api/openapi/document.ts'
import { platformDocument } from '../platform/contract/openapi-document.ts'
import { createOpenapiWriter } from './write-openapi.ts'

test.for([
  ['/v1', (origin: string) => openapiDocument(origin, { strictRequests: true })],
  ['/platform', platformDocument],
] as const)(
  'the document of %s has the origin of its reader, and is put together once for all of them',
  ([, describe]) => {
    let times = 0
    const write = createOpenapiWriter((origin) => {
      times += 1
      return describe(origin)
    })
    for (const origin of ['https://a.example', 'http://[::1]:8080'])
      expect(JSON.parse(write(origin))).toEqual(JSON.parse(JSON.stringify(describe(origin))))
    expect(times).toBe(1)
  },
)
