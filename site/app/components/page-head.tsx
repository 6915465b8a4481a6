import type { ReactNode, Ref } from 'react'

type PageHeadProps = {
  /** The page's name, small. */
  title: string
  /** A sentence with figures that already answers the question; `<b>` and `<span className="muted">` inside. */
  lede: ReactNode
  /** At most one primary button. */
  action?: ReactNode
  /** The page's name, which takes the focus when the focused element is removed. */
  ref?: Ref<HTMLHeadingElement>
}

export const PageHead = ({ title, lede, action, ref }: PageHeadProps) => (
  <header className="page-head">
    <div>
      <h1 ref={ref} className="page-name" tabIndex={-1}>
        {title}
      </h1>
      <p className="lede">{lede}</p>
    </div>
    {action}
  </header>
)
