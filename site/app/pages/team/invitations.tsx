import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePlatform } from '../../app-state.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useWords } from '../../words-context.tsx'
import { InvitationsTable } from './invitations-table.tsx'
import { type Invitation, invitationsQuery } from './team-query.ts'

export const Invitations = () => {
  const platform = usePlatform()
  const { team } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const invitations = useQuery(invitationsQuery(platform))
  const withdraw = useMutation({
    mutationFn: ({ id }: Invitation) => platform.withdrawInvitation({ params: { invitation: id } }),
    onSuccess: () => toast(team.withdrawnNow),
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitationsQuery(platform).queryKey }),
  })
  return (
    <Section title={team.invitations} text={team.invitationsText}>
      <Loaded query={invitations} errorTitle={team.invitationsNotLoaded} lines={2}>
        {(data) =>
          data.length === 0 ? (
            <p className="muted">{team.noInvitations}</p>
          ) : (
            <InvitationsTable invitations={data} onWithdraw={withdraw.mutate} />
          )
        }
      </Loaded>
      {withdraw.isError ? <ErrorNotice error={withdraw.error} title={team.notWithdrawn} /> : null}
    </Section>
  )
}
