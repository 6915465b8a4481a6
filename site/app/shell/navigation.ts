import {
  BookOpen,
  ChartNoAxesColumn,
  Gauge,
  KeyRound,
  List,
  type LucideIcon,
  Settings2,
  SquareTerminal,
  Users,
} from 'lucide-react'
import type { AppPage } from '../../../src/site/pages.ts'
import type { Words } from '../../words/words.ts'

type Word = keyof Pick<
  Words['shell'],
  'playground' | 'playgroundShort' | 'keys' | 'usage' | 'requests' | 'limits' | 'docs' | 'settings' | 'admin'
>

export type NavigationItem = {
  to: AppPage | '/docs'
  word: Word
  /** Where there is little room. */
  shortWord?: Word
  icon: LucideIcon
  /** Only the server's owner sees it. */
  forOwner?: true
  /** Below the gap, with what is not for every day. */
  isSecond?: true
}

/** What the rail shows, in its order. The bar of a phone shows the same. */
export const navigation: readonly NavigationItem[] = [
  { to: '/playground', word: 'playground', shortWord: 'playgroundShort', icon: SquareTerminal },
  { to: '/keys', word: 'keys', icon: KeyRound },
  { to: '/usage', word: 'usage', icon: ChartNoAxesColumn },
  { to: '/requests', word: 'requests', icon: List },
  { to: '/limits', word: 'limits', icon: Gauge },
  { to: '/docs', word: 'docs', icon: BookOpen },
  { to: '/admin', word: 'admin', icon: Users, forOwner: true, isSecond: true },
  { to: '/settings', word: 'settings', icon: Settings2, isSecond: true },
]
