import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useWords } from '../../words-context.tsx'
import type { TeamMember } from './team-query.ts'

type RemoveMemberProps = { member: TeamMember | null; onClose(): void }

export const RemoveMember = ({ member, onClose }: RemoveMemberProps) => {
  const { team } = useWords()
  return (
    <Dialog isOpen={member !== null} title={member === null ? '' : team.removeTitle(member.email)} onClose={onClose}>
      {member === null ? null : <RemoveForm member={member} onClose={onClose} />}
    </Dialog>
  )
}

const RemoveForm = ({ member, onClose }: { member: TeamMember; onClose(): void }) => {
  const platform = usePlatform()
  const { team, shell } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const [revokeKeys, setRevokeKeys] = useState(true)
  const remove = useMutation({
    mutationFn: () => platform.removeMember({ params: { account: member.id }, body: { revokeKeys } }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['team'] })
      void queryClient.invalidateQueries({ queryKey: ['keys'] })
      toast(team.removed(member.email))
      onClose()
    },
  })
  return (
    <>
      <p>{team.removeText}</p>
      <label className="switch">
        <input type="checkbox" checked={revokeKeys} onChange={(event) => setRevokeKeys(event.target.checked)} />
        {team.revokeKeys}
      </label>
      <p className="muted small">{team.revokeKeysText}</p>
      {remove.isError ? <ErrorNotice error={remove.error} title={team.notRemoved} /> : null}
      <div className="actions">
        <Button onClick={onClose}>{shell.cancel}</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {team.removeNow}
        </Button>
      </div>
    </>
  )
}
