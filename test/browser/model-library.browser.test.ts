import { expect } from 'vitest'
import { claimServer } from '../harness/browser-session.ts'
import { listedModels, tinyChat } from '../harness/listed-models.ts'
import { startModelHub } from '../harness/model-hub.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { modelName } from '../harness/start-helix.ts'
import { startSite } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

test('a model is found on the hub, downloaded with a pause, tried, set up and removed; another is uploaded', async () => {
  const hub = await startModelHub({
    'someone/tiny-GGUF': { 'tiny-Q4_K_M.gguf': tinyChat },
    'another/small-GGUF': { 'tiny-Q4_K_M.gguf': tinyChat },
  })
  const helix = await startSite(await listedModels({ modelHubUrl: hub.url }))
  const owner = await claimServer(helix)
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/admin/models')

  await page.getByText(`Search ${new URL(hub.url).host} for models`).waitFor()
  // Without a word: all, those with the most downloads first.
  await page.getByLabel('Search the model hub').press('Enter')
  await page.getByRole('button', { name: 'Show files of another/small-GGUF' }).waitFor()
  await page.getByLabel('Search the model hub').fill('tiny')
  await page.getByLabel('Search the model hub').press('Enter')
  await page.getByText('licence apache-2.0 · 3.5K downloads').waitFor()
  await page.getByRole('button', { name: 'Show files of someone/tiny-GGUF' }).click()
  const file = page.getByRole('row').filter({ hasText: 'tiny-Q4_K_M.gguf' })
  await file.getByText('Fits in your memory').waitFor()
  hub.holdAfter(50_000)
  await file.getByRole('button', { name: 'Download tiny-Q4_K_M.gguf' }).click()
  await file.getByText('Downloading').waitFor()
  const downloads = page.getByRole('region', { name: 'Downloads' })
  await expect.poll(() => downloads.locator('progress').getAttribute('value'), { timeout: 15_000 }).toBe('50000')
  expect(await accessibilityViolations(page)).toEqual([])

  // It runs in the server: a page that is opened later has it too.
  await openPage(page, '/admin/models')
  await downloads.getByRole('button', { name: 'Pause the download of tiny-Q4_K_M' }).click()
  await downloads.getByText('Paused').waitFor()
  hub.holdAfter(null)
  await downloads.getByRole('button', { name: 'Resume the download of tiny-Q4_K_M' }).click()
  await downloads.getByText('Ready to use').waitFor()
  expect(hub.requests.at(-1)?.range).toBe('bytes=50000-')

  // A file of another repository with the same name gets another.
  await page.getByLabel('Search the model hub').fill('small')
  await page.getByLabel('Search the model hub').press('Enter')
  await page.getByRole('button', { name: 'Show files of another/small-GGUF' }).click()
  await page.getByText('Added as another-tiny-Q4_K_M').waitFor()

  await downloads.getByRole('link', { name: 'Try tiny-Q4_K_M in the playground' }).click()
  const message = page.locator('.composer textarea')
  await message.fill('Who are you?')
  await message.press('Enter')
  await page.locator('.answer').getByText('I am tiny-Q4_K_M.').waitFor()

  await openPage(page, '/admin/models')
  const row = page.getByRole('row').filter({ hasText: 'tiny-Q4_K_M' })
  await page.getByRole('button', { name: 'Settings of tiny-Q4_K_M' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Aliases').fill('best')
  await dialog.getByLabel('Slots').fill('0')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter a whole number from 1 to 64.').waitFor()
  await dialog.getByLabel('Slots').fill('2')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Also: best').waitFor()
  await row.getByText('0 of 2').waitFor()

  await page.getByRole('button', { name: 'Make tiny-Q4_K_M the default' }).click()
  await row.getByText('Default', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Remove tiny-Q4_K_M' }).click()
  await dialog.getByText('Make another model the default first.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `Make ${modelName} the default` }).click()
  await row.getByText('Default', { exact: true }).waitFor({ state: 'detached' })
  await row.getByRole('button', { name: 'Remove tiny-Q4_K_M' }).click()
  await dialog.getByText('Running answers finish.').waitFor()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await row.waitFor({ state: 'detached' })

  const upload = page.getByRole('region', { name: 'Upload a GGUF file' })
  const choose = (name: string, buffer: Buffer) =>
    upload.getByLabel('GGUF file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
  const send = upload.getByRole('button', { name: 'Upload' })
  await choose('page.gguf', Buffer.from('<html>'))
  await send.click()
  await upload.getByText('This is not a GGUF file.').waitFor()
  await choose('cut.gguf', tinyChat.subarray(0, 9000))
  await send.click()
  await upload.getByText('The file is truncated').waitFor()
  await choose(`${modelName}.gguf`, tinyChat)
  await send.click()
  await upload.getByText('There is already a model or alias with this name.').waitFor()
  await upload.getByLabel('Name of the model').fill('mine')
  await send.click()
  await page.getByRole('row').filter({ hasText: 'mine' }).waitFor()

  await openPage(page, '/models')
  await page.getByRole('button', { name: 'Sample code for mine' }).click()
  expect(await page.getByRole('tabpanel').innerText()).toContain('mine')
  expect(await accessibilityViolations(page)).toEqual([])
})
