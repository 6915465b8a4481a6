import { Link } from '@tanstack/react-router'
import type { Keys } from '../../../platform/types.ts'
import { Section } from '../../components/section.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { LimitUseList } from './limit-usage.tsx'

/** What all keys and the playground have together. */
export const OrganisationLimits = ({ snapshot, now }: { snapshot: Keys['organisation']; now: number }) => {
  const { keys, limits } = useWords()
  const { organisation } = useSession()
  return (
    <Section
      title={keys.organisationLimits(organisation.name)}
      text={
        <>
          {Object.keys(snapshot.uses).length === 0 ? limits.unlimitedLede : limits.organisationText}{' '}
          <Link to="/limits">{keys.allLimits}</Link>
        </>
      }
    >
      <LimitUseList uses={snapshot.uses} now={now} />
    </Section>
  )
}
