import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

const candidate = (id: number, text: string, probability: number) => ({
  ...{ id, bytes: Buffer.from(text), logprob: Math.log(probability) },
})
const token = (text: string, probability: number, other: string) => ({
  token: text,
  logprob: {
    ...{ logprob: Math.log(probability), rank: 0 },
    top: [candidate(7, text, probability), candidate(8, other, 1 - probability)],
  },
})

let helix: Helix
let people = 0
beforeAll(async () => {
  helix = await openSiteServer({
    answer: (messages) => {
      const asked = messages.at(-1)?.content ?? ''
      if (asked.includes('area')) return ['The area is ', '$\\frac{a^2}{2}$', '.']
      if (asked.includes('sum')) return ['$$', Array.from({ length: 60 }, (_, index) => `a_{${index}}`).join('+'), '$$']
      if (asked.includes('break')) return ['Half', { fail: new Error('the engine fell over') }]
      if (asked.includes('likely')) return [token('Sun', 0.75, 'Rain'), token('ny', 0.95, 'day')]
      return ['Plain', '.']
    },
  })
  await claimServer(helix)
  return helix.close
})

/** Each time as somebody else: a draft is kept for its account. */
const openPlayground = async (): Promise<{ page: Page; say(text: string): Promise<void> }> => {
  const { page, context } = await openVisitor(helix.url)
  people += 1
  const member = await signUp(helix.url, `person${people}@example.com`)
  await takeCookies(context, helix.url, member.cookies)
  await openPage(page, '/playground')
  const message = page.locator('.composer textarea')
  const say = async (text: string): Promise<void> => {
    await message.fill(text)
    await message.press('Enter')
  }
  return { page, say }
}

test('a formula is typeset, by a script that is loaded with the first one', async () => {
  const { page, say } = await openPlayground()
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  const typesetters = (): string[] => loaded.filter((path) => path.startsWith('/assets/typeset-math'))
  await say('hello')
  await page.locator('.answer').getByText('Plain.').waitFor()
  await page.getByRole('button', { name: 'Send' }).waitFor()
  expect(typesetters()).toEqual([])
  await say('Which area?')
  await page.locator('.answer math mfrac').waitFor()
  expect(typesetters()).toHaveLength(1)
  expect(await page.locator('.answer math mfrac msup').count()).toBe(1)
  expect(await accessibilityViolations(page)).toEqual([])
})

test('a formula that is wider than the answer scrolls by itself, also by keys', async () => {
  const { page, say } = await openPlayground()
  await say('Which sum?')
  const formula = page.getByRole('group', { name: 'Formula' })
  await formula.locator('math').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await formula.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => formula.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
})

test('tokens say their probability and what else could have stood there, by pointer and by arrow keys', async () => {
  const { page, say } = await openPlayground()
  await page.getByLabel('Probabilities of tokens').selectOption({ label: 'On' })
  await say('What is likely?')
  await page.locator('summary').getByText('2 tokens').click()
  const readout = page.locator('.token-readout')
  await readout.getByText('Point at a token').waitFor()
  const list = page.getByRole('group', { name: 'Tokens of the answer' })
  await list.getByText('Sun', { exact: true }).hover()
  await expect.poll(() => readout.textContent()).toMatch(/^Sun 75(\.0)?% .*instead: Rain 25(\.0)?%$/)
  expect(await accessibilityViolations(page)).toEqual([])
  await list.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => readout.textContent()).toMatch(/^ny 95(\.0)?% .*instead: day 5(\.0)?%$/)
  await page.keyboard.press('Home')
  await expect.poll(() => readout.textContent()).toMatch(/^Sun /)
  expect(await list.locator('.unlikely').count()).toBe(0)
  expect(await list.locator('.likely').allTextContents()).toEqual(['Sun'])
})

test('a failed attempt that others followed is one line, which opens, and Escape in an edit goes back to its button', async () => {
  const { page, say } = await openPlayground()
  await say('break')
  const notice = page.locator('.exchange .error-notice')
  await notice.waitFor()
  await say('go on')
  await page.locator('.answer').getByText('Plain.').last().waitFor()
  expect(await notice.isVisible()).toBe(false)
  await page.locator('summary').getByText('The answer broke off.').click()
  await notice.waitFor()
  const edit = page.getByRole('button', { name: 'Edit: your message' }).last()
  await edit.focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Message text').fill('something else')
  await page.keyboard.press('Escape')
  await edit.and(page.locator(':focus')).waitFor()
  expect(await page.locator('.turn.sent').last().textContent()).toContain('go on')
})

test('an answer that failed says why after a reload, too', async () => {
  const { page, say } = await openPlayground()
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/draft') && (response.request().postData() ?? '').includes('failed'),
  )
  await say('break')
  await page.getByRole('alert').getByText('The answer broke off.').waitFor()
  await saved
  await page.reload()
  await page.getByRole('alert').getByText('The answer broke off.').waitFor()
  await page.getByRole('button', { name: 'Send again' }).waitFor()
})
