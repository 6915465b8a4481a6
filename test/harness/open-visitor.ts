import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { test as base, expect, inject, onTestFinished } from 'vitest'
import type { LanguageCode } from '../../languages/language.ts'
import { languages } from '../../src/languages/languages.ts'

/** A person with a fresh browser: no cookies yet, and none of their actions may break the page's own rules. */
export type Visitor = { page: Page; context: BrowserContext; errors: string[] }

type VisitorOptions = {
  language?: LanguageCode
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  /** Clipboard access is allowed by default. */
  clipboard?: boolean
  /** Another site that may be visited, such as a sign-in provider. */
  elsewhere?: string
} & Pick<BrowserContextOptions, 'reducedMotion'>

const endpoint = inject('browserEndpoint')

/** Skipped if there is no browser. */
export const test = base.skipIf(endpoint === null)

let connected: Promise<Browser> | null = null
const browser = (): Promise<Browser> => {
  connected ??= chromium.connect(endpoint ?? '')
  return connected
}

/**
 * Opens a browser for `origin`. At the end of the test, its pages must have contacted no other site, broken no content
 * security policy, thrown nothing and written no error to the console.
 */
export const openVisitor = async (origin: string, options: VisitorOptions = {}): Promise<Visitor> => {
  const { language = 'en', theme = 'light', width = 1440, height = 900, clipboard = true } = options
  const context = await (await browser()).newContext({
    baseURL: origin,
    locale: languages.find(({ code }) => code === language)?.locale ?? language,
    colorScheme: theme,
    viewport: { width, height },
    reducedMotion: options.reducedMotion ?? 'reduce',
  })
  context.setDefaultTimeout(15_000)
  if (clipboard) await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
  const errors: string[] = []
  watch(context, [origin, ...(options.elsewhere === undefined ? [] : [options.elsewhere])], errors)
  onTestFinished(async () => {
    await context.close()
    expect(errors).toEqual([])
  })
  return { context, page: await context.newPage(), errors }
}

/** The browser itself logs refused requests to the console; the tests check those through the page. */
const isRefusal = /^Failed to load resource: /

const watch = (context: BrowserContext, origins: readonly string[], errors: string[]): void => {
  context.on('request', (request) => {
    const isKnown = origins.some((origin) => request.url().startsWith(`${origin}/`))
    if (!isKnown) errors.push(`asked ${request.url()}`)
  })
  context.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal.test(message.text())) errors.push(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => errors.push(`thrown: ${error.error().message}`))
}
