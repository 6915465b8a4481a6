import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { embedderName, openScriptedEmbedder } from '../harness/scripted-embedder.ts'
import { severalModels } from '../harness/several-models.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { type Helix, modelName } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

let helix: Helix
let owner: BrowserSession & { firstKey: { key: string } }
beforeAll(async () => {
  const answer = (messages: unknown) => [JSON.stringify(messages).includes('Be kind.') ? 'Kindly.' : 'Plainly.']
  helix = await openSiteServer({
    openModels: severalModels([
      { id: modelName, answer },
      { id: 'other' },
      { id: embedderName, engine: () => openScriptedEmbedder() },
    ]),
  })
  owner = await claimServer(helix)
  await owner.post('/organisation/bodies', { days: 7 })
  return helix.close
})

type Options = NonNullable<Parameters<typeof openVisitor>[1]>

/** Sends a request with a key, and opens its page. */
const openSent = async (path: string, body: object, options: Options = {}) => {
  const headers = { authorization: `Bearer ${owner.firstKey.key}`, 'content-type': 'application/json' }
  const response = await fetch(helix.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect([response.status, await response.text()]).toEqual([200, expect.anything()])
  const { page, context } = await openVisitor(helix.url, options)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, `/requests/${response.headers.get('x-request-id') ?? response.headers.get('request-id')}`)
  return page
}

const message = {
  model: modelName,
  system: 'Be kind.',
  messages: [
    { role: 'user', content: 'Weather?' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_1', content: 'Rain' },
        { type: 'text', text: 'And tomorrow?' },
      ],
    },
  ],
  max_tokens: 50,
  top_k: 5,
  tools: [{ name: 'weather', description: 'Tells it', input_schema: { type: 'object' } }],
}

test('a request to /v1/messages is opened with its system prompt and tools, says what is left out, and is sent', async () => {
  const page = await openSent('/messages', message, { width: 375 })
  await page.getByRole('link', { name: 'Open in playground' }).click()
  await page.getByText('cannot be shown here and are not sent: top_k: 5').waitFor()
  expect(await page.getByLabel('System', { exact: true }).inputValue()).toBe('Be kind.')
  const composer = page.locator('.composer textarea')
  expect(await composer.inputValue()).toBe('And tomorrow?')
  await page.getByText('Calls weather').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  const [sent] = await Promise.all([
    page.waitForRequest('**/platform/playground/chat/completions'),
    composer.press('Enter'),
  ])
  await page.locator('.answer').getByText('Kindly.').waitFor()
  expect(sent.postDataJSON()).toMatchObject({
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'call_1', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
      { role: 'user', content: 'And tomorrow?' },
    ],
    max_completion_tokens: 50,
    tools: [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }],
  })
})

test('the same request is compared with another model', async () => {
  const page = await openSent('/messages', message, { language: 'ja' })
  await page.getByRole('link', { name: '別のモデルと比較' }).click()
  await page.getByText('ここでは扱えず送信されない項目： top_k: 5').waitFor()
  await page.getByRole('button', { name: '両方に送信' }).click()
  await page.locator('.answer').getByText('Kindly.').waitFor()
  await page.locator('.answer').getByText('I am other.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

test('embeddings are requested again, and their answer is shown; there is no conversation to open', async () => {
  const page = await openSent('/embeddings', { model: embedderName, input: 'two words' }, { width: 375, theme: 'dark' })
  await page.getByText('Vectors and scores are not stored.').waitFor()
  expect(await page.locator('.timing-steps').innerText()).not.toContain('First token')
  await page.getByRole('button', { name: 'Run again' }).click()
  await page.getByRole('region', { name: 'New answer' }).getByText('[0.5, 0.25, 0.125]').waitFor()
  expect(await page.getByRole('link', { name: 'Open in playground' }).count()).toBe(0)
  expect(await accessibilityViolations(page)).toEqual([])
  // The call is in the log like any other, and can be repeated from there.
  await page.getByRole('region', { name: 'New answer' }).locator('xpath=../..').locator('.request-id').click()
  await page.getByRole('button', { name: 'Run again' }).click()
  await page.getByRole('region', { name: 'New answer' }).getByText('[0.5, 0.25, 0.125]').waitFor()
})

test('a message and a response are run again through the session, as the endpoint answers', async () => {
  const page = await openSent('/messages', { ...message, stream: true })
  await page.getByRole('button', { name: 'Run again' }).click()
  await page.getByRole('region', { name: 'New answer' }).getByText('"text": "Kindly."').waitFor()
  const other = await openSent('/responses', { model: modelName, input: 'How is it?', instructions: 'Be kind.' })
  await other.getByRole('button', { name: 'Run again' }).click()
  const answer = other.getByRole('region', { name: 'New answer' })
  await answer.getByText('"text": "Kindly."').waitFor()
  await other.getByRole('link', { name: 'Open in playground' }).click()
  await other.getByText('Opened req_').waitFor()
  expect(await other.locator('.composer textarea').inputValue()).toBe('How is it?')
})
