import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { platformPost } from '../../../platform/platform.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Section } from '../../components/section.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useWords } from '../../words-context.tsx'
import { InvitationsTable } from './invitations-table.tsx'
import { type Invitation, invitationsQuery } from './team-query.ts'

export const Invitations = () => {
  const { team } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(invitationsQuery)
  const withdraw = useMutation({
    mutationFn: ({ id }: Invitation) => platformPost(`/organisation/invitations/${id}/withdraw`),
    onSuccess: () => toast(team.withdrawnNow),
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  })
  return (
    <Section title={team.invitations} text={team.invitationsText}>
      {error !== null && data === undefined ? (
        <ErrorNotice error={error} title={team.invitationsNotLoaded} onRetry={refetch} />
      ) : data === undefined ? (
        <Skeleton lines={2} />
      ) : data.length === 0 ? (
        <p className="muted">{team.noInvitations}</p>
      ) : (
        <InvitationsTable invitations={data} onWithdraw={(invitation) => withdraw.mutate(invitation)} />
      )}
      {withdraw.isError ? <ErrorNotice error={withdraw.error} title={team.notWithdrawn} /> : null}
    </Section>
  )
}
