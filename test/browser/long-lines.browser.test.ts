import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { lookedAtPages } from '../../scripts/screenshots/looked-at-pages.ts'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { fillForm } from './fill-form.ts'

const line = 'const answer = someFunction(withArguments, andMore, andMore, andMore, andMore, andMore)'.repeat(3)
const answer = [
  `\`\`\`js\n${line}\n\`\`\`\n\n`,
  `- In a list:\n  \`\`\`js\n  ${line}\n  \`\`\`\n\n`,
  `> In a quotation:\n> \`\`\`\n> ${line}\n> \`\`\`\n\n`,
  `| ${'column | '.repeat(20)}\n|${'---|'.repeat(20)}\n| ${'long value | '.repeat(20)}\n\n`,
  `${'a'.repeat(400)} \`${'b'.repeat(400)}\`\n\nThe end.`,
]

let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openSiteServer({ answer: () => answer })
  owner = await claimServer(helix)
  await owner.post('/organisation/bodies', { days: 7 })
  return helix.close
})

const widths = [320, 375, 720]

const open = async (path: string) => {
  const { page, context } = await openVisitor(helix.url, { width: 375 })
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, path)
  return page
}

/** Parts that reach out of the window, except in what scrolls by itself: code, tables, tabs and navigation. */
const partsOutside = `[...document.body.querySelectorAll('*')]
  .filter((part) => part.getBoundingClientRect().right > innerWidth + 1)
  .filter((part) => part.parentElement.closest('pre, .scrolling-table, .table-frame, .tabs, nav, .visually-hidden, svg, textarea') === null)
  .map((part) => part.tagName + '.' + part.className + ' ' + part.getBoundingClientRect().right)`

const checkWidths = async (page: Page): Promise<void> => {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(partsOutside), `at ${width} px`).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth'), `at ${width} px`).toBeLessThanOrEqual(width)
  }
}

test('an answer with long lines is no wider than the playground, nor its request', async () => {
  const page = await open('/playground')
  await page.locator('.composer textarea').fill('Show me a long line')
  await page.locator('.composer textarea').press('Enter')
  await page.locator('.answer').getByText('The end.').waitFor()
  await page.locator('.request-id').waitFor()
  await checkWidths(page)
  await page.locator('.request-id').click()
  await page.waitForURL('**/requests/*')
  await page.locator('.stored-choice').getByText('The end.').waitFor()
  expect(await page.locator('.stored-choice').textContent()).toContain(line)
  await checkWidths(page)
})

test('nor than the page of the first key', async () => {
  const { page } = await openVisitor(helix.url, { width: 375 })
  await page.goto('/signup')
  await fillForm(page, 'anna@example.com')
  await page.getByRole('button', { name: 'Sign up and get a key' }).click()
  await page.getByRole('button', { name: 'Run it here' }).click()
  await page.locator('.live .answer').getByText('The end.').waitFor()
  await checkWidths(page)
})

test.each(lookedAtPages.filter((path) => path.startsWith('/docs')))(
  'no page of the docs is wider than it: %s',
  async (path) => {
    await checkWidths(await open(path))
  },
)

test('nor than a comparison', async () => {
  const page = await open('/playground/compare')
  await page.getByLabel('Prompt', { exact: true }).fill('Show me a long line')
  await page.getByRole('button', { name: 'Run both' }).click()
  await page.locator('.answer').getByText('The end.').nth(1).waitFor()
  await checkWidths(page)
})

test('nor than the page of the API that sends a request', async () => {
  const page = await open('/docs/api/chat-completions')
  await page.locator('#createChatCompletion').getByText('Try it', { exact: true }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('#createChatCompletion').getByText('The end.').waitFor()
  await checkWidths(page)
})
