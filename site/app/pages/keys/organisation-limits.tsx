import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { Keys } from '../../../platform/types.ts'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { LimitUseList } from './limit-uses.tsx'

/** What all keys and the playground have together. */
export const OrganisationLimits = ({ snapshot, now }: { snapshot: Keys['organisation']; now: number }) => {
  const { keys, limits } = useWords()
  const { organisation } = useSession()
  const id = useId()
  return (
    <section className="organisation-limits" aria-labelledby={id}>
      <h2 id={id}>{keys.organisationLimits(organisation.name)}</h2>
      <p className="second small">
        {Object.keys(snapshot.uses).length === 0 ? limits.unlimitedLede : limits.organisationText}{' '}
        <Link to="/limits">{keys.allLimits}</Link>
      </p>
      <LimitUseList uses={snapshot.uses} now={now} />
    </section>
  )
}
