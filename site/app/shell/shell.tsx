import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Mark } from '../components/mark.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { useSession } from '../session.ts'
import { useWords } from '../words-context.tsx'
import { navigation } from './navigation.ts'
import { NavigationLink } from './navigation-link.tsx'
import { SignInAgain } from './sign-in-again.tsx'

/** Rail, icon rail or bottom bar, and the page beside it. */
export const Shell = () => {
  const { shell } = useWords()
  const { account, organisation } = useSession()
  const items = navigation.filter(({ forOwner }) => !forOwner || account.isOwner)
  const second = items.find(({ isSecond }) => isSecond)
  return (
    <div className="app">
      <a className="skip" href="#page">
        {shell.skip}
      </a>
      <header className="rail">
        <a className="brand" href="/" aria-label="Helix">
          <Mark size={22} />
          <span>Helix</span>
        </a>
        <p className="org">{organisation.name}</p>
        <nav aria-label={shell.navigation}>
          <ul>
            {items.map((item) => (
              <li key={item.to} className={item === second ? 'mt-4' : undefined}>
                <NavigationLink item={item} isRail />
              </li>
            ))}
          </ul>
        </nav>
        <div className="rail-foot">
          <p className="mail words" title={account.email}>
            {account.email}
          </p>
        </div>
      </header>
      <main id="page" className="main" tabIndex={-1}>
        <Suspense fallback={<Skeleton className="page grid gap-5" />}>
          <Outlet />
        </Suspense>
      </main>
      <nav className="bottom" aria-label={shell.navigation}>
        {items.map((item) => (
          <NavigationLink key={item.to} item={item} isRail={false} />
        ))}
      </nav>
      <SignInAgain email={account.email} />
    </div>
  )
}
