import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useWords } from '../admin-words-context.tsx'

/** The pages that only the owner of the server has. */
export const AdminTabs = () => {
  const { shell, admin, overview } = useWords()
  const tabs = useRef<HTMLElement>(null)
  // On a phone they do not all fit: the current one is scrolled into sight.
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
    <nav ref={tabs} className="segments" aria-label={admin.tabs}>
      <Link to="/admin" activeOptions={{ exact: true, includeSearch: false }} activeProps={{ 'aria-current': 'page' }}>
        {overview.title}
      </Link>
      <Link to="/admin/accounts" activeProps={{ 'aria-current': 'page' }}>
        {shell.accounts}
      </Link>
      <Link to="/admin/organisations" activeProps={{ 'aria-current': 'page' }}>
        {admin.organisations}
      </Link>
      <Link to="/admin/models" activeProps={{ 'aria-current': 'page' }}>
        {admin.models}
      </Link>
      <Link to="/admin/upstreams" activeProps={{ 'aria-current': 'page' }}>
        {admin.upstreams}
      </Link>
      <Link to="/admin/nodes" activeProps={{ 'aria-current': 'page' }}>
        {admin.nodes}
      </Link>
      <Link to="/admin/webhooks" activeProps={{ 'aria-current': 'page' }}>
        {shell.webhooks}
      </Link>
      <Link to="/admin/server" activeProps={{ 'aria-current': 'page' }}>
        {shell.server}
      </Link>
    </nav>
  )
}
