import { expect } from 'vitest'
import { claimServer } from '../harness/browser-session.ts'
import { listedModels, tinyChat } from '../harness/listed-models.ts'
import { startModelHub } from '../harness/model-hub.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { startSite } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

test('a model is found on the hub, downloaded with a pause, tried, set up and removed; another is uploaded', async () => {
  const hub = await startModelHub({ 'someone/tiny-GGUF': { 'tiny-Q4_K_M.gguf': tinyChat } })
  const helix = await startSite(await listedModels({ modelHubUrl: hub.url }))
  const owner = await claimServer(helix)
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/admin/models')

  await page.getByLabel('Search the model hub').fill('tiny')
  await page.getByLabel('Search the model hub').press('Enter')
  await page.getByRole('button', { name: 'Show files of someone/tiny-GGUF' }).click()
  await page.getByText('Fits in your memory').first().waitFor()
  hub.holdAfter(50_000)
  await page.getByRole('button', { name: 'Download tiny-Q4_K_M.gguf' }).click()
  const downloads = page.getByRole('region', { name: 'Downloads' })
  await expect.poll(() => downloads.locator('progress').getAttribute('value'), { timeout: 15_000 }).toBe('50000')
  expect(await accessibilityViolations(page)).toEqual([])

  // It runs in the server: another page shows it too.
  await openPage(page, '/admin/models')
  await downloads.getByRole('button', { name: 'Pause the download of tiny-Q4_K_M' }).click()
  await downloads.getByText('Paused').waitFor()
  hub.holdAfter(null)
  await downloads.getByRole('button', { name: 'Resume the download of tiny-Q4_K_M' }).click()
  await downloads.getByText('Ready to use').waitFor()

  await downloads.getByRole('link', { name: 'Try tiny-Q4_K_M in the playground' }).click()
  const message = page.locator('.composer textarea')
  await message.fill('Who are you?')
  await message.press('Enter')
  await page.locator('.answer').getByText('I am tiny-Q4_K_M.').waitFor()

  await openPage(page, '/admin/models')
  await page.getByRole('button', { name: 'Settings of tiny-Q4_K_M' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Aliases').fill('best')
  await dialog.getByLabel('Slots').fill('2')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row').filter({ hasText: 'tiny-Q4_K_M' })
  await row.getByText('Also: best').waitFor()
  await row.getByText('0 of 2').waitFor()
  await row.getByRole('button', { name: 'Remove tiny-Q4_K_M' }).click()
  await dialog.getByText('Running answers finish.').waitFor()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await row.waitFor({ state: 'detached' })

  await page.getByLabel('GGUF file', { exact: true }).setInputFiles({
    ...{ name: 'mine.gguf', mimeType: 'application/octet-stream', buffer: tinyChat },
  })
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'mine' }).first().waitFor()
  await openPage(page, '/models')
  await page.getByRole('button', { name: 'Sample code for mine' }).click()
  await page.getByText('No figures yet').first().waitFor()
  expect(await page.getByRole('tabpanel').innerText()).toContain('mine')
  expect(await accessibilityViolations(page)).toEqual([])
})
