import { crc32, deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { audioBase64, imageBase64 } from '../harness/media.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { severalModels } from '../harness/several-models.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openSiteServer({
    openModels: severalModels([
      { id: 'reader', features: new Set(['tools']) },
      { id: 'seer', features: new Set(['vision', 'audio']) },
    ]),
  })
  owner = await claimServer(helix)
  return helix.close
})

const png = { name: 'cat.png', mimeType: 'image/png', buffer: Buffer.from(imageBase64.png, 'base64') }
const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('富士山 3776 m') }

/** A PNG that does not shrink: the same noise in every run. */
const noisePng = (width: number, height: number): Buffer => {
  const pixels = Buffer.alloc(height * (1 + 3 * width))
  let seed = 1
  for (let at = 0; at < pixels.length; at += 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    pixels[at] = at % (1 + 3 * width) === 0 ? 0 : (seed >>> 16) & 0xff
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const part = (type: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(type), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, checksum])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    part('IHDR', head),
    part('IDAT', deflateSync(pixels, { level: 1 })),
    part('IEND', Buffer.alloc(0)),
  ])
}

const send = async (page: Page): Promise<{ messages: { content: unknown }[] }> => {
  const [request] = await Promise.all([
    page.waitForRequest('**/platform/playground/chat/completions'),
    page.getByRole('button', { name: 'Send', exact: true }).click(),
  ])
  return request.postDataJSON()
}

test('a file goes with the message where the model takes it; elsewhere a sentence says what to do', async () => {
  const { page, context } = await openVisitor(helix.url, { width: 1440 })
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/playground')
  const files = page.locator('.composer input[type=file]')
  await files.setInputFiles([notes, png])
  await page.getByText('reader does not accept images.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove cat.png' }).click()
  await page.getByText('reader does not accept images.').waitFor({ state: 'detached' })
  await page.getByLabel('Message', { exact: true }).fill('How high?')
  expect((await send(page)).messages).toEqual([{ role: 'user', content: 'notes.txt:\n\n富士山 3776 m\n\nHow high?' }])
  await page.locator('.turn.sent .attachments').getByText('notes.txt').waitFor()
  await page.getByLabel('Model').selectOption('seer')
  await page.getByLabel('Message', { exact: true }).evaluate((area, data) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(
      new File([Uint8Array.from(atob(data), (each) => each.charCodeAt(0))], 'pasted.png', { type: 'image/png' }),
    )
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, imageBase64.png)
  await page.locator('.composer .attachments').getByText('pasted.png').waitFor()
  const { messages } = await send(page)
  expect(messages.at(-1)?.content).toEqual([
    { type: 'image_url', image_url: { url: `data:image/png;base64,${imageBase64.png}` } },
  ])
})

test('an empty file, and one that is not what its name says, are refused before anything is sent', async () => {
  const { page, context } = await openVisitor(helix.url, { width: 1440 })
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/playground')
  const files = page.locator('.composer input[type=file]')
  await files.setInputFiles([
    { name: 'nothing.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
    { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<html>') },
  ])
  await page.getByText('nothing.txt is empty. page.png cannot be read as text, an image').waitFor()
  expect(await page.locator('.composer .attachments').count()).toBe(0)
})

test('the comparison sends the files of the message along, and begins with models that take them', async () => {
  const { page, context } = await openVisitor(helix.url, { width: 1440 })
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/playground')
  await page.getByLabel('Model').selectOption('seer')
  await page.locator('.composer input[type=file]').setInputFiles([png])
  await page.locator('.composer .attachments').getByText('cat.png').waitFor()
  await page.getByRole('link', { name: 'Compare' }).click()
  await page.locator('.compare-prompt .attachments').getByText('cat.png').waitFor()
  const columns = page.getByLabel('Model')
  expect(await Promise.all([columns.first().inputValue(), columns.last().inputValue()])).toEqual(['seer', 'seer'])
  const asked = page.waitForRequest('**/platform/playground/chat/completions')
  await page.getByRole('button', { name: 'Run both' }).click()
  expect(JSON.stringify((await asked).postDataJSON())).toContain(imageBase64.png)
  await page.locator('.compare-answer .answer').last().waitFor()
})

test('a large photograph is made smaller, and the page says so', async () => {
  const { page, context } = await openVisitor(helix.url, { width: 1440 })
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/playground')
  await page.getByLabel('Model').selectOption('seer')
  const photo = { name: 'photo.png', mimeType: 'image/png', buffer: noisePng(2300, 640) }
  expect(photo.buffer.length).toBeGreaterThan(4 * 1024 * 1024)
  await page.locator('.composer input[type=file]').setInputFiles([photo], { timeout: 60_000 })
  await page.locator('.composer .attachments').getByText('made smaller').waitFor({ timeout: 60_000 })
  const { messages } = await send(page)
  const sent = JSON.stringify(messages.at(-1)?.content)
  const [, base64 = ''] = /data:image\/jpeg;base64,([^"]+)/.exec(sent) ?? []
  const width = await page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0))
    return (await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }))).width
  }, base64)
  expect(width).toBe(2048)
})

test('while a file is dragged over the page, the composer says that it may be dropped', async () => {
  const { page, context } = await openVisitor(helix.url, { width: 1440 })
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/playground')
  const drag = (kind: string) =>
    page.locator('.conversation').evaluate((part, name) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['meow'], 'notes.txt', { type: 'text/plain' }))
      part.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }))
    }, kind)
  const sign = page.locator('.composer').getByText('Drop the files to attach them')
  await drag('dragover')
  await sign.waitFor()
  await drag('dragleave')
  await sign.waitFor({ state: 'detached' })
  await drag('dragover')
  await sign.waitFor()
  await drag('drop')
  await page.locator('.composer .attachments').getByText('notes.txt').waitFor()
  expect(await sign.count()).toBe(0)
})

test('an image, audio and a text that are dropped together are sent together', async () => {
  const { page, context } = await openVisitor(helix.url, { width: 1440 })
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/playground')
  await page.getByLabel('Model').selectOption('seer')
  await page.locator('.conversation').evaluate(
    (part, files) => {
      const dataTransfer = new DataTransfer()
      for (const { name, type, data } of files)
        dataTransfer.items.add(new File([Uint8Array.from(atob(data), (each) => each.charCodeAt(0))], name, { type }))
      for (const kind of ['dragover', 'drop'])
        part.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }))
    },
    [
      { name: 'cat.png', type: 'image/png', data: imageBase64.png },
      { name: 'purr.wav', type: 'audio/wav', data: audioBase64.wav },
      { name: 'notes.txt', type: 'text/plain', data: btoa('meow') },
    ],
  )
  await page.locator('.composer .attachments').getByText('notes.txt').waitFor()
  await page.getByRole('button', { name: 'View code' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('tab', { name: 'curl' }).click()
  await dialog.getByText('data:image/png;base64,').waitFor()
  expect(await dialog.locator('pre').textContent()).not.toContain(imageBase64.png)
  await dialog.getByRole('button', { name: 'Copy: curl' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(imageBase64.png)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  expect((await send(page)).messages.at(-1)?.content).toEqual([
    { type: 'text', text: 'notes.txt:\n\nmeow' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${imageBase64.png}` } },
    { type: 'input_audio', input_audio: { data: audioBase64.wav, format: 'wav' } },
  ])
  await page.locator('.answer').getByText('I am seer.').last().waitFor()
})
