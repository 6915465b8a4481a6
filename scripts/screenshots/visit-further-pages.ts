import type { Page } from 'playwright-core'
import type { ScreenshotWords } from '../../languages/words.ts'
import { pageSettled } from '../../test/harness/site-pages.ts'
import type { Shoot } from './shoot.ts'

type Visit = {
  page: Page
  words: ScreenshotWords
  open(path: string): Promise<void>
  /** Calls `/platform` as the person does. */
  post(path: string, body: unknown): Promise<unknown>
  shoot: Shoot
}

const events = ['budget.reached', 'key.expiring']
const url = 'https://hooks.example.com/helix'

/** Pages and dialogs that show what a team has after some weeks: webhooks, saved prompts, the history and a link. */
export const visitFurtherPages = async (visit: Visit): Promise<void> => {
  const { open, post, shoot } = visit
  await open('/home')
  await shoot(visit.page, 'home', true)
  await open('/models')
  await shoot(visit.page, 'models', true)
  await post('/webhooks', { url, events })
  await open('/webhooks')
  await shoot(visit.page, 'webhooks')
  await open('/admin/nodes')
  await shoot(visit.page, 'admin-nodes', true)
  await open('/admin/webhooks')
  await shoot(visit.page, 'admin-webhooks')
  await open('/admin/audit')
  await shoot(visit.page, 'admin-audit', true)
  await shootConversations(visit)
  await shootSecret(visit)
}

const shootConversations = async ({ page, words, open, post, shoot }: Visit): Promise<void> => {
  const answer = { kind: 'answer', model: 'helix-v1', text: words.answer, outcome: { kind: 'stopped' } }
  const content = JSON.stringify({ model: 'helix-v1', turns: [{ kind: 'sent', text: words.question }, answer] })
  await post('/prompts', { name: words.keys.report, isShared: true, content })
  await open('/playground?dialog=prompts')
  await page.locator('dialog .prompt').first().waitFor()
  await shoot(page, 'playground-prompts')
  const saved = await post('/playground/conversations', { title: words.question, content, searchText: words.question })
  const { id: conversation } = asCreated(saved)
  const { id: share } = asCreated(await post(`/playground/conversations/${conversation}/shares`, { content }))
  await open('/playground?dialog=history')
  await page.locator('dialog .prompt').first().waitFor()
  await shoot(page, 'playground-history')
  await open(`/playground/shared/${share}`)
  await page.locator('.shared-conversation article').nth(1).waitFor()
  await shoot(page, 'playground-shared')
}

/** On a page of its own, which asks before it is left. */
const shootSecret = async ({ page, words, shoot }: Visit): Promise<void> => {
  const own = await page.context().newPage()
  await own.goto('/keys?dialog=create')
  await pageSettled(own)
  await own.locator('dialog[open] form input').first().fill(words.keys.desk)
  await own.locator('dialog[open] button[type="submit"]').click()
  await own.locator('dialog[open] .secret').waitFor()
  await shoot(own, 'key-created', true)
  await own.close({ runBeforeUnload: false })
}

/** The operations that are called here return what they created. */
const asCreated = (value: unknown): { id: string } => value as { id: string }
