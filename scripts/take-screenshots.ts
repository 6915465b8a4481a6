import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { Language } from '../languages/language.ts'
import { languages } from '../src/languages/languages.ts'
import { readWords } from '../src/languages/words.ts'
import { findChromium } from '../test/harness/find-chromium.ts'
import { openDemo } from './screenshots/open-demo.ts'
import { createPictureStore } from './screenshots/picture-store.ts'
import type { Shoot } from './screenshots/shoot.ts'
import { visitPages } from './screenshots/visit-pages.ts'

/** Screenshots of every page in each language, light on a desk and a tablet and dark on a phone, in screenshots/, which git ignores. */
const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))
/** Those that the README and the landing page show are also kept here. */
const keptFolder = fileURLToPath(new URL('../site/public-pages/files/pictures/', import.meta.url))
/** `scale` is the pixel density; `maxHeight` is where a picture is cut off. */
const appearances = [
  { theme: 'light', width: 1440, height: 900, scale: 1, maxHeight: 2400 },
  { theme: 'light', width: 768, height: 1024, scale: 1, maxHeight: 2000 },
  { theme: 'dark', width: 375, height: 812, scale: 2, maxHeight: 1600 },
] as const
/** The README and the landing page show this page in the reader's theme, the landing page in the reader's language. */
const kept = { page: 'playground', width: appearances[0].width } as const
/** `--kept` takes only those. */
const { values } = parseArgs({ options: { kept: { type: 'boolean', default: false } } })
const wideAndDark = { ...appearances[0], theme: 'dark' } as const
/** For readers on a phone, who could not read the wide one. */
const keptOnPhones = (['light', 'dark'] as const).map((theme) => ({
  ...{ theme, width: 375, height: 720, scale: 2, maxHeight: 720 },
}))
const quality = 80

const executablePath = findChromium()
if (executablePath === null) throw new Error('No Chromium found. Install it, or set CHROME_PATH.')

/** The address shown in the pictures, wherever the server really listens. */
const origin = 'http://localhost:8080'

type Appearance = { theme: 'light' | 'dark'; width: number; height: number; scale: number; maxHeight: number }

const takePicture = async (page: Page, { width, scale, maxHeight }: Omit<Appearance, 'theme'>): Promise<Buffer> => {
  const seen = page.viewportSize() ?? { width, height: 0 }
  const height = Math.min(Number(await page.evaluate('document.documentElement.scrollHeight')), maxHeight)
  // Chromium omits some content that was never in the viewport.
  if (height > seen.height) await page.setViewportSize({ width: seen.width, height })
  const protocol = await page.context().newCDPSession(page)
  const clip = { x: 0, y: 0, width, height, scale }
  const { data } = await protocol.send('Page.captureScreenshot', {
    format: 'webp',
    quality,
    clip,
    captureBeyondViewport: true,
  })
  await protocol.detach()
  if (height > seen.height) await page.setViewportSize(seen)
  return Buffer.from(data, 'base64')
}

/** Keys and the temporary folder differ in every run; the pictures always show these values. Requests have the key that the page was given. */
const fixKeys = `{
  const usual = window.fetch
  const shown = 'hx_live_4tQm8ZrVb2LxN6cKpYd3WfHs9GjTe7Aa0UnR5iMo1qXw'
  const endings = ['1qXw', 'Bv7k', '9sTe', 'm3Jd']
  let given = shown
  window.fetch = async (target, options = {}) => {
    const { authorization } = options.headers ?? {}
    const headers = authorization === 'Bearer ' + shown ? { ...options.headers, authorization: 'Bearer ' + given } : options.headers
    const response = await usual(target, { ...options, headers })
    if (!/\\/platform\\/(setup|keys(\\/key_\\w+)?|admin\\/configuration)$/.test(response.url) || !response.ok) return response
    let count = 0
    const text = await response.text()
    given = /"key":"(hx_live_\\w+)"/.exec(text)?.[1] ?? given
    const body = text
      .replaceAll(/"key":"hx_live_\\w+"/g, '"key":"' + shown + '"')
      .replaceAll(/"prefix":"hx_live_\\w*"/g, '"prefix":"hx_live_4tQm"')
      .replaceAll(/"lastFour":"\\w{4}"/g, () => '"lastFour":"' + endings[count++ % endings.length] + '"')
      .replaceAll(/"[^"]*helix-screenshots-\\w+"/g, '"/var/lib/helix"')
    return new Response(body, response)
  }
}`

const shootLanguage = async ({ code, locale }: Language): Promise<void> => {
  const words = await readWords(code, 'screenshots')
  const demo = await openDemo(words)
  const { port } = new URL(demo.server.url)
  const browser: Browser = await chromium.launch({
    executablePath,
    args: [`--host-resolver-rules=MAP localhost:8080 127.0.0.1:${port}`],
  })
  const context = await browser.newContext({
    baseURL: origin,
    locale,
    timezoneId: words.timeZone,
    reducedMotion: 'reduce',
  })
  await context.clock.setFixedTime(demo.clock.now())
  await context.addInitScript(fixKeys)
  const comparer = await browser.newPage()
  const store = await createPictureStore(folder, comparer)
  const keptStore = await createPictureStore(keptFolder, comparer)
  const shoot: Shoot = async (page, name, isTimed = false) => {
    const isKept = name === kept.page
    if (values.kept && !isKept) return
    const tolerance = isTimed ? 0.02 : 0.0002
    const take = async (appearance: Appearance, put: (file: string, picture: Buffer) => Promise<void>) => {
      const { theme, width } = appearance
      await page.setViewportSize(appearance)
      await page.emulateMedia({ colorScheme: theme })
      await page.evaluate('scrollTo(0, 0)')
      await put(`${name}-${code}-${theme}-${width}.webp`, await takePicture(page, appearance))
    }
    for (const appearance of [...appearances, ...(isKept ? [wideAndDark] : [])])
      await take(appearance, async (file, picture) => {
        await store.put(file, picture, tolerance)
        if (isKept && appearance.width === kept.width) await keptStore.put(file, picture, tolerance)
      })
    if (isKept)
      for (const appearance of keptOnPhones)
        await take(appearance, (file, picture) => keptStore.put(file, picture, tolerance))
  }
  await visitPages(demo, context, words, shoot, values.kept ? kept.page : null)
  await browser.close()
  await demo.close()
  const isOurs = (name: string): boolean => name.includes(`-${code}-`)
  await keptStore.finish(isOurs)
  if (values.kept) return
  const { rewritten, kept: count, bytes } = await store.finish(isOurs)
  console.log(`${code}: ${count} pictures, ${rewritten} of them new, ${Math.round(bytes / 1000)} KB`)
}

for (const language of languages) await shootLanguage(language)
