import type { Lede } from '../ledes/lede.ts'

export const LedeText = ({ parts }: { parts: Lede }) =>
  parts.map((part) => {
    if (typeof part === 'string') return part
    if ('strong' in part) return <b key={part.strong}>{part.strong}</b>
    return (
      <span key={part.muted} className="muted">
        {part.muted}
      </span>
    )
  })
