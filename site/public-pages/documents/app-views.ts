import type { AdminWords, Words } from '../../../languages/words.ts'
import type { AppView } from '../../../src/site-server/pages.ts'
import { type Html, html } from '../html.ts'

/** What the console says, as its scripts do. */
export type AppWords = Words & AdminWords

type View = {
  /** The module of the page, as its route imports it. */
  page: string
  /** The words that its route loads besides the first ones. */
  words: readonly ('console' | 'admin')[]
  /** The page's name; null for the one that has no frame. */
  title: ((words: AppWords) => string) | null
  /** The sentence under the name, where it is the same for everybody. */
  lede?: (words: AppWords) => Html
  /** The button beside it, where everybody has one: its place is kept. */
  action?: (words: AppWords) => Html
  /** What it asks for usage by days, without the zone of the reader. */
  usage?: string
}

const ofConsole = ['console'] as const
const ofAdmin = ['console', 'admin'] as const

const usageOfMonth = '/platform/usage?unit=day&by=none&days=30'

const auditLede = ({ audit }: AppWords): Html => html`<b>${audit.lede}</b> <span class="muted">${audit.ledeText}</span>`

/** Where the app draws an icon. */
const iconSpace = html`<svg width="16" height="16" aria-hidden="true"></svg>`

const csv = (): Html => html`${iconSpace}CSV`

/** What the document of each view says before any script has run, and what the browser is to fetch with it. */
export const views: Readonly<Record<AppView, View>> = {
  '/welcome': { page: 'welcome/welcome-page', words: ofConsole, title: null },
  '/home': { page: 'home/home-page', words: ofConsole, title: ({ shell }) => shell.home, usage: usageOfMonth },
  '/keys': { page: 'keys/keys-page', words: ofConsole, title: ({ shell }) => shell.keys },
  '/keys/{key}': { page: 'key/key-page', words: ofConsole, title: ({ shell }) => shell.keys },
  '/usage': {
    page: 'usage/usage-page',
    words: ofConsole,
    title: ({ shell }) => shell.usage,
    action: csv,
    usage: usageOfMonth,
  },
  '/requests': {
    page: 'requests/requests-page',
    words: ofConsole,
    title: ({ shell }) => shell.requests,
    usage: '/platform/usage?unit=total&by=none&days=1',
  },
  '/requests/{request}': { page: 'request/request-page', words: ofConsole, title: ({ shell }) => shell.requests },
  '/limits': { page: 'limits/limits-page', words: ofConsole, title: ({ shell }) => shell.limits },
  '/models': { page: 'catalogue/catalogue-page', words: ofAdmin, title: ({ shell }) => shell.models },
  '/playground': { page: 'playground/playground-page', words: [], title: ({ shell }) => shell.playground },
  '/playground/shared/{share}': { page: 'shared/shared-page', words: [], title: ({ shell }) => shell.playground },
  '/playground/compare': {
    page: 'compare/compare-page',
    words: [],
    title: ({ compare }) => compare.title,
    lede: ({ compare }) => html`${compare.lede}`,
    action: ({ compare }) => html`${compare.toPlayground}`,
  },
  '/team': { page: 'team/team-page', words: ofConsole, title: ({ shell }) => shell.team },
  '/audit': {
    page: 'audit/audit-page',
    words: ofConsole,
    title: ({ shell }) => shell.audit,
    lede: auditLede,
    action: csv,
  },
  '/webhooks': { page: 'webhooks/webhooks-page', words: ofAdmin, title: ({ shell }) => shell.webhooks },
  '/settings': { page: 'settings/settings-page', words: ofConsole, title: ({ shell }) => shell.settings },
  '/admin': { page: 'overview/overview-page', words: ofAdmin, title: ({ overview }) => overview.title },
  '/admin/accounts': {
    page: 'accounts/accounts-page',
    words: ofAdmin,
    title: ({ shell }) => shell.accounts,
    action: ({ admin }) => html`${iconSpace}${admin.makeLink}`,
  },
  '/admin/organisations': {
    page: 'organisations/organisations-page',
    words: ofAdmin,
    title: ({ admin }) => admin.organisations,
  },
  '/admin/models': { page: 'models/models-page', words: ofAdmin, title: ({ admin }) => admin.models },
  '/admin/upstreams': { page: 'upstreams/upstreams-page', words: ofAdmin, title: ({ admin }) => admin.upstreams },
  '/admin/nodes': { page: 'nodes/nodes-page', words: ofAdmin, title: ({ admin }) => admin.nodes },
  '/admin/webhooks': {
    page: 'webhooks/server-webhooks-page',
    words: ofAdmin,
    title: ({ webhooks }) => webhooks.serverTitle,
  },
  '/admin/server': { page: 'server/server-page', words: ofAdmin, title: ({ shell }) => shell.server },
  '/admin/audit': {
    page: 'audit/server-audit-page',
    words: ofAdmin,
    title: ({ shell }) => shell.adminPages.audit,
    lede: auditLede,
    action: csv,
  },
}
