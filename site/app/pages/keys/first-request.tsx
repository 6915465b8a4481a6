import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Platform } from '../../../platform/platform.ts'
import { usePlatform } from '../../app-state.ts'
import { Tag } from '../../components/tag.tsx'
import { clockText } from '../../time/exact-moment.ts'
import { useLocale } from '../../words-context.tsx'

const refetchInterval = 2000

const firstRequestQuery = (platform: Platform, key: string) =>
  queryOptions({
    queryKey: ['first-request', key],
    queryFn: async ({ signal }) =>
      (await platform.listRequests({ query: { key, limit: 1 }, signal })).data.at(-1) ?? null,
    refetchInterval: ({ state: { data } }) => (data === null || data === undefined ? refetchInterval : false),
    staleTime: 0,
    gcTime: 0,
    meta: { isInBackground: true },
  })

/** Whether the key has been used, seen within two seconds, wherever it was used. */
export const FirstRequest = ({ keyId }: { keyId: string }) => {
  const { language, words } = useLocale()
  const { keys } = words
  const { data } = useQuery(firstRequestQuery(usePlatform(), keyId))
  return (
    <p className="first-request" role="status">
      {data === null || data === undefined ? (
        <Tag state="off">{keys.waitingForFirst}</Tag>
      ) : (
        <>
          <Tag state="ok">{keys.firstReceived(clockText(data.startedAt, language))}</Tag>{' '}
          <Link to="/requests/$request" params={{ request: data.id }}>
            {keys.showFirst}
          </Link>
        </>
      )}
    </p>
  )
}
