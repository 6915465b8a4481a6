import type { ReactNode } from 'react'

/** One of the lists of facts about a request. */
export const FactsList = ({ head, children }: { head: string; children: ReactNode }) => (
  <section>
    <h2>{head}</h2>
    <dl className="fact-rows">{children}</dl>
  </section>
)

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
