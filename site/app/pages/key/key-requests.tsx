import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usePlatform } from '../../app-state.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { useWords } from '../../words-context.tsx'
import { RequestsTable } from '../requests/requests-table.tsx'
import { keyRequestsQuery } from './key-query.ts'
import '../../../styles/requests.css'

const shownRequests = 8

/** The newest requests with this key, those that were rejected included. */
export const KeyRequests = ({ id, now }: { id: string; now: number }) => {
  const { keys, requests } = useWords()
  const query = useQuery(keyRequestsQuery(usePlatform(), id, shownRequests))
  return (
    <Section
      title={keys.recentRequests}
      text={
        <>
          <Link to="/requests" search={{ key: id }}>
            {keys.allRequests}
          </Link>
          {' · '}
          <Link to="/requests" search={{ key: id, outcome: 'refused' }}>
            {keys.rejectedOnly}
          </Link>
        </>
      }
    >
      <Loaded query={query} errorTitle={requests.notLoaded} lines={3}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="muted">{requests.emptyTitle}</p>
          ) : (
            <RequestsTable requests={data} now={now} />
          )
        }
      </Loaded>
    </Section>
  )
}
