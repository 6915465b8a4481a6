import { BookOpen, KeyRound, type LucideIcon, Settings2, SquareTerminal, Users } from 'lucide-react'
import type { AppPage } from '../../../src/site/pages.ts'
import type { Words } from '../../words/words.ts'

export type NavigationItem = {
  to: AppPage | '/docs'
  word: keyof Pick<Words['shell'], 'playground' | 'keys' | 'docs' | 'settings' | 'admin'>
  icon: LucideIcon
  /** Only the server's owner sees it. */
  forOwner?: true
  /** A gap before it. */
  apart?: true
}

/** What the rail shows, in its order. The bar of a phone shows the same. */
export const navigation: readonly NavigationItem[] = [
  { to: '/playground', word: 'playground', icon: SquareTerminal },
  { to: '/keys', word: 'keys', icon: KeyRound },
  { to: '/docs', word: 'docs', icon: BookOpen },
  { to: '/admin', word: 'admin', icon: Users, forOwner: true, apart: true },
  { to: '/settings', word: 'settings', icon: Settings2, apart: true },
]
