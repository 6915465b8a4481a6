import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { ShieldUser } from 'lucide-react'
import { Suspense, useState } from 'react'
import { usePlatform } from '../app-state.ts'
import { Mark, Twist } from '../components/mark.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Notices } from '../notices/notices.tsx'
import { useMay } from '../role.ts'
import { sessionQuery, useSession } from '../session.ts'
import { useWords, WithAllWords } from '../words-context.tsx'
import { AccountMenu } from './account-menu.tsx'
import { AdminLinks } from './admin-links.tsx'
import { MoreMenu } from './more-menu.tsx'
import { navigation } from './navigation.ts'
import { NavigationLink } from './navigation-link.tsx'
import { OrganisationSwitch } from './organisation-switch.tsx'
import { PaletteButton } from './palette-button.tsx'
import { SessionEndDialog } from './session-end-dialog.tsx'
import { ShortcutsKey } from './shortcuts-key.tsx'
import { SuspendedAccount, SuspendedOrganisation } from './suspended.tsx'
import { useCurrentInSight } from './use-current-in-sight.ts'
import { useFollowOrganisation } from './use-follow-organisation.ts'

/** Rail, icon rail or bottom bar, and the page beside it. */
export const Shell = () => {
  const { shell } = useWords()
  const { account, organisation } = useSession()
  const may = useMay()
  const isSuspended = useSuspenseQuery(sessionQuery(usePlatform())).data.suspended
  useFollowOrganisation(organisation.id)
  const items = navigation.filter(({ needs }) => !needs || may(needs))
  const [isShowingShortcuts, setShortcuts] = useState(false)
  const pages = useCurrentInSight<HTMLDivElement>()
  const second = items.find(({ isSecond }) => isSecond)
  return (
    <div className="app">
      <a className="skip-link" href="#page">
        {shell.skip}
      </a>
      <header className="rail">
        <a className="brand" href="/" aria-label="Helix">
          <Mark size={22} />
          <span>Helix</span>
        </a>
        <OrganisationSwitch />
        <PaletteButton onShortcuts={() => setShortcuts(true)} />
        <div className="rail-pages" ref={pages}>
          <nav aria-label={shell.navigation}>
            <ul>
              {items.map((item) => (
                <li key={item.to} className={item === second ? 'separated' : undefined}>
                  <NavigationLink item={item} isRail />
                </li>
              ))}
            </ul>
          </nav>
          {account.isOwner ? (
            <nav className="admin-group" aria-labelledby="administration">
              <p id="administration">{shell.administration}</p>
              <AdminLinks isRail />
              <Link className="admin-entry" to="/admin" activeProps={{ 'aria-current': 'page' }}>
                <Twist />
                <ShieldUser size={18} strokeWidth={1.5} aria-hidden />
                <span className="word">{shell.administration}</span>
              </Link>
            </nav>
          ) : null}
        </div>
        <div className="rail-footer">
          <AccountMenu />
        </div>
      </header>
      <main id="page" className="main" tabIndex={-1}>
        <Suspense fallback={<Skeleton className="page" />}>
          {isSuspended ? null : <Notices />}
          <Page isSuspended={isSuspended} />
        </Suspense>
      </main>
      <nav className="bottom-bar" aria-label={shell.navigation}>
        {items
          .filter(({ inBar }) => inBar)
          .map((item) => (
            <NavigationLink key={item.to} item={item} isRail={false} />
          ))}
        <MoreMenu items={items.filter(({ inBar }) => !inBar)} hasAdmin={account.isOwner} />
      </nav>
      <SessionEndDialog email={account.email} />
      <ShortcutsKey isOpen={isShowingShortcuts} onChange={setShortcuts} />
    </div>
  )
}

/** The page, or what replaces it while it cannot be used. */
const Page = ({ isSuspended }: { isSuspended: boolean }) => {
  const { organisation } = useSession()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const isPersonal =
    pathname.startsWith('/admin') || navigation.some((item) => item.isPersonal && pathname.startsWith(item.to))
  const isOrganisationSuspended = organisation.suspendedAt !== null && !isPersonal
  if (!isSuspended && !isOrganisationSuspended) return <Outlet />
  return <WithAllWords>{isSuspended ? <SuspendedAccount /> : <SuspendedOrganisation />}</WithAllWords>
}
