import { type ReactNode, useId } from 'react'

type LimitsPartProps = { title: ReactNode; text: string; children: ReactNode }

/** Everybody who has limits: the organisation, a key, the server. */
export const LimitsPart = ({ title, text, children }: LimitsPartProps) => {
  const id = useId()
  return (
    <section className="limits-part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p className="second small">{text}</p>
      {children}
    </section>
  )
}
