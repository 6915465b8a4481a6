import { expect } from 'vitest'
import { claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { severalModels } from '../harness/several-models.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { modelName } from '../harness/start-helix.ts'
import { startSite } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

test('sliders show the defaults of the chosen model, and none where only its upstream knows them', async () => {
  const own = { id: 'own', sampling: { temperature: 0.7, topP: 0.95 } }
  const helix = await startSite({ openModels: severalModels([own, { id: modelName }]) })
  const owner = await claimServer(helix)
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/playground')
  const temperature = page.getByRole('slider', { name: 'Temperature' })
  await expect.poll(() => temperature.inputValue()).toBe('0.7')
  expect(await page.getByRole('slider', { name: 'Top P' }).inputValue()).toBe('0.95')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByLabel('Model', { exact: true }).selectOption(modelName)
  await expect.poll(() => temperature.getAttribute('aria-valuetext')).toBe('default')
  await openPage(page, '/playground/compare')
  const second = page.getByRole('region', { name: 'Setting B' }).getByLabel('Temperature')
  await expect.poll(() => second.getAttribute('placeholder')).toBe('0.7')
})

test('the reasoning effort is asked for where a model reasons, and says that it has no effect elsewhere', async () => {
  const thinker = { id: 'thinker', features: new Set(['reasoning'] as const) }
  const helix = await startSite({ openModels: severalModels([thinker, { id: 'plain', features: new Set(['tools']) }]) })
  const owner = await claimServer(helix)
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/playground')
  await page.getByLabel('Reasoning effort').selectOption('High')
  await page.getByLabel('Message', { exact: true }).fill('Think.')
  const asked = page.waitForRequest('**/platform/playground/chat/completions')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  expect((await asked).postDataJSON()).toMatchObject({ model: 'thinker', reasoning_effort: 'high' })
  const model = page.getByLabel('Model', { exact: true })
  await model.selectOption('plain')
  await page.getByText('plain does not reason, so this has no effect.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByLabel('Reasoning effort').selectOption('The model’s default')
  await page.getByLabel('Reasoning effort').waitFor({ state: 'detached' })
  await model.selectOption('thinker')
  await page.getByLabel('Reasoning effort').waitFor()
})
