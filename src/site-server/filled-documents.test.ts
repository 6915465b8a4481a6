import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createFilledDocuments } from './filled-documents.ts'

const text = `<a href="{{origin}}/docs">{{model}} at {{origin}}</a> ${'padding '.repeat(200)}`
const values = { origin: 'http://a.example', model: '"m" & <n>' }

test('a document has the values in place of the marks, escaped in HTML only', () => {
  const filled = createFilledDocuments(() => text)
  expect(filled('a.html', values).plain.toString()).toContain(
    '<a href="http://a.example/docs">&#34;m&#34; &#38; &#60;n&#62; at http://a.example</a> padding',
  )
  expect(filled('a.md', values).plain.toString()).toContain('>"m" & <n> at')
})

test('it links to the source code only where the operator named its address, escaped', () => {
  const footer = () => '<a href="{{source}}">Source code</a>'
  const sourceUrl = 'https://git.example/a?b&c'
  expect(createFilledDocuments(footer)('a.html', values).plain.toString()).toBe('<a href="">Source code</a>')
  const named = createFilledDocuments(footer, { sourceUrl })('a.html', values)
  expect(named.plain.toString()).toBe('<a href="https://git.example/a?b&#38;c">Source code</a>')
  expect(named.etag).not.toBe(createFilledDocuments(footer)('a.html', values).etag)
})

test('it is compressed once in each encoding, and never while a reader waits for the event loop', async () => {
  const filled = createFilledDocuments(() => text)
  const { plain, packed } = filled('a.html', values)
  const [br, gzip] = [packed('br'), packed('gzip')]
  expect([br, gzip]).toEqual([expect.any(Promise), expect.any(Promise)])
  expect(brotliDecompressSync((await br) ?? '')).toEqual(plain)
  expect(gunzipSync((await gzip) ?? '')).toEqual(plain)
  expect(filled('a.html', values).packed('br')).toBe(await br)
})

test('its tag says which file it is, for which address and model, and is the same when it is filled in again', () => {
  const filled = createFilledDocuments((file) => text + file, { cachedBytes: 0 })
  const tag = (file: string, change: Partial<typeof values> = {}): string => filled(file, { ...values, ...change }).etag
  expect(tag('a.html')).toBe(tag('a.html'))
  const others = [tag('b.html'), tag('a.html', { origin: 'http://b.example' }), tag('a.html', { model: 'n' })]
  expect(new Set([tag('a.html'), ...others]).size).toBe(4)
})

test('however many hosts are made up, few documents are compressed at once and the others are sent as they are', async () => {
  const packing: { resolve(bytes: Buffer): void }[] = []
  const pack = (): Promise<Buffer> => {
    const one = Promise.withResolvers<Buffer>()
    packing.push(one)
    return one.promise
  }
  const filled = createFilledDocuments(() => text, { pack })
  const ask = (host: number) => filled('a.html', { ...values, origin: `http://${host}.example` }).packed('br')
  const asked = Array.from({ length: 100 }, (_, host) => ask(host))
  expect(packing.length).toBe(2)
  expect(asked.slice(2)).toEqual(Array.from({ length: 98 }, () => null))
  // The same document is waited for instead of compressed again.
  expect(ask(0)).toBe(asked[0])
  for (const one of packing.splice(0)) one.resolve(Buffer.from('packed'))
  expect((await asked[0])?.toString()).toBe('packed')
  await asked[1]
  expect(ask(99)).toBeInstanceOf(Promise)
})

test('a document that cannot be compressed is sent as it is, and tried again', async () => {
  let isBroken = true
  const pack = async (): Promise<Buffer> => {
    if (isBroken) throw new Error('no memory')
    return Buffer.from('packed')
  }
  const { packed } = createFilledDocuments(() => text, { pack })('a.html', values)
  expect(await packed('br')).toBeNull()
  isBroken = false
  expect((await packed('br'))?.toString()).toBe('packed')
})

test('those asked for last are kept, up to a number of bytes', () => {
  const filled = createFilledDocuments(() => text, { cachedBytes: 2 * text.length })
  const first = filled('a.html', values).plain
  expect(filled('a.html', values).plain).toBe(first)
  for (const host of ['b', 'c']) filled('a.html', { ...values, origin: `http://${host}.example` })
  expect(filled('a.html', values).plain).not.toBe(first)
})
