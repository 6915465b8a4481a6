import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appPages } from '../../src/site-server/pages.ts'

const files = join(import.meta.dirname, '../../site/public-pages/files')

type Manifest = {
  name: string
  start_url: string
  scope: string
  display: string
  icons: { src: string; sizes: string; type: string; purpose?: string }[]
}
const readManifest = async (): Promise<Manifest> => JSON.parse(await readFile(join(files, 'site.webmanifest'), 'utf8'))

test('a phone can install the site: it opens in a window of its own, at a page of the console', async () => {
  const { name, start_url, scope, display } = await readManifest()
  expect({ name, scope, display }).toEqual({ name: 'Helix', scope: '/', display: 'standalone' })
  expect(appPages).toContain(start_url)
})

test('its icons are as large as they say, and one may be cut to any shape', async () => {
  const { icons } = await readManifest()
  for (const { src, sizes, type } of icons) {
    const picture = await readFile(join(files, src))
    expect(type).toBe('image/png')
    // The header of a PNG: its width and height.
    expect(`${picture.readUInt32BE(16)}x${picture.readUInt32BE(20)}`, src).toBe(sizes)
  }
  expect(icons.map(({ sizes, purpose = 'any' }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
})
