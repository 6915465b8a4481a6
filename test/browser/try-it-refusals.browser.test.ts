import { beforeAll, expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { type Helix, modelName } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openSiteServer({ config: { organisationRequestsPerMinute: 1 } })
  await claimServer(helix)
  return helix.close
})

test.each([
  {
    language: 'en',
    sentence:
      /^The limit of the organisation is reached: requests per minute, 1\. Try again after \d\d:\d\d:\d\d\. Show limits$/,
    link: 'Show limits',
  },
  {
    language: 'ja',
    sentence:
      /^組織の上限（1分あたりのリクエスト数：1）に達しました。\d{1,2}:\d\d:\d\d以降に再試行できます。 上限を表示$/,
    link: '上限を表示',
  },
] as const)(
  'a request tried from the reference that a limit refuses says so as the playground does: $language',
  async ({ language, sentence, link }) => {
    const { page, context } = await openVisitor(helix.url, { language, width: 375 })
    const member = await signUp(helix.url, `${language}@example.com`)
    await takeCookies(context, helix.url, member.cookies)
    const body = { model: modelName, messages: [{ role: 'user', content: 'Hi' }] }
    const ask = async (): Promise<number> => (await member.post('/playground/chat/completions', body)).status
    expect(await ask()).toBe(200)
    // Errors of messages have another form.
    for (const [name, operation] of [
      ['chat-completions', 'createChatCompletion'],
      ['messages', 'createMessage'],
    ]) {
      await openPage(page, `/docs/api/${name}`)
      // The minute of the first one may be over.
      await expect.poll(ask).toBe(429)
      const panel = page.locator(`#${operation} .try-it`)
      await panel.locator('> summary').click()
      await panel.locator('.button.primary').click()
      await expect.poll(() => panel.locator('.refusal').textContent(), { timeout: 15_000 }).toMatch(sentence)
      expect(await panel.locator('output').textContent()).toBe('')
    }
    await page.locator('#createMessage').getByRole('link', { name: link }).click()
    await page.waitForURL('**/limits')
  },
)
