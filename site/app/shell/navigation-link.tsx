import { Link } from '@tanstack/react-router'
import { Twist } from '../components/mark.tsx'
import { useWords } from '../words-context.tsx'
import type { NavigationItem } from './navigation.ts'

type NavigationLinkProps = { item: NavigationItem; isRail: boolean; onFollow?(): void }

/** The docs are pages of their own, outside of the app. */
export const NavigationLink = ({ item, isRail, onFollow }: NavigationLinkProps) => {
  const { shell } = useWords()
  const inside = (
    <>
      {isRail ? <Twist /> : null}
      <item.icon size={18} strokeWidth={1.5} aria-hidden />
      <span className="word">{shell[isRail ? item.word : (item.shortWord ?? item.word)]}</span>
    </>
  )
  if (item.to === '/docs') return <a href={item.to}>{inside}</a>
  return (
    <Link to={item.to} activeProps={{ 'aria-current': 'page' }} onClick={() => onFollow?.()}>
      {inside}
    </Link>
  )
}
