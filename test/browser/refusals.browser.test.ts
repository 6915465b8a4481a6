import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished } from 'vitest'
import type { Config } from '../../src/config/settings.ts'
import { type BrowserSession, claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { type Helix, modelName } from '../harness/start-helix.ts'
import { openSiteServer, startSite } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

type Case = {
  config: Partial<Config>
  /** The body of the request before the one that is refused, and how often it is sent. */
  first?: object
  times?: number
  /** The first request is still running when the next is sent. */
  isHeld?: true
  /** Sent from the page. */
  typed?: string
  en: RegExp
  ja: RegExp
  link: '/limits' | '/requests' | null
}

const chat = (content: string) => ({
  model: modelName,
  messages: [{ role: 'user', content }],
  max_completion_tokens: 2,
})
const links = {
  '/limits': { en: 'Show limits', ja: '上限を表示' },
  '/requests': { en: 'Show requests', ja: 'リクエストを表示' },
}

/** The other figures depend on the model's tokens and on the time. */
const cases: Record<string, Case> = {
  'requests per minute': {
    config: { organisationRequestsPerMinute: 1 },
    en: /^The limit of the organisation is reached: requests per minute, 1\. Try again after \d\d:\d\d:\d\d\./,
    ja: /^組織の上限（1分あたりのリクエスト数：1）に達しました。\d{1,2}:\d\d:\d\d以降に再試行できます。/,
    link: '/limits',
  },
  'a budget': {
    config: { tokensPerMonth: 12 },
    // The rest is not enough for another one, whose answer may be as short as a token.
    first: { ...chat('Hi'), max_completion_tokens: 1 },
    times: 6,
    en: /^This request exceeds what is left of the budget of the \w+: tokens per month, \d+ of 12 used\. It resets on \d+ \w+,? .*\d\d:\d\d\./,
    ja: /^(?:キー|組織|サーバー)の上限（1か月あたりのトークン数）の残りを超えるリクエストです。12のうち\d+を使用しています。\d+月1日 \d{1,2}:\d\dにリセットされます。/,
    link: '/limits',
  },
  'a request above a limit': {
    config: { organisationTokensPerMinute: 2 },
    en: /^This request alone exceeds the limit of the organisation: tokens per minute, 2\. Shorten the messages or lower the max tokens\./,
    ja: /^このリクエストだけで組織の上限（1分あたりのトークン数：2）を超えます。メッセージを短くするか、最大トークン数を下げてください。/,
    link: '/limits',
  },
  'requests in flight': {
    config: { organisationRequestsInFlight: 1 },
    isHeld: true,
    en: /^The limit of the organisation is reached: concurrent requests, 1\. Try again when another request has finished\./,
    ja: /^組織の上限（同時リクエスト数：1）に達しました。ほかのリクエストが終わると再試行できます。/,
    link: '/limits',
  },
  'too many refused requests': {
    config: { organisationRefusedRequestsPerMinute: 1 },
    first: {},
    en: /^Too many requests were rejected within a minute, more than the limit of the organisation of 1\. Check their errors in the request log\. Try again after \d\d:\d\d:\d\d\./,
    ja: /^1分間に拒否されたリクエストが多すぎます（組織の上限：1件）。リクエストログでエラーを確認してください。\d{1,2}:\d\d:\d\d以降に再試行できます。/,
    link: '/requests',
  },
  'a full queue': {
    config: { queueLimit: 0, reservedSlots: 0 },
    isHeld: true,
    en: /^Too many requests are waiting for the model\. Try again after \d\d:\d\d:\d\d\./,
    ja: /^モデルの順番を待っているリクエストが多すぎます。\d{1,2}:\d\d:\d\d以降に、もう一度お試しください。/,
    link: null,
  },
  'the memory for request bodies': {
    config: { bodyLimitBytes: 100_000, bodyMemoryShareBytes: 100_000 },
    first: chat('a'.repeat(90_000)),
    isHeld: true,
    typed: 'b'.repeat(20_000),
    en: /^Too much is being sent at once: the running requests from your network may take 100.KB together\. Try again when another request has finished\./,
    ja: /^一度に送信されているデータが多すぎます。実行中のリクエストのデータ量は、同じネットワークの合計で100.KBまでです。ほかのリクエストが終わると再試行できます。/,
    link: '/requests',
  },
}

const send = (member: BrowserSession, body: object) => member.post('/playground/chat/completions', body)

const checkNotice = async (page: Page, notice: Locator, language: 'en' | 'ja', { link, ...sentences }: Case) => {
  await expect.poll(() => notice.textContent(), { timeout: 15_000 }).toMatch(sentences[language])
  expect(await accessibilityViolations(page)).toEqual([])
  if (link === null) return expect(await notice.getByRole('link').count()).toBe(0)
  await notice.getByRole('link', { name: links[link][language] }).click()
  await page.waitForURL(`**${link}`)
}

/** One of two equal ways: the sentences of both languages are made from the same figures. */
const languagesOf = (index: number): ('en' | 'ja')[] => {
  if (process.env.BROWSER_GRID === 'full') return ['en', 'ja']
  return [index % 2 === 0 ? 'en' : 'ja']
}

for (const [index, [name, each]] of Object.entries(cases).entries()) {
  const { config, first = chat('Hi'), times = 1, isHeld, typed = 'Hi' } = each
  let helix: Helix
  let held = { begun: Promise.withResolvers<void>(), go: Promise.withResolvers<void>() }
  beforeAll(async () => {
    helix = await openSiteServer({
      config,
      engine: { slots: 1, model: { contextTokens: 1_000_000 } },
      *answer() {
        yield 'Hello'
        held.begun.resolve()
        if (isHeld) yield { pause: held.go.promise }
        yield '.'
      },
    })
    await claimServer(helix)
    return helix.close
  })

  /** Somebody whose next request is refused. */
  const openMember = async (language: 'en' | 'ja', email: string) => {
    const { page, context } = await openVisitor(helix.url, { language, width: 375 })
    const member = await signUp(helix.url, email)
    await takeCookies(context, helix.url, member.cookies)
    held = { begun: Promise.withResolvers<void>(), go: Promise.withResolvers<void>() }
    for (let count = 1; count < times; count += 1) await send(member, first)
    const sent = send(member, first)
    if (isHeld) await held.begun.promise
    else await sent
    onTestFinished(async () => {
      held.go.resolve()
      await sent
    })
    return page
  }

  test.each(languagesOf(index))(`${name}: the playground says so (%s)`, async (language) => {
    const page = await openMember(language, `${language}@example.com`)
    await openPage(page, '/playground')
    await page.locator('.composer textarea').fill(typed)
    await page.locator('.composer textarea').press('Enter')
    await checkNotice(page, page.locator('.exchange .error-notice p').first(), language, each)
  })
}

test('what a refusal offers solves it: a shorter answer is sent, and the owner is taken to the limit', async () => {
  const config = { organisationTokensPerMinute: 600 }
  const helix = await startSite({ config, answer: () => ['Short', 'er', '.'] })
  const owner = await claimServer(helix)
  const { page, context } = await openVisitor(helix.url, { width: 1440 })
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/playground')
  // More than the context, then more than the limit: each refusal says what would fit.
  await page.getByLabel('Max tokens').fill('5000')
  await page.locator('.composer textarea').fill('Tell me everything')
  await page.locator('.composer textarea').press('Enter')
  await page.getByRole('button', { name: /^Send with at most 4,0\d\d tokens$/ }).click()
  const shorten = page.getByRole('button', { name: /^Send with at most 5\d\d tokens$/ })
  await shorten.waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Raise the limit' }).click()
  await page.getByRole('dialog').getByLabel('Tokens per minute').waitFor()
  await page.goBack()
  await shorten.click()
  await page.locator('.answer').getByText('Shorter.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Max tokens' }).inputValue()).toMatch(/^5\d\d$/)
})

test("a limit of the whole server is raised among the server's settings, by its owner alone", async () => {
  const helix = await startSite({ config: { tokensPerMinute: 300 }, answer: () => ['Hello', '.'] })
  const owner = await claimServer(helix)
  const member = await signUp(helix.url, 'member@example.com')
  const openRefused = async (session: BrowserSession): Promise<Page> => {
    const { page, context } = await openVisitor(helix.url)
    await takeCookies(context, helix.url, session.cookies)
    await openPage(page, '/playground')
    await page.getByLabel('Max tokens').fill('2000')
    await page.locator('.composer textarea').fill('Hi')
    await page.locator('.composer textarea').press('Enter')
    await page.getByRole('button', { name: /^Send with at most/ }).waitFor()
    return page
  }
  const raise = { name: 'Raise the limit' }
  expect(await (await openRefused(member)).getByRole('link', raise).count()).toBe(0)
  const page = await openRefused(owner)
  await page.getByRole('link', raise).click()
  const field = page.getByRole('group', { name: 'All organisations together' }).getByLabel('Tokens per minute')
  await field.waitFor()
  await expect
    .poll(() => page.evaluate('Math.abs(document.querySelector("#limits").getBoundingClientRect().top) < innerHeight'))
    .toBe(true)
  await field.fill('5000')
  await page.locator('#limits').getByRole('button', { name: 'Save' }).click()
  await page.goBack()
  await page.locator('.composer textarea').waitFor()
})
