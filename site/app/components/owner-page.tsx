import type { ReactNode } from 'react'
import { useSession } from '../session.ts'
import { usePageTitle } from '../use-page-title.ts'
import { useWords } from '../words-context.tsx'
import { AdminTabs } from './admin-tabs.tsx'
import { PageHead } from './page-head.tsx'

type OwnerPageProps = {
  title: string
  /** What anybody else reads there. */
  others?: ReactNode
  children: ReactNode
}

/** A page for the server's owner. */
export const OwnerPage = ({ title, others, children }: OwnerPageProps) => {
  const { admin } = useWords()
  const { account } = useSession()
  usePageTitle(title)
  return (
    <div className="page wide">
      {account.isOwner ? <AdminTabs /> : <PageHead title={title} lede={admin.ownerOnly} />}
      {account.isOwner ? children : others}
    </div>
  )
}
