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
let owner: BrowserSession
beforeAll(async () => {
  const embedder = { id: embedderName, engine: () => openScriptedEmbedder() }
  helix = await openSiteServer({ openModels: severalModels([embedder, { id: modelName }, { id: 'other' }]) })
  owner = await claimServer(helix)
  return helix.close
})

/** Creates a key for these models on the page. */
const createKey = async (models: readonly string[], options: Parameters<typeof openVisitor>[1] = {}) => {
  const { page, context } = await openVisitor(helix.url, options)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/keys')
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Tried at once')
  if (models.length > 0) await dialog.getByText('Limits, permissions and networks').click()
  for (const model of models) await dialog.getByRole('checkbox', { name: model }).check()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('heading', { name: 'Tried at once is ready' }).waitFor()
  return { page, dialog }
}

test.each([{ models: [] }, { models: [embedderName, modelName] }])(
  'a new key is tried at once with a chat model, and its first request arrives: $models',
  async ({ models }) => {
    const { page, dialog } = await createKey(models)
    await dialog.getByText('Waiting for the first request with this key…').waitFor()
    await dialog.getByRole('tab', { name: 'Python' }).click()
    expect(await dialog.getByRole('tabpanel').textContent()).toContain(modelName)
    expect(await accessibilityViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Run it here' }).click()
    await dialog.locator('.answer').getByText(`I am ${modelName}.`).waitFor()
    await dialog.getByText(/^First request received at/).waitFor()
    await dialog.getByRole('link', { name: 'Show request' }).click()
    await page.waitForURL('**/requests/req_*')
  },
)

test('a key for embeddings alone says that there is nothing to try', async () => {
  const { page, dialog } = await createKey([embedderName], { width: 375 })
  await dialog.getByText('This key can’t use any chat model').waitFor()
  expect(await dialog.getByRole('button', { name: 'Run it here' }).count()).toBe(0)
  await dialog.getByText('Waiting for the first request with this key…').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

test('a key for other networks says why it was refused here', async () => {
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/keys')
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Inside')
  await dialog.getByText('Limits, permissions and networks').click()
  await dialog.getByLabel('Networks').fill('10.0.0.0/8')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByRole('button', { name: 'Run it here' }).click()
  await dialog.getByText('This key can be used only from certain networks').waitFor()
})
