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
beforeAll(async () => {
  helix = await openSiteServer({
    answer: (_, sampling) => (sampling.temperature === 0 ? ['Cold', '.'] : ['Warm', '.']),
  })
  await claimServer(helix)
  return helix.close
})

const open = async (path: string, width = 1440) => {
  const visitor = await openVisitor(helix.url, { width })
  people += 1
  const member = await signUp(helix.url, `person${people}@example.com`)
  await takeCookies(visitor.context, helix.url, member.cookies)
  await visitor.page.addInitScript({ content: withoutLongTimers })
  await openPage(visitor.page, path)
  return visitor
}

test('one prompt is answered with two settings, each beside the other, each with its request', async () => {
  const { page } = await open('/playground')
  await page.getByRole('link', { name: 'Compare' }).click()
  const a = page.getByRole('region', { name: 'Setting A' })
  const b = page.getByRole('region', { name: 'Setting B' })
  await a.getByLabel('Temperature').fill('0')
  await b.getByLabel('Temperature').fill('9')
  await page.getByLabel('Prompt', { exact: true }).fill('How is it?')
  await page.getByRole('button', { name: 'Run both' }).click()
  await page.getByText('Nothing was sent.').waitFor()
  await b.getByLabel('Temperature').fill('1.5')
  await page.getByRole('button', { name: 'Run both' }).click()
  await a.locator('.answer').getByText('Cold.').waitFor()
  await b.locator('.answer').getByText('Warm.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  const [first, second] = await Promise.all([a, b].map((side) => side.locator('.request-id').textContent()))
  expect(first).toMatch(/^req_\w+$/)
  expect(second).not.toBe(first)
  await b.locator('.request-id').click()
  await page.waitForURL(`**/requests/${second}`)
  await page
    .getByText(second ?? '')
    .first()
    .waitFor()
})

test('an answer that was cut by its length says so, beside one that was not', async () => {
  const { page } = await open('/playground/compare')
  const a = page.getByRole('region', { name: 'Setting A' })
  const b = page.getByRole('region', { name: 'Setting B' })
  await a.getByLabel('Max tokens').fill('1')
  await page.getByLabel('Prompt', { exact: true }).fill('How is it?')
  await page.getByRole('button', { name: 'Run both' }).click()
  await a.getByText('The answer hit the max-token limit.').waitFor()
  await b.locator('.request-id').waitFor()
  expect(await b.getByText('The answer hit the max-token limit.').count()).toBe(0)
})

test('an answer of the playground links to its request', async () => {
  const { page } = await open('/playground')
  await page.locator('.composer textarea').fill('Hi')
  await page.locator('.composer textarea').press('Enter')
  await page.locator('.answer').getByText('Warm.').waitFor()
  const id = await page.locator('.request-id').textContent()
  await page.locator('.request-id').click()
  await page.waitForURL(`**/requests/${id}`)
})

test('the comparison takes over the prompt of the playground, and compares up to four columns side by side', async () => {
  const { page } = await open('/playground')
  await page.getByLabel('System', { exact: true }).fill('Be short.')
  await page.locator('.composer textarea').fill('How is it?')
  await page.getByRole('link', { name: 'Compare' }).click()
  expect(await page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('How is it?')
  const a = page.getByRole('region', { name: 'Setting A' })
  expect(await a.getByLabel('System').inputValue()).toBe('Be short.')
  for (let count = 0; count < 2; count += 1) await page.getByRole('button', { name: 'Add column' }).click()
  expect(await page.getByRole('button', { name: 'Add column' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Remove setting B' }).click()
  await page.getByText('Setting B removed').getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('region', { name: 'Setting B' }).waitFor()
  await page.getByRole('button', { name: 'Remove setting B' }).click()
  await page.getByRole('button', { name: 'Run all 3' }).click()
  await page.getByRole('region', { name: 'Setting D' }).locator('.answer').getByText('Warm.').waitFor()
  const rows = page.getByRole('table', { name: 'Tokens, times and costs of all settings' }).locator('tbody tr')
  expect(await rows.locator('td:first-child').allTextContents()).toEqual(['Setting A', 'Setting C', 'Setting D'])
  expect(await accessibilityViolations(page)).toEqual([])
})

test.each([375, 1440])(
  'a removed column can be brought back until it is added anew or the page is left (%i px)',
  async (width) => {
    const { page } = await open('/playground/compare', width)
    const undo = page.locator('.toast').getByRole('button', { name: 'Undo' })
    const removeC = page.getByRole('button', { name: 'Remove setting C' })
    await page.getByRole('button', { name: 'Add column' }).click()
    await removeC.click()
    await undo.waitFor()
    const prompt = page.getByLabel('Prompt', { exact: true })
    for (const place of ['start', 'end']) {
      await prompt.evaluate(
        (field, block) => Reflect.apply(Reflect.get(field, 'scrollIntoView'), field, [{ block }]),
        place,
      )
      const [line, box] = await Promise.all([page.locator('.toast').boundingBox(), prompt.boundingBox()])
      expect(line?.y ?? 0).toBeGreaterThanOrEqual((box?.y ?? 0) + (box?.height ?? 0))
    }
    // The line stays while the pointer is over it, so only its end removes it.
    await undo.hover()
    await page.getByRole('button', { name: 'Add column' }).dispatchEvent('click')
    await undo.waitFor({ state: 'hidden' })
    await removeC.click()
    await undo.waitFor()
    await undo.hover()
    await page.getByRole('link', { name: 'Back to the playground' }).dispatchEvent('click')
    await page.waitForURL('**/playground')
    await undo.waitFor({ state: 'hidden' })
  },
)

test('a prompt that is written in the comparison is the draft of the playground, and survives a reload', async () => {
  const { page } = await open('/playground/compare')
  const saved = page.waitForResponse((response) => response.url().endsWith('/playground/draft') && response.ok())
  await page.getByLabel('Prompt', { exact: true }).fill('Which one is better?')
  await saved
  await expect
    .poll(async () => {
      await openPage(page, '/playground/compare')
      return page.getByLabel('Prompt', { exact: true }).inputValue()
    })
    .toBe('Which one is better?')
  await page.getByRole('link', { name: 'Back to the playground' }).click()
  expect(await page.locator('.composer textarea').inputValue()).toBe('Which one is better?')
})
