import type { ReactNode } from 'react'
import { waves } from './waves.ts'

type EmptyProps = { title: string; children: ReactNode; action?: ReactNode }

/** What it is, why there is nothing, and the one next action. */
export const Empty = ({ title, children, action }: EmptyProps) => (
  <div className="empty">
    <svg width="150" height="40" viewBox="0 0 150 40" aria-hidden="true">
      <g fill="none" strokeWidth="2.5" strokeLinecap="round" strokeDasharray="0.5 6">
        {waves.map(({ colour, path }) => (
          <path key={colour} stroke={colour} d={path} />
        ))}
      </g>
    </svg>
    <h2>{title}</h2>
    <p>{children}</p>
    {action}
  </div>
)
