import type { Page } from 'playwright-core'
import { goodPassword } from '../harness/browser-session.ts'

/** Email and password, in whatever language the page is. */
export const fillForm = async (page: Page, email: string, password = goodPassword): Promise<void> => {
  await page.locator('input[name="email"]:visible').fill(email)
  await page.locator('input[name="password"]:visible').fill(password)
}

export { goodPassword }
