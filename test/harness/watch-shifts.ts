import type { Page } from 'playwright-core'

const observe = `
  globalThis.shifted = 0
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifted += value
  }).observe({ type: 'layout-shift', buffered: true })`

/** What was laid out is on the screen, and how far it moved is known. */
const painted = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(null)))))`

/** Tells how far parts of the page have moved without being asked to since it was opened. */
export const watchShifts = async (page: Page) => {
  await page.addInitScript(observe)
  const waitUntilPainted = async (): Promise<void> => {
    await page.evaluate(painted)
  }
  return {
    waitUntilPainted,
    async shifted(): Promise<number> {
      await waitUntilPainted()
      return Number(await page.evaluate('shifted'))
    },
  }
}
