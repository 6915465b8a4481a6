import { beforeAll, expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { type Helix, modelName } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

type Case = { config: object; en: RegExp; ja: RegExp }

/** The other figures depend on the model's tokens and on the time. */
const cases: Record<string, Case> = {
  'requests per minute': {
    config: { organisationRequestsPerMinute: 1 },
    en: /^The limit of the organisation is reached: requests per minute, 1\. Try again after \d\d:\d\d:\d\d\./,
    ja: /^組織の上限（1分あたりのリクエスト数：1）に達しました。\d{1,2}:\d\d:\d\d以降に再試行できます。/,
  },
  'a budget': {
    config: { tokensPerMonth: 12 },
    en: /^This request exceeds what is left of the budget of the \w+: tokens per month, \d+ of 12 used\. It resets on \d+ \w+,? .*\d\d:\d\d\./,
    ja: /^(?:キー|組織|サーバー)の上限（1か月あたりのトークン数）の残りを超えるリクエストです。12のうち\d+を使用しています。\d+月1日 \d{1,2}:\d\dにリセットされます。/,
  },
  'a request above a limit': {
    config: { organisationTokensPerMinute: 2 },
    en: /^This request alone exceeds the limit of the organisation: tokens per minute, 2\. Shorten the messages or lower the max tokens\./,
    ja: /^このリクエストだけで組織の上限（1分あたりのトークン数：2）を超えます。メッセージを短くするか、最大トークン数を下げてください。/,
  },
}

for (const [name, { config, en, ja }] of Object.entries(cases)) {
  let helix: Helix
  beforeAll(async () => {
    helix = await openSiteServer({ config, answer: () => ['Hello', '.'] })
    await claimServer(helix)
    return helix.close
  })

  test.each([
    { language: 'en', sentence: en, link: 'Show limits' },
    { language: 'ja', sentence: ja, link: '上限を表示' },
  ] as const)(`${name}: the playground says so ($language)`, async ({ language, sentence, link }) => {
    const { page, context } = await openVisitor(helix.url, { language, width: 375 })
    const member = await signUp(helix.url, `${language}@example.com`)
    await takeCookies(context, helix.url, member.cookies)
    const body = { model: modelName, messages: [{ role: 'user', content: 'Hi' }], max_completion_tokens: 2 }
    await member.post('/playground/chat/completions', body)
    await openPage(page, '/playground')
    await page.locator('.composer textarea').fill('Hi')
    await page.locator('.composer textarea').press('Enter')
    const text = await page.locator('.error-notice p').first().textContent()
    expect(text).toMatch(sentence)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.locator('.error-notice').getByRole('link', { name: link }).click()
    await page.waitForURL('**/limits')
  })
}
