import {
  BookOpen,
  Boxes,
  ChartNoAxesColumn,
  Gauge,
  House,
  KeyRound,
  List,
  type LucideIcon,
  ScrollText,
  Settings2,
  SquareTerminal,
  UsersRound,
  Webhook,
} from 'lucide-react'
import type { Words } from '../../../languages/words.ts'
import type { abilities } from '../../../src/accounts/teams/roles.ts'
import type { AppPage } from '../../../src/site-server/pages.ts'

type Word = keyof Pick<
  Words['shell'],
  | 'home'
  | 'playground'
  | 'playgroundShort'
  | 'keys'
  | 'usage'
  | 'requests'
  | 'limits'
  | 'models'
  | 'docs'
  | 'team'
  | 'audit'
  | 'webhooks'
  | 'settings'
>

export type NavigationItem = {
  to: AppPage | '/docs'
  word: Word
  /** Where there is little room. */
  shortWord?: Word
  icon: LucideIcon
  /** In the bar of a phone; the others are under "More" there. */
  inBar?: true
  /** Only for those whose role allows this. */
  needs?: keyof typeof abilities
  /** About the person or the server, so it is available even if the organisation is suspended. */
  isPersonal?: true
  /** Below the gap, among the pages that are needed less often. */
  isSecond?: true
}

/** What the rail shows, in its order. */
export const navigation: readonly NavigationItem[] = [
  {
    to: '/playground',
    word: 'playground',
    shortWord: 'playgroundShort',
    icon: SquareTerminal,
    needs: 'usePlayground',
    inBar: true,
  },
  { to: '/home', word: 'home', icon: House },
  { to: '/keys', word: 'keys', icon: KeyRound, inBar: true },
  { to: '/usage', word: 'usage', icon: ChartNoAxesColumn, inBar: true },
  { to: '/requests', word: 'requests', icon: List, inBar: true },
  { to: '/limits', word: 'limits', icon: Gauge },
  { to: '/models', word: 'models', icon: Boxes },
  { to: '/docs', word: 'docs', icon: BookOpen },
  { to: '/team', word: 'team', icon: UsersRound, isSecond: true },
  { to: '/audit', word: 'audit', icon: ScrollText, needs: 'seeAudit', isSecond: true },
  { to: '/webhooks', word: 'webhooks', icon: Webhook, needs: 'manageWebhooks', isSecond: true },
  { to: '/settings', word: 'settings', icon: Settings2, isPersonal: true, isSecond: true },
]
