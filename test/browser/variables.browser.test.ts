import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'
import { withoutLongTimers } from './without-long-timers.ts'

let helix: Helix
let people = 0
const never = new Promise<never>(() => {})
beforeAll(async () => {
  helix = await openSiteServer({
    answer: (messages) => {
      const asked = messages.at(-1)?.content ?? ''
      return asked.includes('Lima') ? ['Half', { pause: never }] : ['You', ' said: ', asked]
    },
  })
  await claimServer(helix)
  return helix.close
})

const openPlayground = async (width = 1440) => {
  const { page, context } = await openVisitor(helix.url, { width })
  people += 1
  const member = await signUp(helix.url, `person${people}@example.com`)
  await takeCookies(context, helix.url, member.cookies)
  await page.addInitScript({ content: withoutLongTimers })
  await openPage(page, '/playground')
  const message = page.getByLabel('Message', { exact: true })
  await message.fill('Where is {{city}}, {{land}}?')
  await page.getByLabel('city').waitFor()
  return { page, message }
}

const cell = (page: Page, name: string, row: number) => page.getByLabel(`${name}, row ${row}`, { exact: true })

/** As a spreadsheet copies cells. */
const paste = (page: Page, name: string, text: string) =>
  page.getByLabel(name).evaluate((area, copied) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', copied)
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

const asked = async (page: Page, click: () => Promise<void>): Promise<string> => {
  const [request] = await Promise.all([page.waitForRequest('**/platform/playground/chat/completions'), click()])
  return request.postDataJSON().messages.at(-1).content
}

test('Send and View code use the chosen row; all rows stay after a reload, and a removed one comes back', async () => {
  const { page } = await openPlayground()
  await page.getByLabel('city').fill('Kyoto')
  await page.getByRole('button', { name: 'Add row' }).click()
  await expect.poll(() => cell(page, 'city', 2).evaluate((area) => area === document.activeElement)).toBe(true)
  await cell(page, 'city', 2).fill('Oslo')
  await cell(page, 'land', 2).fill('Norway')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('radio', { name: 'Row 2' }).check()
  await page.getByRole('button', { name: 'View code' }).click()
  await page.getByRole('dialog').getByText('Where is Oslo, Norway?').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  const send = page.getByRole('button', { name: 'Send', exact: true })
  expect(await asked(page, () => send.click())).toBe('Where is Oslo, Norway?')
  await page.locator('.answer').getByText('You said: Where is Oslo, Norway?').waitFor()
  await page.getByText('Row 2: Oslo · Norway').waitFor()
  await page.getByRole('button', { name: 'Remove row 1' }).click()
  await page.getByText('Row 1 removed').waitFor()
  const saving = page.waitForRequest(
    (request) => request.url().endsWith('/playground/draft') && (request.postData() ?? '').includes('otherRows'),
  )
  await page.getByRole('button', { name: 'Undo' }).click()
  await cell(page, 'city', 2).waitFor()
  await (await saving).response()
  await page.reload()
  expect(await cell(page, 'city', 1).inputValue()).toBe('Kyoto')
  expect(await page.getByRole('radio', { name: 'Row 2' }).isChecked()).toBe(true)
  await page.getByText('Row 2: Oslo · Norway').waitFor()
})

test('all rows are answered one after the other, as versions of the answer to the same message', async () => {
  const { page } = await openPlayground()
  await paste(page, 'city', 'Kyoto\tJapan\nOslo\tNorway\nRome\tItaly\n')
  expect(await cell(page, 'land', 3).inputValue()).toBe('Italy')
  await page.getByRole('button', { name: 'Run all 3 rows' }).click()
  const versions = page.locator('.versions')
  await versions.getByText('Version 3 of 3').waitFor()
  await page.locator('.answer').getByText('You said: Where is Rome, Italy?').waitFor()
  expect(await page.locator('.turn.sent').count()).toBe(1)
  await page.getByRole('button', { name: 'Previous version: the answer' }).click()
  await page.getByText('Row 2: Oslo · Norway').waitFor()
  await page.locator('.answer').getByText('You said: Where is Oslo, Norway?').waitFor()
  const again = page.getByRole('button', { name: 'Regenerate: the answer' })
  expect(await asked(page, () => again.click())).toBe('Where is Oslo, Norway?')
  await versions.getByText('Version 4 of 4').waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Run all 3 rows' }).click()
  await versions.getByText('Version 7 of 7').waitFor()
  expect(await page.locator('.exchange.received').count()).toBe(1)
})

test('Stop ends the answer of a row and sends no further one', async () => {
  const { page } = await openPlayground()
  await paste(page, 'city', 'Kyoto\tJapan\nLima\tPeru\nRome\tItaly')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/chat/completions')) sent.push(request.postData() ?? '')
  })
  await page.getByRole('button', { name: 'Run all 3 rows' }).click()
  await page.locator('.answer').getByText('Half').waitFor()
  await page.getByText('Row 2: Lima · Peru').waitFor()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  await page.locator('.versions').getByText('Version 2 of 2').waitFor()
  expect(sent).toHaveLength(2)
})

test('on a phone rows are cards, each cell under its name', async () => {
  const { page } = await openPlayground(375)
  await paste(page, 'city', 'Kyoto\tJapan\nOslo\tNorway')
  const [city, land] = [await cell(page, 'city', 1).boundingBox(), await cell(page, 'land', 1).boundingBox()]
  expect(land?.x).toBe(city?.x)
  expect(land?.y).toBeGreaterThan((city?.y ?? 0) + 20)
  expect(await accessibilityViolations(page)).toEqual([])
  const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  expect(isWider).toBe(false)
})
