import { beforeAll, expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { hostileAnswers } from '../harness/hostile-answers.ts'
import { listenTo } from '../harness/listen-to.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

let helix: Helix
let people = 0
let thoughts = 0
const formatted = [
  '## Rain',
  'It **falls** from [clouds](https://example.com/clouds).',
  '| Month | mm |\n|---|--:|\n| June | 160 |',
  '- [x] umbrella\n- [ ] boots',
  '```python\ndef wet():\n    return True\n```',
  '![a cloud](https://example.com/cloud.png)',
].join('\n\n')
/** Never comes: an answer that waits for it is ended by whoever asked. */
const never = new Promise<never>(() => {})
beforeAll(async () => {
  helix = await openSiteServer({
    engine: { model: { features: new Set(['tools', 'grammar', 'logprobs', 'token_ids', 'template', 'reasoning']) } },
    answer: (messages) => {
      const asked = messages.at(-1)?.content ?? ''
      if (asked.includes('forever')) return ['One', ' token', { pause: never }]
      if (asked.includes('break')) return ['Half', ' an', { fail: new Error('the engine fell over') }]
      if (asked.includes('hostile')) return hostileAnswers.flatMap((answer) => [answer, '\n\n'])
      if (asked.includes('formatted')) return formatted.match(/.{1,7}/gs) ?? []
      if (asked.includes('code so far')) return ['Look:\n\n```py\n', 'def f():\n', { pause: never }]
      if (asked.includes('think')) {
        thoughts += 1
        return ['<think>', 'Let me see.', '</think>', 'Yes', ' ', String(thoughts)]
      }
      return ['You', ' said: ', asked]
    },
  })
  await claimServer(helix)
  return helix.close
})

/** Each time as somebody else: a draft is kept for its account. */
const openPlayground = async (options: Parameters<typeof openVisitor>[1] = {}) => {
  const visitor = await openVisitor(helix.url, options)
  people += 1
  const member = await signUp(helix.url, `person${people}@example.com`)
  await takeCookies(visitor.context, helix.url, member.cookies)
  await openPage(visitor.page, '/playground')
  const message = visitor.page.locator('.composer textarea')
  const say = async (text: string): Promise<void> => {
    await message.fill(text)
    await message.press('Enter')
  }
  return { ...visitor, message, say, answers: visitor.page.locator('.answer') }
}

test('a message is answered, and the next one carries the conversation on', async () => {
  const { page, say, answers } = await openPlayground()
  await say('good morning')
  await answers.getByText('You said: good morning').waitFor()
  await page.getByRole('button', { name: 'Send' }).waitFor()
  await say('good night')
  await answers.getByText('You said: good night').waitFor()
  expect(await answers.count()).toBe(2)
  await page.getByText('First token').first().waitFor()
})

test('another answer keeps the first as a version, also after a reload, and reasoning is folded', async () => {
  const { page, say, answers } = await openPlayground()
  await say('think first')
  await answers.getByText(/^Yes \d+$/).waitFor()
  const first = await answers.textContent()
  await page.getByText(/^Thought for \d+ s$/).click()
  await page.getByText('Let me see.').waitFor()
  await page.getByRole('button', { name: 'Regenerate: the answer' }).click()
  const number = (text: string) => page.locator('.versions').getByText(text)
  await number('Version 2 of 2').waitFor()
  await page.getByRole('button', { name: 'Send' }).waitFor()
  expect(await answers.textContent()).not.toBe(first)
  await page.getByRole('button', { name: 'Previous version: the answer' }).click()
  await number('Version 1 of 2').waitFor()
  expect(await answers.textContent()).toBe(first)
  const saved = page.waitForResponse((response) => (response.request().postData() ?? '').includes('Be short.'))
  await page.getByLabel('System', { exact: true }).fill('Be short.')
  await saved
  await page.reload()
  await number('Version 1 of 2').waitFor()
  expect(await answers.textContent()).toBe(first)
})

test('a long conversation scrolls between head and composer, and the page itself does not', async () => {
  const { page, say, answers } = await openPlayground({ width: 375 })
  for (const count of [1, 2, 3, 4, 5]) {
    await say(`Question ${count}\n\nwith a few\n\nparagraphs`)
    await answers
      .nth(count - 1)
      .getByText('paragraphs')
      .waitFor()
    // While an answer is still arriving, Enter sends nothing.
    await page.getByRole('button', { name: 'Send' }).waitFor()
  }
  expect(await page.evaluate('document.querySelector(".conversation").scrollHeight > innerHeight')).toBe(true)
  expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0)
})

test.each([
  { width: 640, height: 400 },
  { width: 812, height: 375 },
])(
  'on a phone on its side, or at 200%, most of the window is for the conversation ($width × $height)',
  async (size) => {
    const { page, message, say, answers } = await openPlayground(size)
    await say('Hello')
    await answers.getByText('You said: Hello').waitFor()
    const conversation = await page.locator('.conversation').boundingBox()
    expect(conversation?.height).toBeGreaterThan(size.height / 2)
    await message.scrollIntoViewIfNeeded()
    // Nothing lies over it.
    await message.click({ trial: true })
  },
)

test('Stop ends the answer here and in the engine, and keeps what came', async () => {
  const { page, say, answers } = await openPlayground()
  await say('go on forever')
  await answers.getByText('One token').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Stopped.').waitFor()
  await answers.getByText('One token').waitFor()
  await expect.poll(() => helix.engine.active()).toBe(0)
  await page.getByRole('button', { name: 'Send' }).waitFor()
})

test('an answer that breaks off keeps what came and says what to do', async () => {
  const { page, say, answers } = await openPlayground()
  await say('please break')
  await page.getByRole('alert').getByText('The answer broke off.').waitFor()
  await answers.getByText('Half an').waitFor()
  await page.getByRole('alert').getByRole('button', { name: 'Send again' }).waitFor()
})

test('while the model is loading the page says so, and sends as soon as it is ready', async () => {
  const { page, say, answers } = await openPlayground()
  helix.engine.setState('loading')
  await say('are you there')
  await page.getByText('The model is loading.').waitFor()
  helix.engine.setState('ready')
  await answers.getByText('You said: are you there').waitFor()
})

test('offline, the page says so in the language of the reader, and tries again on request', async () => {
  const { page, context, say, answers } = await openPlayground({ language: 'ja', width: 375, theme: 'dark' })
  await context.setOffline(true)
  await say('もしもし')
  await page.getByRole('alert').getByText('サーバーに接続できません').waitFor()
  await context.setOffline(false)
  await page.getByRole('alert').getByRole('button').click()
  await answers.getByText('You said: もしもし').waitFor()
})

test('Enter does nothing while a Japanese word is being composed', async () => {
  const { page, message } = await openPlayground({ language: 'ja' })
  await message.focus()
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 })
  await message.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
  expect(await page.locator('.answer').count()).toBe(0)
  await protocol.send('Input.insertText', { text: '日本' })
  expect(await message.inputValue()).toBe('日本')
  // Safari ends the composition before the Enter that chooses the word, and marks only the key.
  await message.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true })
  expect(await page.locator('.answer').count()).toBe(0)
  expect(await message.inputValue()).toBe('日本')
})

test('the request is shown as code, without a key in it', async () => {
  const { page, say, answers } = await openPlayground()
  await say('show me')
  await answers.getByText('You said: show me').waitFor()
  await page.getByRole('button', { name: 'View code' }).click()
  const dialog = page.getByRole('dialog', { name: 'This request as code' })
  await dialog.getByRole('tabpanel').getByText('show me').waitFor()
  expect(await dialog.textContent()).toContain(helix.baseUrl)
  expect(await dialog.textContent()).not.toContain('hx_live_')
  await dialog.getByLabel('API').selectOption({ label: 'Messages (Anthropic)' })
  await dialog.getByRole('tabpanel').getByText('/messages').waitFor()
  await dialog.getByRole('tabpanel').getByText('max_tokens').waitFor()
})

test('while a parameter is wrong nothing would be sent, and there is no code that says otherwise', async () => {
  const { page, say, answers } = await openPlayground()
  await page.getByLabel('Response format').selectOption({ label: 'JSON schema' })
  await page.getByRole('button', { name: 'View code' }).click()
  const dialog = page.getByRole('dialog', { name: 'This request as code' })
  await dialog.getByText('Nothing can be sent').waitFor()
  await dialog.getByText('Enter a schema').waitFor()
  expect(await dialog.getByRole('tabpanel').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await say('in vain')
  expect(await answers.count()).toBe(0)
  await page.getByLabel('Schema', { exact: true }).fill('{"type": "object"}')
  await page.getByRole('button', { name: 'View code' }).click()
  await dialog.getByRole('tabpanel').getByText('json_schema').first().waitFor()
})

test('an answer is shown formatted, can be read raw, and is copied as it came', async () => {
  const { page, context, say, answers } = await openPlayground()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await say('formatted, please')
  await answers.getByRole('heading', { name: 'Rain' }).waitFor()
  await answers.getByRole('cell', { name: '160' }).waitFor()
  await answers.getByRole('img', { name: 'Not done' }).waitFor()
  await answers.locator('.code .keyword').getByText('def').waitFor()
  const link = answers.getByRole('link', { name: 'clouds' })
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
  expect(await answers.locator('img').count()).toBe(0)
  await answers.getByRole('link', { name: 'Image: a cloud' }).waitFor()
  await page.getByRole('button', { name: 'Copy the answer' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
  await answers.getByRole('button', { name: 'Copy: python' }).click()
  await expect.poll(clipboard).toBe('def wet():\n    return True')
  await page.getByRole('button', { name: 'Copy the answer' }).click()
  await expect.poll(clipboard).toBe(formatted)
  await page.getByRole('button', { name: 'Show raw text' }).click()
  await answers.getByText('## Rain').waitFor()
  expect(await answers.textContent()).toBe(formatted)
  await page.getByRole('button', { name: 'Show formatted' }).click()
  await answers.getByRole('heading', { name: 'Rain' }).waitFor()
})

test('code is shown as code before it has ended, and what was shown before stays the same element', async () => {
  const { page, say, answers } = await openPlayground({ language: 'ja', width: 375, theme: 'dark' })
  await say('the code so far')
  await answers.locator('.code').getByText('def f():').waitFor()
  await answers.locator('.code .caret').waitFor()
  await page.evaluate(`document.querySelector('.answer p').dataset.seen = 'yes'`)
  await page.getByRole('button', { name: '停止' }).click()
  await answers.locator('.caret').waitFor({ state: 'detached' })
  await answers.locator('[data-seen="yes"]').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

test('a hostile answer runs nothing, loads nothing and opens nothing', async () => {
  const { page, say, answers } = await openPlayground()
  const events: string[] = []
  page.on('dialog', (dialog) => events.push(`dialog ${dialog.message()}`))
  page.on('framenavigated', (frame) => events.push(`navigation ${frame.url()}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(helix.url)) events.push(`request ${request.url()}`)
  })
  await say('be hostile')
  await page.getByRole('button', { name: 'Copy the answer' }).waitFor()
  await answers.getByText('<script>alert(1)</script>').first().waitFor()
  // The part that formats answers is loaded with the first of them: until it is there, the answer is plain text.
  await answers.locator('[href]').first().waitFor()
  const inAnswer = (selector: string, property: string): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll('.answer :is(${selector})')].map((element) => element.${property})`)
  expect(
    await inAnswer(
      'script, img, iframe, object, embed, link, style, base, meta, form, input, video, audio, [style]',
      'outerHTML',
    ),
  ).toEqual([])
  const addresses = await inAnswer('[href]', 'href')
  expect(addresses.length).toBeGreaterThan(0)
  expect(addresses.filter((address) => !/^(https?|mailto):/.test(address))).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(events).toEqual([])
})

test('a screen reader hears an answer once: it is announced as it comes, and not found twice afterwards', async () => {
  const { page, say, answers } = await openPlayground()
  const announced = page.locator('.announced')
  const heard = await listenTo(page, '.announced')
  await say('good morning')
  await answers.getByText('You said: good morning').waitFor()
  await expect.poll(heard, { timeout: 15_000 }).toEqual(['You said: good morning'])
  await expect.poll(() => announced.textContent(), { timeout: 15_000 }).toBe('')
  await page.reload()
  await answers.getByText('You said: good morning').waitFor()
  expect(await announced.textContent()).toBe('')
})

test.each(['en', 'ja'] as const)('on phones and tablets the buttons stand in one row (%s)', async (language) => {
  const { page, say, answers } = await openPlayground({ language, width: 375 })
  await say('hello')
  await answers.getByText('You said: hello').waitFor()
  const tools = page.locator('.playground .tools .button')
  for (const width of [768, 375, 320]) {
    await page.setViewportSize({ width, height: 700 })
    const boxes = await tools.evaluateAll((buttons) =>
      buttons.map((button) => ({
        top: button.getBoundingClientRect().top,
        isCut: button.scrollWidth > button.clientWidth + 1,
      })),
    )
    expect(boxes, `at ${width} px`).toHaveLength(5)
    expect(new Set(boxes.map(({ top, isCut }) => `${top} ${isCut}`)), `at ${width} px`).toEqual(
      new Set([`${boxes[0]?.top} false`]),
    )
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `at ${width} px`).toBe(true)
  }
  expect(await accessibilityViolations(page)).toEqual([])
})
