import type { ReactNode } from 'react'

/** A state: a word, a colour and a shape of its own. */
export const Tag = ({ state, children }: { state: 'ok' | 'busy' | 'warn' | 'bad' | 'off'; children: ReactNode }) => (
  <span className={`tag ${state}`}>{children}</span>
)
