import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { languageCodes } from '../src/languages/languages.ts'
import { appDetailPages, appPages, publicPages } from '../src/site-server/pages.ts'
import { claimServer } from '../test/harness/browser-session.ts'
import { builtSiteFolder } from '../test/harness/built-site.ts'
import { findChromium } from '../test/harness/find-chromium.ts'
import { openBuiltSite } from '../test/harness/open-built-site.ts'
import { isForStrangers } from '../test/harness/site-pages.ts'
import { openHelix } from '../test/harness/start-helix.ts'
import { median, ratioSpread, spreadOf } from './measure.ts'
import { openNoticedServer } from './open-noticed-server.ts'
import { noFigures, openPageOnce, type PageFigures } from './open-page-once.ts'
import { atMost, reportPart } from './report-part.ts'

/**
 * Every page in Chromium with an empty cache, signed in, with notices and first steps: the time until its largest part is
 * painted against the landing page's in the same round, how far its parts move afterwards, its requests and its scripts.
 * `--only=/playground,/keys`, `--console` (no public pages), `--rounds=3`, `--widths=375,768,1440`, `--languages=en,ja`.
 * With `--shifts` each page is opened once, and only what moves is reported. `--notices=none,budgets,engines` does that on a
 * server in use, with none of its notices, with those of budgets and keys and the first steps, and with those of engines and settings;
 * `--public` takes the public pages only, `--latency=150` a slow network, `--together=3` three pages at a time.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    console: { type: 'boolean', default: false },
    public: { type: 'boolean', default: false },
    notices: { type: 'string' },
    latency: { type: 'string' },
    together: { type: 'string', default: '1' },
    shifts: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    widths: { type: 'string', default: '375,768,1440' },
    languages: { type: 'string', default: languageCodes.join(',') },
  },
})
const landing = '/'

/** What web vitals call good is five times as much. */
const maxShift = 0.02

/** The landing page is opened just before each page: a slow moment of the machine affects both. */
type Turn = { reference: PageFigures; page: PageFigures }

const only = values.only?.split(',')
const rounds = Number(values.rounds)
const latencyMs = values.latency === undefined ? null : Number(values.latency)
const offered = [
  ...(values.console ? [] : publicPages),
  ...(values.public ? [] : appPages),
  ...(values.public || values.notices === undefined ? [] : appDetailPages),
]
const isCompared = (path: string): boolean => path === landing && !values.shifts
const pages = offered.filter((path) => !isCompared(path) && (only?.includes(path) ?? true))

const site = await openBuiltSite(await builtSiteFolder())
const openNewServer = async () => {
  const helix = await openHelix({ openSite: () => site, hasConfigChanged: async () => true })
  const owner = await claimServer(helix)
  await owner.post('/keys', { name: 'soon', expiresAt: Date.now() + 86_400_000 })
  return { helix, owner, details: {}, show: async () => {} }
}
const opened = await (values.notices === undefined ? openNewServer() : openNoticedServer(site))
const { helix, owner, show } = opened
const details: Partial<Record<string, string>> = opened.details
const executablePath = findChromium()
if (executablePath === null) throw new Error('No Chromium found. Install it, or set CHROME_PATH.')
const browser = await chromium.launch({ executablePath })

/** How far the parts of each page move, where they do. */
const reportShifts = async (part: string, open: (path: string) => Promise<PageFigures>): Promise<void> => {
  const seen = new Map<string, PageFigures>()
  const waiting = pages.values()
  const openNext = async (): Promise<void> => {
    for (const path of waiting) seen.set(path, await open(details[path] ?? path))
  }
  await Promise.all(Array.from({ length: Number(values.together) }, openNext))
  const largest = Math.max(...[...seen.values()].map(({ shift }) => shift))
  const moved = [...seen].filter(([, { shift }]) => shift > 0).map(([path, { shift }]) => `${path} ${shift}`)
  for (const [path, { shift, moved: parts }] of seen)
    if (shift > maxShift) console.error(`${part} ${path} ${shift}: ${parts}`)
  const isMet = largest <= maxShift ? 'met' : 'missed'
  const figures = { pages: pages.length, largest, target: `≤ ${maxShift}: ${isMet}`, moved: moved.join(', ') }
  reportPart({ bench: 'pages', part: `shifts ${part}`, ratio: null, target: null, rounds: 1, figures })
}

for (const language of values.languages.split(','))
  for (const width of values.widths.split(',').map(Number)) {
    const open = (path: string): Promise<PageFigures> =>
      openPageOnce(browser, helix.url, path, {
        language,
        width,
        cookies: isForStrangers(path) ? null : owner.cookies,
        latencyMs,
      })
    if (values.shifts) {
      for (const notices of values.notices?.split(',') ?? ['']) {
        await show(notices)
        await reportShifts(`${language} ${width} ${notices}`.trim(), open)
      }
      continue
    }
    // The server compresses a document when it is first asked for.
    for (const path of [landing, ...pages]) await open(path)
    const taken = new Map<string, Turn[]>(pages.map((path) => [path, []]))
    for (let round = 0; round < rounds; round += 1)
      for (const [path, turns] of taken) turns.push({ reference: await open(landing), page: await open(path) })
    for (const [path, turns] of taken) {
      const paintedMs = turns.map(({ page }) => page.paintedMs)
      const referenceMs = turns.map(({ reference }) => reference.paintedMs)
      const shifts = turns.map(({ page }) => page.shift)
      const { largest, requests, scripts, scriptKib } = turns[0]?.page ?? noFigures
      reportPart({
        bench: 'pages',
        part: `${path} ${language} ${width}`,
        ratio: ratioSpread(paintedMs, referenceMs),
        target: atMost(2),
        rounds,
        figures: {
          paintedMs: spreadOf(paintedMs),
          landingMs: spreadOf(referenceMs),
          firstMs: spreadOf(turns.map(({ page }) => page.firstMs)),
          largest,
          shift: median(shifts),
          maxShift: Math.max(...shifts),
          requests,
          scripts,
          scriptKib,
        },
      })
    }
  }
await browser.close()
await helix.close()
