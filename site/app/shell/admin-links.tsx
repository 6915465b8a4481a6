import { Link } from '@tanstack/react-router'
import { Twist } from '../components/mark.tsx'
import { useWords } from '../words-context.tsx'
import { adminNavigation } from './admin-navigation.ts'

/** The pages of the server's owner as a list. */
export const AdminLinks = ({ isRail, onFollow }: { isRail: boolean; onFollow?(): void }) => {
  const { shell } = useWords()
  return (
    <ul className={isRail ? undefined : 'more-pages'}>
      {adminNavigation.map(({ to, word, icon: Icon, isExact = false }) => (
        <li key={to}>
          <Link
            to={to}
            activeOptions={{ exact: isExact, includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
            onClick={() => onFollow?.()}
          >
            {isRail ? <Twist /> : null}
            <Icon size={18} strokeWidth={1.5} aria-hidden />
            <span className="word">{shell.adminPages[word]}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
