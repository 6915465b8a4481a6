import type { ReactNode } from 'react'

type PageHeadProps = {
  /** The page's name, small. */
  title: string
  /** A sentence with figures that already answers the question; `<b>` and `<span className="quiet">` inside. */
  lede: ReactNode
  /** At most one primary button. */
  action?: ReactNode
}

export const PageHead = ({ title, lede, action }: PageHeadProps) => (
  <header className="head">
    <div>
      <h1>{title}</h1>
      <p className="lede">{lede}</p>
    </div>
    {action}
  </header>
)
