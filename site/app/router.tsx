import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { Platform } from '../platform/platform.ts'
import { pageLanguage } from '../words/languages.ts'
import { loadWords } from '../words/load-words.ts'
import { type Address, parseSearch, stringifySearch } from './address/search-string.ts'
import { AdminPages } from './admin-words-context.tsx'
import { noticesQuery } from './notices/notices-query.ts'
import { PageError } from './page-error.tsx'
import { sessionQuery } from './session.ts'
import { Shell } from './shell/shell.tsx'
import { isSignedIn } from './signed-in-session.ts'
import type { SpokenWords } from './spoken-words.ts'

/** Every view of the app. A page is a lazy component, so that each loads only what it shows. */
type RouterContext = { queryClient: QueryClient; platform: Platform; spokenWords: SpokenWords }

/** Each page reads and checks its own part of it, with its own script. */
const asAddress = (search: Record<string, unknown>): Address => search as Address

const root = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  errorComponent: PageError,
  validateSearch: (search) => asAddress(search),
})

/** Its pages do with the first words. */
const isPlayground = (pathname: string): boolean => /^\/playground(\/|$)/.test(pathname)

/** Visitors who are not signed in are sent to the sign-in page and return afterwards. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  async beforeLoad({ context, location: { pathname, searchStr } }) {
    const words = isPlayground(pathname) ? null : context.spokenWords.complete()
    const [session] = await Promise.all([context.queryClient.ensureQueryData(sessionQuery(context.platform)), words])
    if (isSignedIn(session)) return
    location.replace(`/signin?next=${encodeURIComponent(pathname + searchStr)}`)
    await new Promise(() => {})
  },
})

/** Without navigation: there is one thing to look at. */
const welcome = createRoute({
  getParentRoute: () => signedIn,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./pages/welcome/welcome-page.tsx'), 'WelcomePage'),
})

/** Pages about the account or the server. */
const notOfOrganisation = /^\/(settings|organisations|admin)(\/|$)/

/** A page does not wait longer for its notices. */
const noticesWaitMs = 1000

/** If the organisation requires a second factor that this session lacks, only pages that are not the organisation's are open. */
const shell = createRoute({
  getParentRoute: () => signedIn,
  id: 'shell',
  component: Shell,
  async beforeLoad({ context, location: { pathname } }) {
    const { organisation } = await context.queryClient.ensureQueryData(sessionQuery(context.platform))
    if (organisation?.needsSecondFactor && !notOfOrganisation.test(pathname)) throw redirect({ to: '/settings' })
  },
  // Notices stand above the page: it is shown with them, so that they do not push it away.
  async loader({ context: { queryClient, platform } }) {
    const { organisation } = await queryClient.ensureQueryData(sessionQuery(platform))
    if (organisation === null) return
    const notices = queryClient.ensureQueryData(noticesQuery(platform, organisation.id)).catch(() => undefined)
    await Promise.race([notices, new Promise((resolve) => setTimeout(resolve, noticesWaitMs))])
  },
})

/** The words of these pages come with them, not with the console. */
const administration = createRoute({
  getParentRoute: () => shell,
  id: 'administration',
  async loader() {
    const { code } = pageLanguage()
    return { code, words: await loadWords(code, 'admin') }
  },
  component: () => <AdminPages first={administration.useLoaderData()} />,
})

const home = createRoute({
  getParentRoute: () => shell,
  path: '/home',
  component: lazyRouteComponent(() => import('./pages/home/home-page.tsx'), 'HomePage'),
})

const keys = createRoute({
  getParentRoute: () => shell,
  path: '/keys',
  component: lazyRouteComponent(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
})

const key = createRoute({
  getParentRoute: () => shell,
  path: '/keys/$key',
  component: lazyRouteComponent(() => import('./pages/key/key-page.tsx'), 'KeyPage'),
})

const usage = createRoute({
  getParentRoute: () => shell,
  path: '/usage',
  component: lazyRouteComponent(() => import('./pages/usage/usage-page.tsx'), 'UsagePage'),
})

const limits = createRoute({
  getParentRoute: () => shell,
  path: '/limits',
  component: lazyRouteComponent(() => import('./pages/limits/limits-page.tsx'), 'LimitsPage'),
})

const requests = createRoute({
  getParentRoute: () => shell,
  path: '/requests',
  component: lazyRouteComponent(() => import('./pages/requests/requests-page.tsx'), 'RequestsPage'),
})

const request = createRoute({
  getParentRoute: () => shell,
  path: '/requests/$request',
  component: lazyRouteComponent(() => import('./pages/request/request-page.tsx'), 'RequestPage'),
})

const playground = createRoute({
  getParentRoute: () => shell,
  path: '/playground',
  component: lazyRouteComponent(() => import('./pages/playground/playground-page.tsx'), 'PlaygroundPage'),
})

const sharedConversation = createRoute({
  getParentRoute: () => shell,
  path: '/playground/shared/$share',
  component: lazyRouteComponent(() => import('./pages/shared/shared-page.tsx'), 'SharedPage'),
})

const compare = createRoute({
  getParentRoute: () => shell,
  path: '/playground/compare',
  component: lazyRouteComponent(() => import('./pages/compare/compare-page.tsx'), 'ComparePage'),
})

const team = createRoute({
  getParentRoute: () => shell,
  path: '/team',
  component: lazyRouteComponent(() => import('./pages/team/team-page.tsx'), 'TeamPage'),
})

const audit = createRoute({
  getParentRoute: () => shell,
  path: '/audit',
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
})

const webhooks = createRoute({
  getParentRoute: () => administration,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
})

const catalogue = createRoute({
  getParentRoute: () => administration,
  path: '/models',
  component: lazyRouteComponent(() => import('./pages/catalogue/catalogue-page.tsx'), 'CataloguePage'),
})

const admin = createRoute({
  getParentRoute: () => administration,
  path: '/admin',
  component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
})

const accounts = createRoute({
  getParentRoute: () => administration,
  path: '/admin/accounts',
  component: lazyRouteComponent(() => import('./pages/accounts/accounts-page.tsx'), 'AccountsPage'),
})

const organisations = createRoute({
  getParentRoute: () => administration,
  path: '/admin/organisations',
  component: lazyRouteComponent(() => import('./pages/organisations/organisations-page.tsx'), 'OrganisationsPage'),
})

const models = createRoute({
  getParentRoute: () => administration,
  path: '/admin/models',
  component: lazyRouteComponent(() => import('./pages/models/models-page.tsx'), 'ModelsPage'),
})

const upstreams = createRoute({
  getParentRoute: () => administration,
  path: '/admin/upstreams',
  component: lazyRouteComponent(() => import('./pages/upstreams/upstreams-page.tsx'), 'UpstreamsPage'),
})

const nodes = createRoute({
  getParentRoute: () => administration,
  path: '/admin/nodes',
  component: lazyRouteComponent(() => import('./pages/nodes/nodes-page.tsx'), 'NodesPage'),
})

const serverWebhooks = createRoute({
  getParentRoute: () => administration,
  path: '/admin/webhooks',
  component: lazyRouteComponent(() => import('./pages/webhooks/server-webhooks-page.tsx'), 'ServerWebhooksPage'),
})

const server = createRoute({
  getParentRoute: () => administration,
  path: '/admin/server',
  component: lazyRouteComponent(() => import('./pages/server/server-page.tsx'), 'ServerPage'),
})

const serverAudit = createRoute({
  getParentRoute: () => administration,
  path: '/admin/audit',
  component: lazyRouteComponent(() => import('./pages/audit/server-audit-page.tsx'), 'ServerAuditPage'),
})

const routeTree = root.addChildren([
  signedIn.addChildren([
    welcome,
    shell.addChildren([
      home,
      keys,
      key,
      usage,
      requests,
      request,
      limits,
      playground,
      sharedConversation,
      compare,
      team,
      audit,
      settings,
      administration.addChildren([
        webhooks,
        catalogue,
        admin,
        accounts,
        organisations,
        models,
        upstreams,
        nodes,
        serverWebhooks,
        server,
        serverAudit,
      ]),
    ]),
  ]),
])

export const createAppRouter = (context: RouterContext) =>
  createRouter({
    routeTree,
    context,
    defaultPreload: 'intent',
    defaultErrorComponent: PageError,
    parseSearch,
    stringifySearch,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
