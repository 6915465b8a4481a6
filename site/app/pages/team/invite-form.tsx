import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewInvitation } from '../../../../src/platform/contract/organisation.ts'
import { type Role, roles } from '../../../../src/store/team-contract.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { errorText } from '../../../words/error-text.ts'
import { usePlatform } from '../../app-state.ts'
import { DialogForm } from '../../components/dialog-form.tsx'
import { Field } from '../../components/field.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useMay } from '../../role.ts'
import { useSession } from '../../session.ts'
import { useLocale } from '../../words-context.tsx'
import { invitationsQuery } from './team-query.ts'

type Delivery = 'link' | 'mail'
export type MadeInvitation = Pick<NewInvitation, 'url' | 'expiresAt'> & { email: string }

export const InviteForm = ({ onMade, onClose }: { onMade(made: MadeInvitation): void; onClose(): void }) => {
  const platform = usePlatform()
  const { language, words } = useLocale()
  const { team, errors, shell } = words
  const { mail } = useSession()
  const may = useMay()
  const queryClient = useQueryClient()
  const [role, setRole] = useState<Role>('member')
  const [send, setSend] = useState<Delivery>(mail ? 'mail' : 'link')
  const [email, setEmail] = useState('')
  const [isMissing, setMissing] = useState(false)
  const invite = useMutation({
    mutationFn: () => {
      const address = email.trim() === '' ? null : email.trim()
      return platform.invite({ body: { role, send, email: address, language: language.code } })
    },
    // A link is as powerful as a password, so it is kept nowhere but on the page.
    gcTime: 0,
    onSuccess(made) {
      void queryClient.invalidateQueries({ queryKey: invitationsQuery(platform).queryKey })
      onMade({ ...made, email: email.trim() })
    },
  })
  const submit = (): void => {
    const lacks = send === 'mail' && email.trim() === ''
    setMissing(lacks)
    if (!lacks) invite.mutate()
  }
  const isEmailWrong = invite.error instanceof PlatformError && invite.error.code === 'invalid_email'
  const methods: { value: Delivery; text: string }[] = [
    { value: 'mail', text: team.byMail },
    { value: 'link', text: team.byLink },
  ]
  return (
    <DialogForm
      submit={send === 'mail' ? team.sendInvitation : team.makeInvitation}
      request={invite}
      hidesError={isEmailWrong}
      errorTitle={team.notInvited}
      onSubmit={submit}
      onCancel={onClose}
    >
      <SelectField<Role>
        label={shell.role}
        help={team.roleTexts[role]}
        value={role}
        options={roles
          .filter((each) => each !== 'owner' || may('manageOwners'))
          .map((value) => ({ value, text: team.roles[value] }))}
        onChoose={setRole}
      />
      {mail ? <SelectField<Delivery> label={team.how} value={send} options={methods} onChoose={setSend} /> : null}
      <Field
        label={shell.email}
        help={send === 'mail' ? team.inviteMailHelp : team.inviteEmailHelp}
        error={isMissing ? shell.emailNeeded : isEmailWrong ? errorText(invite.error, errors) : null}
        type="email"
        autoComplete="off"
        required={send === 'mail'}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
    </DialogForm>
  )
}
