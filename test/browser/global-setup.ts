import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { builtSiteFolder } from '../harness/built-site.ts'
import { findChromium } from '../harness/find-chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the one browser of the run listens; null: there is none. */
    browserEndpoint: string | null
    /** The folder of the built site. */
    builtSite: string
  }
}

/** Builds the site and starts the browser, once for all files. */
export const setup = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const executablePath = findChromium()
  if (executablePath === null && process.env.BROWSER_TESTS === 'required')
    throw new Error('There is no browser, and BROWSER_TESTS=required says that there must be one.')
  if (executablePath === null)
    console.warn('Browser tests are not run: no Chromium found. Install it, or set CHROME_PATH.')
  provide('builtSite', await builtSiteFolder())
  const server = executablePath === null ? null : await chromium.launchServer({ executablePath })
  provide('browserEndpoint', server?.wsEndpoint() ?? null)
  return async () => server?.close()
}
