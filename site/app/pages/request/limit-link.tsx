import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePlatform } from '../../app-state.ts'
import { keysQuery } from '../keys/keys-query.ts'

type LimitLinkProps = {
  /** Whose limit it is; null for one of the organisation or the server. */
  keyId: string | null
  children: ReactNode
}

/** Leads to the key if it is one that the reader can see, otherwise to the limits. */
export const LimitLink = ({ keyId, children }: LimitLinkProps) => {
  const platform = usePlatform()
  const { data } = useQuery({ ...keysQuery(platform), enabled: keyId !== null })
  if (keyId === null || data?.data.some(({ id }) => id === keyId) !== true) return <Link to="/limits">{children}</Link>
  return (
    <Link to="/keys/$key" params={{ key: keyId }}>
      {children}
    </Link>
  )
}
