import { type ReactNode, useId } from 'react'

type SectionProps = { title: ReactNode; text: ReactNode; children: ReactNode }

/** A part of a page: its name, a sentence about it, and what belongs to it. */
export const Section = ({ title, text, children }: SectionProps) => {
  const id = useId()
  return (
    <section className="section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p className="secondary small">{text}</p>
      {children}
    </section>
  )
}
