import type { Page } from 'playwright-core'

/** What has been added to the parts that a screen reader announces, in order: it may be gone again when a test looks. */
export const listenTo = async (page: Page, selector: string): Promise<() => Promise<unknown>> => {
  await page.evaluate(`heard = []; new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node.parentElement?.closest(${JSON.stringify(selector)})) heard.push(node.textContent)
  }).observe(document.body, { childList: true, subtree: true })`)
  return () => page.evaluate('heard')
}
