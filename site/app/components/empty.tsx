import type { ReactNode } from 'react'

type EmptyProps = { title: string; children: ReactNode; action?: ReactNode }

/** What it is, why there is nothing, and the one next action. */
export const Empty = ({ title, children, action }: EmptyProps) => (
  <div className="empty">
    <svg width="150" height="40" viewBox="0 0 150 40" aria-hidden="true">
      <g fill="none" strokeWidth="2.5" strokeLinecap="round" strokeDasharray="0.5 6">
        <path stroke="var(--sent)" d={wave(1)} />
        <path stroke="var(--received)" d={wave(-1)} />
      </g>
    </svg>
    <h2>{title}</h2>
    <p>{children}</p>
    {action}
  </div>
)

const wave = (sign: number): string =>
  `M2 20${[0, 1, 2].map((half) => `q24.3 ${(half % 2 === 0 ? -sign : sign) * 30} 48.6 0`).join('')}`
