import { beforeAll, expect } from 'vitest'
import { claimServer, joinAs, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { type Helix, modelName } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openSiteServer({ answer: () => ['Hello', ', ', 'world', '!'] })
  await claimServer(helix)
  return helix.close
})

const openAs = async (email: string, options: Parameters<typeof openVisitor>[1] = {}) => {
  const member = await signUp(helix.url, email)
  const made = await member.post('/keys', { name: 'second' })
  const { key } = (await made.json()) as { key: string }
  for (const each of [member.firstKey.key, member.firstKey.key, member.firstKey.key, key]) await ask(each)
  const visitor = await openVisitor(helix.url, options)
  await takeCookies(visitor.context, helix.url, member.cookies)
  return { ...visitor, member }
}

const ask = async (key: string): Promise<void> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }] })
  await (await fetch(`${helix.baseUrl}/chat/completions`, { method: 'POST', headers, body })).text()
}

test('usage is shown by day and by key, the chart and the table agree, and the file has what the table has', async () => {
  const { page, member } = await openAs('dora@example.com', { theme: 'dark' })
  await openPage(page, '/usage')
  await page.getByRole('img', { name: 'Tokens by day' }).waitFor()
  await page.locator('.rung-chart').focus()
  await page.keyboard.press('End')
  const rows = page.locator('.table.usage tbody tr')
  // Days without requests are in the chart, not in the table.
  expect(await rows.count()).toBeLessThan(3)
  expect(await page.locator('.table.usage tr.selected td').first().textContent()).toBe(
    await page.locator('.readout b').first().textContent(),
  )
  await page.locator('.day-strips').scrollIntoViewIfNeeded()
  const strip = page.getByRole('img', { name: /^Tokens in \d of 24 hours, most from \d\d:00 on: \d+$/ })
  await strip.first().waitFor()
  expect(await accessibilityViolations(page)).toEqual([])

  await page.getByLabel('Split by').selectOption({ label: 'Key' })
  await page.getByLabel('Compare with the previous period').check()
  await page.waitForURL('**/usage?by=key&compare=previous')
  await page.locator('.readout').getByText('second').waitFor()
  await expect.poll(() => page.locator('.chart .bars').count()).toBe(2)
  expect(await accessibilityViolations(page)).toEqual([])

  await page.getByRole('button', { name: 'Total' }).click()
  await page.getByRole('row', { name: /^second/ }).waitFor()
  await page.getByRole('button', { name: 'By hour' }).click()
  await page.waitForURL('**/usage?by=key&compare=previous&unit=hour')
  await page.goBack()
  await page.getByRole('button', { name: 'Total', pressed: true }).waitFor()
  const shareOf = async (name: RegExp): Promise<number> => {
    let share = 0
    for (const part of await page.getByRole('row', { name }).locator('.split-bar :is(.sent, .received)').all())
      share += Number(await part.getAttribute('width'))
    return share
  }
  // The bars show shares of the whole: together they fill one. The comparison has their room.
  await page.getByLabel('Compare with the previous period').uncheck()
  await page.getByRole('columnheader', { name: 'Share' }).waitFor()
  expect(await shareOf(/^second/)).toBeCloseTo(25)
  expect(await shareOf(new RegExp(`^${member.firstKey.name}`))).toBeCloseTo(75)

  const file = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
  const lines = (await (await member.send('GET', file ?? '')).text()).trimEnd().split('\r\n')
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual([member.firstKey.name, 'second'])
})

test('a link to a period shows it in the time zone of the reader, in Japanese on a phone', async () => {
  const { page } = await openAs('eiko@example.com', { language: 'ja', width: 375 })
  await openPage(page, '/usage?days=7&unit=hour&by=model&show=requests')
  await page.getByRole('img', { name: '時間別のリクエスト' }).waitFor()
  await page.locator('.readout').getByText(modelName).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  // On the way to a year of four digits the field is left alone.
  await page.getByLabel('開始日').fill('0002-01-01')
  expect(await page.getByLabel('開始日').inputValue()).toBe('0002-01-01')
  expect(new URL(page.url()).search).not.toContain('from=')
  await page.getByLabel('開始日').fill('2001-01-01')
  await page.getByLabel('終了日').fill('2001-01-31')
  await page.getByRole('heading', { name: 'この期間のリクエストはありません' }).waitFor()
  expect(new URL(page.url()).search).toContain('to=2001-01-31')
  // A link with the days in the wrong order shows the same.
  await openPage(page, '/usage?from=2001-01-31&to=2001-01-01&by=key&compare=previous')
  await page.getByRole('heading', { name: 'この期間のリクエストはありません' }).waitFor()
})

test('a comparison by key fits a tablet, and is printed in dark letters whatever the theme', async () => {
  const { page, member } = await openAs('fumi@example.com', { language: 'ja', theme: 'dark', width: 768 })
  const made = await member.post('/keys', { name: 'a name so long that it takes more than one line of the table' })
  await ask(((await made.json()) as { key: string }).key)
  await openPage(page, '/usage?by=key&compare=previous&unit=total')
  await page.getByRole('row', { name: /^a name so long/ }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  // On a phone the name has a line of its own. On a desk the comparison has the room of the shares.
  await page.setViewportSize({ width: 375, height: 812 })
  const row = page.locator('.table.usage tbody tr').first()
  const widths = async () => [(await row.boundingBox())?.width, (await row.locator('.name').boundingBox())?.width]
  await expect.poll(widths).toEqual([343, 343])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('columnheader', { name: '所要時間' }).waitFor()
  expect(await page.getByRole('columnheader', { name: '割合' }).count()).toBe(0)
  await page.setViewportSize({ width: 768, height: 900 })
  const ink = () => page.evaluate("getComputedStyle(document.body).getPropertyValue('color')")
  const onScreen = await ink()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const onPaper = await ink()
  expect(onPaper).not.toBe(onScreen)
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  expect(await ink()).toBe(onPaper)
})

test('only those who may use the playground are sent there for a first request, and not by a short period', async () => {
  const member = await signUp(helix.url, 'gwen@example.com')
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, member.cookies)
  const first = page.getByRole('link', { name: 'Send the first request' })
  for (const path of ['/usage', '/requests', '/home']) {
    await openPage(page, path)
    await first.waitFor()
  }
  await openPage(page, '/usage?from=2024-02-29&to=2024-02-29')
  await page.getByText('0 tokens on 29 Feb 2024.').waitFor()
  expect(await first.count()).toBe(0)
  const viewer = await joinAs(helix.url, member, 'viewer', 'vera@example.com')
  await takeCookies(context, helix.url, viewer.cookies)
  for (const path of ['/usage', '/requests', '/home']) {
    await openPage(page, path)
    expect(await first.count(), path).toBe(0)
  }
})
