import { chromium } from 'playwright-core'
import { openDemo } from '../../../scripts/screenshots/open-demo.ts'
import { visitPages } from '../../../scripts/screenshots/visit-pages.ts'
import { languages } from '../../../src/languages/languages.ts'
import { readWords } from '../../../src/languages/words.ts'
import { bareFigures } from './bare-figures.ts'
import { cutParts } from './cut-parts.ts'

/** In a copy of the repository: goes through the site in one language, and prints what does not fit, as JSON lines. */
const [endpoint = '', wanted = ''] = process.argv.slice(2)
const widths = [1440, 768, 390]

const language = languages.find(({ code }) => code === wanted)
if (language === undefined) throw new Error(`the server does not know the language ${wanted}`)
const { timeZone, ...words } = await readWords(wanted, 'screenshots')
const demo = await openDemo(words)
const browser = await chromium.connect(endpoint)
const context = await browser.newContext({
  baseURL: demo.server.url,
  locale: language.locale,
  timezoneId: timeZone,
  reducedMotion: 'reduce',
})
await context.addCookies([{ name: 'helix_language', value: wanted, url: demo.server.url }])
await context.clock.setFixedTime(demo.clock.now())
await visitPages(demo, context, { ...words, timeZone }, async (page, name) => {
  const lang = await page.evaluate('document.documentElement.lang')
  const title = await page.title()
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const [cut, bare] = [await page.evaluate(cutParts), width < 720 ? await page.evaluate(bareFigures) : []]
    console.log(JSON.stringify({ name, width, lang, title, cut, bare }))
  }
})
await context.close()
await browser.close()
await demo.close()
