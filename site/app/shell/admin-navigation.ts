import {
  Boxes,
  Building2,
  CircleUserRound,
  Cloud,
  LayoutDashboard,
  type LucideIcon,
  Network,
  ScrollText,
  SlidersHorizontal,
  Webhook,
} from 'lucide-react'
import type { Words } from '../../../languages/words.ts'
import type { AppPage } from '../../../src/site-server/pages.ts'

export type AdminPage = {
  to: AppPage
  word: keyof Words['shell']['adminPages']
  icon: LucideIcon
  /** Its address is the beginning of the others'. */
  isExact?: true
}

/** The pages of the server's owner, in their order: a group of the rail and of "More", tabs where the rail has
 * no words, and entries of the palette. A page is one row. */
export const adminNavigation: readonly AdminPage[] = [
  { to: '/admin', word: 'overview', icon: LayoutDashboard, isExact: true },
  { to: '/admin/models', word: 'models', icon: Boxes },
  { to: '/admin/upstreams', word: 'upstreams', icon: Cloud },
  { to: '/admin/nodes', word: 'nodes', icon: Network },
  { to: '/admin/accounts', word: 'accounts', icon: CircleUserRound },
  { to: '/admin/organisations', word: 'organisations', icon: Building2 },
  { to: '/admin/webhooks', word: 'webhooks', icon: Webhook },
  { to: '/admin/server', word: 'server', icon: SlidersHorizontal },
  { to: '/admin/audit', word: 'audit', icon: ScrollText },
]
