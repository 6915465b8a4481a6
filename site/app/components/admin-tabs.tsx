import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useWords } from '../admin-words-context.tsx'
import { adminNavigation } from '../shell/admin-navigation.ts'

/** The pages that only the owner of the server has, where the rail has no words for them. */
export const AdminTabs = () => {
  const { shell } = useWords()
  const tabs = useRef<HTMLElement>(null)
  // They do not all fit: the current one is scrolled into sight.
  useEffect(() => {
    const showCurrent = (): void => {
      const current = tabs.current?.querySelector<HTMLElement>('[aria-current]')
      if (tabs.current && current)
        tabs.current.scrollLeft = current.offsetLeft + current.offsetWidth - tabs.current.clientWidth
    }
    showCurrent()
    addEventListener('resize', showCurrent)
    return () => removeEventListener('resize', showCurrent)
  }, [])
  return (
    <nav ref={tabs} className="segments admin-tabs" aria-label={shell.administrationPages}>
      {adminNavigation.map(({ to, word, isExact = false }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: isExact, includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          {shell.adminPages[word]}
        </Link>
      ))}
    </nav>
  )
}
