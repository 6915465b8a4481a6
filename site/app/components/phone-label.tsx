import type { ReactNode } from 'react'

/** Labels a cell where the table's head is not shown. */
export const PhoneLabel = ({ children }: { children: ReactNode }) => (
  <span className="muted phone-only">{children} </span>
)
