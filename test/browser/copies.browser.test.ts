import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { type Helix, modelName } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

let helix: Helix
let owner: BrowserSession & { firstKey: { id: string } }
let requestId: string
let organisationId: string
beforeAll(async () => {
  helix = await openSiteServer()
  owner = await claimServer(helix)
  const body = { model: modelName, messages: [{ role: 'user', content: 'Hi' }] }
  const response = await owner.post('/playground/chat/completions', body)
  requestId = response.headers.get('x-request-id') ?? ''
  organisationId = (await owner.load()).organisation?.id ?? ''
  return helix.close
})

const copied = (page: Page): Promise<unknown> => page.evaluate('navigator.clipboard.readText()')

test.each([
  { language: 'en', id: 'Copy ID', url: 'Copy URL', model: 'Copy model name', command: 'Copy command' },
  {
    ...({ language: 'ja', id: 'IDをコピー', url: 'URLをコピー' } as const),
    ...{ model: 'モデル名をコピー', command: 'コマンドをコピー' },
  },
] as const)('ids, addresses, names and commands are copied with one click: $language', async (words) => {
  const { language, id, url, model, command } = words
  const { page, context } = await openVisitor(helix.url, { language })
  await takeCookies(context, helix.url, owner.cookies)
  const copy = async (label: string, expected: unknown) => {
    await page.getByRole('button', { name: label }).first().click()
    await expect.poll(() => copied(page)).toEqual(expected)
  }
  await openPage(page, `/requests/${requestId}`)
  await copy(id, requestId)
  await openPage(page, `/keys/${owner.firstKey.id}`)
  await copy(id, owner.firstKey.id)
  await copy(url, helix.baseUrl)
  expect(await accessibilityViolations(page)).toEqual([])
  await openPage(page, '/admin/models')
  await copy(model, modelName)
  await copy(command, expect.stringMatching(/^\.\/helix models add /))
  await openPage(page, `/admin/organisations?dialog=organisation&of=${organisationId}`)
  await page.getByRole('dialog').getByRole('button', { name: id }).click()
  await expect.poll(() => copied(page)).toBe(organisationId)
  expect(await accessibilityViolations(page)).toEqual([])
  await openPage(page, '/team')
  await copy(id, organisationId)
})
