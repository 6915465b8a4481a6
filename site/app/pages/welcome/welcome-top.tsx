import type { MouseEvent } from 'react'
import { Mark } from '../../components/mark.tsx'
import { useSession } from '../../session.ts'

/** The brand, which links to the landing page, and the signed-in account. */
export const WelcomeTop = ({ onLeave }: { onLeave?: (event: MouseEvent) => void }) => {
  const { account } = useSession()
  return (
    <header className="welcome-top">
      <a className="brand" href="/" onClick={onLeave}>
        <Mark size={24} />
        Helix
      </a>
      <span className="small muted ellipsis">{account.email}</span>
    </header>
  )
}
