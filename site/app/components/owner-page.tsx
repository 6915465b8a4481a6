import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWords } from '../admin-words-context.tsx'
import { useSession } from '../session.ts'
import { usePageTitle } from '../use-page-title.ts'
import { AdminTabs } from './admin-tabs.tsx'
import { Button } from './button.tsx'
import { PageHead } from './page-head.tsx'

type OwnerPageProps = {
  title: string
  /** What others can do instead. */
  othersText?: string
  children: ReactNode
}

/** A page for the server's owner. Anybody else reads whose it is. */
export const OwnerPage = ({ title, othersText, children }: OwnerPageProps) => {
  const { admin, shell } = useWords()
  const { account } = useSession()
  const navigate = useNavigate()
  usePageTitle(title)
  return (
    <div className="page wide">
      {account.isOwner ? (
        <>
          <AdminTabs />
          {children}
        </>
      ) : (
        <>
          <PageHead title={title} lede={admin.ownerOnly} />
          <p className="secondary">{othersText ?? admin.ownerOnlyText}</p>
          <Button onClick={() => navigate({ to: '/keys' })}>{shell.toKeys}</Button>
        </>
      )}
    </div>
  )
}
