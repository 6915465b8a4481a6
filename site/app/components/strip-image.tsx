import type { ReactNode } from 'react'

type StripImageProps = {
  className: string
  width: number
  height: number
  /** What the strip shows, for those who do not see it. */
  label: string
  children: ReactNode
}

/** The frame of a strip, drawn as wide as its place. */
export const StripImage = ({ className, width, height, label, children }: StripImageProps) => (
  <svg
    className={className}
    viewBox={`0 0 ${width} ${height}`}
    preserveAspectRatio="none"
    role="img"
    aria-label={label}
  >
    {children}
  </svg>
)
