import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeviceSession } from '../../../platform/types.ts'
import { usePlatform } from '../../app-state.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useWords } from '../../words-context.tsx'
import { SessionRow } from './session-row.tsx'
import { sessionsKey, sessionsQuery } from './sessions-query.ts'
import { SettingsPart } from './settings-part.tsx'

export const SessionsPart = () => {
  const platform = usePlatform()
  const { settings } = useWords()
  const { data, error, isPending, refetch } = useQuery(sessionsQuery(platform))
  const queryClient = useQueryClient()
  const toast = useToast()
  const end = useMutation({
    mutationFn: ({ id }: DeviceSession) => platform.revokeSession({ params: { session: id } }),
    onSuccess: () => toast(settings.ended),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsKey }),
  })
  return (
    <SettingsPart title={settings.sessions} text={settings.sessionsText}>
      {isPending ? <Skeleton lines={3} /> : null}
      {error === null ? null : (
        <ErrorNotice error={error} title={settings.sessionsError} onRetry={() => void refetch()} />
      )}
      {data === undefined ? null : (
        <ul className="item-list">
          {[...data.data].sort(byUse).map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isEnding={end.isPending && end.variables.id === session.id}
              onEnd={() => end.mutate(session)}
            />
          ))}
        </ul>
      )}
      {end.isError ? <ErrorNotice error={end.error} /> : null}
    </SettingsPart>
  )
}

/** This browser first, then the latest. */
const byUse = (one: DeviceSession, other: DeviceSession): number =>
  Number(other.current) - Number(one.current) || other.lastSeenAt - one.lastSeenAt
