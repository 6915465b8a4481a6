import type { Locator, Page } from 'playwright-core'

export const hasFocus = async (page: Page, target: Locator): Promise<boolean> =>
  (await target.and(page.locator(':focus')).count()) === 1

/** Presses Tab, or Shift and Tab, until the named thing has the focus, as somebody without a mouse does. */
export const tabTo = async (page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
  await target.waitFor()
  for (let presses = 0; presses < 40; presses += 1) {
    if (await hasFocus(page, target)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${target} is not reached by Tab`)
}
