import type { Page } from 'playwright-core'

/** All that a browser would still know tomorrow: storage, databases, cookies that scripts read, addresses and history. */
export const keptTexts = async (page: Page): Promise<string> => {
  const storage = await page.evaluate(`(async () => JSON.stringify([
    { ...localStorage }, { ...sessionStorage }, history.state, document.cookie, location.href, document.title, window.name,
    (await indexedDB.databases()).map(({ name }) => name), await caches.keys(),
  ]))()`)
  const protocol = await page.context().newCDPSession(page)
  const { entries } = await protocol.send('Page.getNavigationHistory')
  await protocol.detach()
  return `${storage} ${JSON.stringify(entries.map(({ url, title }) => [url, title]))}`
}
