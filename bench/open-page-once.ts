import type { Browser } from 'playwright-core'
import { pageSettled } from '../test/harness/site-pages.ts'

export type PageFigures = {
  /** From the request for the document until the largest part is painted (LCP). */
  paintedMs: number
  /** What that part is: its element, and the beginning of its text. */
  largest: string
  /** Until anything was painted (FCP). */
  firstMs: number
  /** How far parts moved without being asked to: all moves together, which is at least CLS. */
  shift: number
  /** Which parts the largest of these moves were. */
  moved: string
  /** What the page asked the server for until it was complete. */
  requests: number
  scripts: number
  /** As transferred: compressed, without headers. */
  scriptKib: number
}

export const noFigures: PageFigures = {
  paintedMs: 0,
  largest: '',
  firstMs: 0,
  shift: 0,
  moved: '',
  requests: 0,
  scripts: 0,
  scriptKib: 0,
}

type Visit = {
  language: string
  width: number
  cookies: ReadonlyMap<string, string> | null
  /** Of a network at 1.6 Mbit/s; null for the loopback interface as it is. */
  latencyMs: number | null
}

const slowBytesPerSecond = 200_000

const observe = `
  globalThis.seen = { paintedMs: 0, largest: '', firstMs: 0, shift: 0, moved: '' }
  let largestMove = 0
  const nameOf = (element) =>
    element === null ? 'removed' : [element.localName ?? 'text', ...(element.classList ?? [])].join('.') + ' ' + element.textContent.trim().slice(0, 40)
  const moveOf = ({ node, previousRect, currentRect }) =>
    nameOf(node) + ' ' + [previousRect, currentRect].map(({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')).join(' → ')
  new PerformanceObserver((list) => {
    for (const { startTime, element } of list.getEntries()) {
      seen.paintedMs = startTime
      seen.largest = nameOf(element)
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue
      seen.shift += value
      if (value <= largestMove) continue
      largestMove = value
      seen.moved = sources.map(moveOf).join('; ')
    }
  }).observe({ type: 'layout-shift', buffered: true })`

/** What is counted once nothing has been requested for half a second. */
const count = `(() => {
  const resources = performance.getEntriesByType('resource')
  seen.firstMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0
  const scripts = resources.filter(({ name }) => name.endsWith('.js'))
  const bytes = scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  return { ...seen, requests: resources.length + 1, scripts: scripts.length, scriptKib: bytes / 1024 }
})()`

/** Opens a page in a browser that has seen nothing yet. */
export const openPageOnce = async (browser: Browser, origin: string, path: string, visit: Visit) => {
  const { language, width, cookies, latencyMs } = visit
  const height = width < 720 ? 812 : 900
  const context = await browser.newContext({ baseURL: origin, locale: language, viewport: { width, height } })
  if (cookies !== null) await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: origin })))
  await context.addInitScript(observe)
  const page = await context.newPage()
  if (latencyMs !== null) {
    const session = await context.newCDPSession(page)
    const throughput = { downloadThroughput: slowBytesPerSecond, uploadThroughput: slowBytesPerSecond }
    await session.send('Network.emulateNetworkConditions', { offline: false, latency: latencyMs, ...throughput })
  }
  await page.goto(path)
  await pageSettled(page)
  // The log of requests stays connected, so the network is never idle there.
  await page.waitForTimeout(500 + 6 * (latencyMs ?? 0))
  const figures = asFigures(await page.evaluate(count))
  await context.close()
  return { ...figures, shift: Number(figures.shift.toFixed(4)), scriptKib: Number(figures.scriptKib.toFixed(1)) }
}

/** The script above writes it. */
const asFigures = (value: unknown): PageFigures => value as PageFigures
