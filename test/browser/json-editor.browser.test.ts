import { beforeAll, expect } from 'vitest'
import { claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

let helix: Helix
let owner: Awaited<ReturnType<typeof claimServer>>
beforeAll(async () => {
  helix = await openSiteServer()
  owner = await claimServer(helix)
  return helix.close
})

const open = async (options: Parameters<typeof openVisitor>[1]) => {
  const { page, context } = await openVisitor(helix.url, options)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/playground')
  return page
}

test('tools are edited with room: an error is named with its line, is reached by a click, and is gone once mended', async () => {
  const page = await open({ language: 'en' })
  await page.getByRole('button', { name: 'Open editor: Tools' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit tools' })
  const field = dialog.getByRole('textbox', { name: 'Tools' })
  await dialog.getByRole('button', { name: 'Insert example' }).click()
  await dialog.getByText('Valid JSON.').first().waitFor()
  const example = await field.inputValue()
  await field.fill('[\n  {\n    "type": "function"\n    "function": {}\n  }\n]')
  await dialog.getByText('Line 4, column 5: a comma or “}” is expected here.').first().waitFor()
  expect(await dialog.locator('.json-lines mark').textContent()).toBe('4')
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect(await dialog.getByRole('button', { name: 'Format' }).isDisabled()).toBe(true)
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Go to the error' }).click()
  expect(await page.evaluate('document.activeElement.selectionStart')).toBe(33)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type(',')
  await dialog.getByText('Valid JSON.').first().waitFor()
  // Valid JSON, but no tools.
  await field.fill('{}')
  await dialog.getByText('Enter an array of tools').first().waitFor()
  await field.fill(JSON.stringify(JSON.parse(example)))
  await dialog.getByRole('button', { name: 'Format' }).click()
  expect(await field.inputValue()).toBe(JSON.stringify(JSON.parse(example), null, 2))
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.getByLabel('Tools', { exact: true }).inputValue()).toContain('\n')
  // The view has an address.
  await openPage(page, '/playground?dialog=json&of=tools')
  await dialog.waitFor()
})

test('in Japanese on a phone the editor returns to the parameters, and names the error in Japanese', async () => {
  const page = await open({ language: 'ja', width: 375 })
  await page.getByRole('button', { name: 'パラメーター' }).click()
  await page.getByLabel('回答の形式').selectOption('schema')
  await page.getByRole('button', { name: 'スキーマのエディターを開く' }).click()
  const dialog = page.getByRole('dialog', { name: 'スキーマの編集' })
  await dialog.getByRole('textbox').fill('{"type": "object",}')
  await dialog.getByText('1行目、19文字目：直前のカンマを削除してください。').first().waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await dialog.getByRole('button', { name: '完了' }).click()
  await page.getByRole('dialog', { name: 'パラメーター' }).waitFor()
  await page.getByLabel('スキーマ', { exact: true }).focus()
  await page.getByLabel('スキーマ', { exact: true }).blur()
  await page.getByText('JSONとして解釈できません。1行目、19文字目').waitFor()
})
